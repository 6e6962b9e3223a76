/* Judgements: comparing the states seen on a device with those that a model allows. */
#ifndef RSP_JUDGE_H
#define RSP_JUDGE_H

#include "report/record.h"

/* seen is a device's record and allowed a model's, of the same test. */
RspJudged rsp_judge (const RspRecord *seen, const RspRecord *allowed);
/* Judges, and stores the judgement in seen. */
void rsp_judge_record (RspRecord *seen, const RspRecord *allowed);
/* The record's first violation among its judgements, or else its judgement; RSP_JUDGED_NOT if it
 * has none. */
gboolean rsp_record_is_violation (const RspRecord *record);
/* "Agrees", "Racy", "Violation", "Bounded", "NotJudged"; NULL ends them. */
extern const char *const rsp_judged_names[];

#endif
