/* A suite as a table: one row per test, one column per model, and how the models relate. All
 * reports that compare models (table, page) take their numbers from here. */
#ifndef RSP_REPORT_SUITE_H
#define RSP_REPORT_SUITE_H

#include "report/record.h"

/* One test: one record per column, NULL where there is none. */
typedef struct RspSuiteRow
{
  const RspRecord **cells;
  gboolean differs; /* does some cell differ from the first existing one? */
} RspSuiteRow;

typedef struct RspSuite
{
  GPtrArray *models; /* labels of the columns, in order of appearance; the records' */
  GArray *rows;      /* of RspSuiteRow */
} RspSuite;

/* How two models relate on a test: the first one is … */
typedef enum RspSuiteRelation
{
  RSP_WEAKER, /* allows more */
  RSP_STRONGER,
  RSP_INCOMPARABLE,
  RSP_EQUAL,
  RSP_UNDEFINED_IN_ONE,
  RSP_NOT_COMPARED, /* not both were checked to the end */
  RSP_N_RELATIONS
} RspSuiteRelation;

/* The numbers of a model's tests by verdict. */
typedef enum RspTotal
{
  RSP_TOTAL_NEVER,
  RSP_TOTAL_SOMETIMES,
  RSP_TOTAL_ALWAYS,
  RSP_TOTAL_FLAGGED,
  RSP_TOTAL_LOOP,
  RSP_TOTAL_UNFINISHED,
  RSP_N_TOTALS
} RspTotal;

extern const char *const rsp_relation_titles[RSP_N_RELATIONS];
extern const char *const rsp_total_titles[RSP_N_TOTALS];

/* records: of RspRecord, grouped by test. They must outlive the suite. */
RspSuite *rsp_suite_new (const GPtrArray *records);
void rsp_suite_free (RspSuite *suite);

const RspSuiteRow *rsp_suite_row (const RspSuite *suite, guint i);
/* A record of the row: the first there is. */
const RspRecord *rsp_suite_first (const RspSuite *suite, const RspSuiteRow *row);
/* The number of rows that differ. */
guint rsp_suite_count_differing (const RspSuite *suite);
/* Adds a record to the totals of its column. */
void rsp_record_count (const RspRecord *record, guint totals[RSP_N_TOTALS]);
/* Column k's totals. */
void rsp_suite_total (const RspSuite *suite, guint k, guint totals[RSP_N_TOTALS]);
/* The numbers of tests on which column a relates to column b in each way. */
void rsp_suite_relate (const RspSuite *suite, guint a, guint b, guint found[RSP_N_RELATIONS]);
/* Do these numbers show that none of the tests distinguishes the two models? */
gboolean rsp_is_indistinguishable (const guint found[RSP_N_RELATIONS], guint n_rows);

/* The judgement of each model in the row of a device's runs, "Agrees" or "Racy/Agrees"; "" for a
 * model's record. Newly allocated. */
char *rsp_suite_judgements (const RspSuite *suite, const RspSuiteRow *row, const RspRecord *record);

/* Two cells of a row, either of which may be NULL. Cells differ if their states, flags or
 * observations do, or only one was checked to the end; counts alone make no difference, nor does a
 * test that one column, a log's, does not have. A device's cell differs from a model's by a state
 * that the model does not allow, of a defined program: it need not show everything that is
 * allowed. */
gboolean rsp_records_differ (const RspRecord *a, const RspRecord *b);
/* RSP_NOT_COMPARED unless both have answers. */
RspSuiteRelation rsp_records_relate (const RspRecord *a, const RspRecord *b);
/* Do both have answers? */
gboolean rsp_records_are_compared (const RspRecord *a, const RspRecord *b);
/* States that a allows and b does not, in a's order: const char *, the record's. Newly
 * allocated. */
GPtrArray *rsp_records_only_in (const RspRecord *a, const RspRecord *b);
/* Some flag is raised, or the log it comes from says that there is undefined behaviour. */
gboolean rsp_record_is_flagged (const RspRecord *record);
gboolean rsp_record_has_flag (const RspRecord *record, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspSuite, rsp_suite_free)

#endif
