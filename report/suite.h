/* A suite as a table: one row per test, one column per model, and how the models relate. All
 * reports that compare models (table, page) take their numbers from here. */
#pragma once

#include "report/tables/relate.h"

/* One test: one record per column, NULL where there is none. */
typedef struct RspSuiteRow {
  const RspRecord **cells;
  gboolean differs; /* does some cell differ from the first existing one? */
} RspSuiteRow;

typedef struct RspSuite {
  GPtrArray *models; /* labels of the columns, in order of appearance; the records' */
  GArray *rows;      /* of RspSuiteRow */
} RspSuite;

/* The numbers of a model's tests by verdict. */
typedef enum RspTotal {
  RSP_TOTAL_NEVER,
  RSP_TOTAL_SOMETIMES,
  RSP_TOTAL_ALWAYS,
  RSP_TOTAL_FLAGGED,
  RSP_TOTAL_LOOP,
  RSP_TOTAL_UNFINISHED,
  RSP_N_TOTALS
} RspTotal;

extern const char *const rsp_total_titles[RSP_N_TOTALS];

/* records: of RspRecord, grouped by test. They must outlive the suite. */
RspSuite *suite_new (const GPtrArray *records);
void suite_free (RspSuite *suite);

const RspSuiteRow *suite_row (const RspSuite *suite, guint i);
/* A record of the row: the first there is. */
const RspRecord *suite_first (const RspSuite *suite, const RspSuiteRow *row);
/* Adds a record to the totals of its column. */
void count_record (const RspRecord *record, guint totals[RSP_N_TOTALS]);
/* Column k's totals. */
void suite_total (const RspSuite *suite, guint k, guint totals[RSP_N_TOTALS]);
/* The numbers of tests on which column a relates to column b in each way. */
void suite_relate (const RspSuite *suite, guint a, guint b, guint found[RSP_N_RELATIONS]);
/* May the states of column k's cell, which has an answer, be compared with those of others? See
 * rsp_records_compare_states. */
gboolean suite_has_states (const RspSuite *suite, const RspSuiteRow *row, guint k);
/* Do these numbers show that none of the tests distinguishes the two models? */
gboolean is_indistinguishable (const guint found[RSP_N_RELATIONS], guint n_rows);

/* The judgement of each model in the row of a device's runs, "Agrees" or "Racy/Agrees"; "" for a
 * model's record. Newly allocated. */
char *suite_judgements (const RspSuite *suite, const RspSuiteRow *row, const RspRecord *record);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspSuite, suite_free)
