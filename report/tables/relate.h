/* How two records of one test relate: those of two models, or of a device and a model. */
#pragma once

#include "report/record.h"

/* How two models relate on a test: the first one is … */
typedef enum RspSuiteRelation {
  RSP_WEAKER, /* allows more */
  RSP_STRONGER,
  RSP_INCOMPARABLE,
  RSP_EQUAL,
  RSP_UNDEFINED_IN_ONE,
  RSP_NOT_COMPARED, /* not both were checked to the end, or one looked only for some states */
  RSP_N_RELATIONS
} RspSuiteRelation;

extern const char *const rsp_relation_titles[RSP_N_RELATIONS];

/* Either may be NULL. They differ if their states, flags or
 * observations do, or only one was checked to the end; counts alone make no difference, nor does a
 * test that one column, a log's, does not have, nor what else is said of a program that is
 * undefined in both. A device's cell differs from a model's by a state that the model does not
 * allow, of a defined program: it need not show everything that is allowed. */
gboolean rsp_records_differ (const RspRecord *a, const RspRecord *b);
/* RSP_NOT_COMPARED unless both have answers, to the whole of which states belong. A program that is
 * undefined in both is equal. */
RspSuiteRelation rsp_records_relate (const RspRecord *a, const RspRecord *b);
/* Do both have answers? */
gboolean rsp_records_are_compared (const RspRecord *a, const RspRecord *b);
/* Does the program have undefined behaviour? A log may not say whether its flags mean that; then it
 * has some if the other record has, with no other flags. */
gboolean rsp_record_is_undefined_for (const RspRecord *record, const RspRecord *other);
/* Has it only states that decide the condition, by -speedcheck? */
gboolean rsp_record_is_hurried (const RspRecord *record);
/* Are states what they are compared by? Not if the program is undefined in one of them, as
 * everything is allowed then, nor under -speedcheck, which looks only for some. */
gboolean rsp_records_compare_states (const RspRecord *a, const RspRecord *b);
/* States that a allows and b does not, in a's order: const char *, the record's; none if states are
 * not what they are compared by. Newly allocated. */
GPtrArray *rsp_records_only_in (const RspRecord *a, const RspRecord *b);
/* Some flag is raised, or the log it comes from says that there is undefined behaviour. */
gboolean rsp_record_is_flagged (const RspRecord *record);
gboolean rsp_record_has_flag (const RspRecord *record, const char *name);

/* ---- Judgements: the states seen on a device, compared with those that a model allows ---- */

/* seen is a device's record and allowed a model's, of the same test. */
RspJudged rsp_judge (const RspRecord *seen, const RspRecord *allowed);
/* Judges, and stores the judgement in seen. */
void rsp_judge_record (RspRecord *seen, const RspRecord *allowed);
/* The record's first violation among its judgements, or else its judgement; RSP_JUDGED_NOT if it
 * has none. */
gboolean rsp_record_is_violation (const RspRecord *record);
/* "Agrees", "Racy", "Violation", "Bounded", "NotJudged"; NULL ends them. */
extern const char *const rsp_judged_names[];
