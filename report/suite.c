#include "report/suite.h"

const char *const rsp_total_titles[RSP_N_TOTALS]
    = { "Never", "Sometimes", "Always", "flagged", "Loop", "unfinished" };

/* ---- Building ---- */

static void clear_row (gpointer data) {
  RspSuiteRow *row = data;
  g_free (row->cells);
}

static guint column_of (const RspSuite *suite, const RspRecord *record) {
  guint column = 0;
  g_ptr_array_find_with_equal_func (suite->models, record->model, g_str_equal, &column);
  return column;
}

static void add_columns (RspSuite *suite, const GPtrArray *records) {
  for (guint i = 0; i < records->len; i++) {
    const RspRecord *record = records->pdata[i];
    if (!g_ptr_array_find_with_equal_func (suite->models, record->model, g_str_equal, NULL))
      g_ptr_array_add (suite->models, record->model);
  }
}

static void add_rows (RspSuite *suite, const GPtrArray *records) {
  const RspRecord *last = NULL;
  for (guint i = 0; i < records->len; i++) {
    const RspRecord *record = records->pdata[i];
    if (!last || last->index != record->index) {
      RspSuiteRow row = { g_new0 (const RspRecord *, suite->models->len), FALSE };
      g_array_append_val (suite->rows, row);
    }
    RspSuiteRow *row = &g_array_index (suite->rows, RspSuiteRow, suite->rows->len - 1);
    row->cells[column_of (suite, record)] = record;
    last = record;
  }
}

static void mark_differences (RspSuite *suite) {
  for (guint r = 0; r < suite->rows->len; r++) {
    RspSuiteRow *row = &g_array_index (suite->rows, RspSuiteRow, r);
    for (guint k = 1; k < suite->models->len; k++)
      row->differs |= rsp_records_differ (suite_first (suite, row), row->cells[k]);
  }
}

RspSuite *suite_new (const GPtrArray *records) {
  RspSuite *suite = g_new0 (RspSuite, 1);
  suite->models = g_ptr_array_new ();
  suite->rows = g_array_new (FALSE, TRUE, sizeof (RspSuiteRow));
  g_array_set_clear_func (suite->rows, clear_row);
  add_columns (suite, records);
  add_rows (suite, records);
  mark_differences (suite);
  return suite;
}

void suite_free (RspSuite *suite) {
  if (!suite)
    return;
  g_ptr_array_unref (suite->models);
  g_array_unref (suite->rows);
  g_free (suite);
}

/* ---- Attempt ---- */

const RspSuiteRow *suite_row (const RspSuite *suite, guint i) {
  return &g_array_index (suite->rows, RspSuiteRow, i);
}

const RspRecord *suite_first (const RspSuite *suite, const RspSuiteRow *row) {
  for (guint k = 0; k < suite->models->len; k++)
    if (row->cells[k])
      return row->cells[k];
  g_assert_not_reached (); /* does a record make a row? */
}

void count_record (const RspRecord *record, guint totals[RSP_N_TOTALS]) {
  if (!rsp_record_is_ok (record)) {
    totals[RSP_TOTAL_UNFINISHED]++;
    return;
  }
  for (guint i = RSP_TOTAL_NEVER; i <= RSP_TOTAL_ALWAYS; i++)
    totals[i] += record->observation == i - RSP_TOTAL_NEVER;
  totals[RSP_TOTAL_FLAGGED] += rsp_record_is_flagged (record);
  totals[RSP_TOTAL_LOOP] += record->loop;
}

void suite_total (const RspSuite *suite, guint k, guint totals[RSP_N_TOTALS]) {
  for (guint i = 0; i < RSP_N_TOTALS; i++)
    totals[i] = 0;
  for (guint r = 0; r < suite->rows->len; r++) {
    const RspRecord *record = suite_row (suite, r)->cells[k];
    if (record)
      count_record (record, totals);
  }
}

void suite_relate (const RspSuite *suite, guint a, guint b, guint found[RSP_N_RELATIONS]) {
  for (guint i = 0; i < RSP_N_RELATIONS; i++)
    found[i] = 0;
  for (guint r = 0; r < suite->rows->len; r++) {
    const RspSuiteRow *row = suite_row (suite, r);
    found[rsp_records_relate (row->cells[a], row->cells[b])]++;
  }
}

gboolean suite_has_states (const RspSuite *suite, const RspSuiteRow *row, guint k) {
  gboolean undefined = FALSE;
  for (guint i = 0; i < suite->models->len; i++)
    undefined |= row->cells[i] && rsp_record_is_undefined_for (row->cells[k], row->cells[i]);
  return !undefined && !rsp_record_is_hurried (row->cells[k]);
}

char *suite_judgements (const RspSuite *suite, const RspSuiteRow *row, const RspRecord *record) {
  GString *text = g_string_new (NULL);
  for (guint k = 0; record->is_device && k < suite->models->len; k++)
    if (row->cells[k] && !row->cells[k]->is_device)
      g_string_append_printf (text, "%s%s", text->len ? "/" : "",
                              rsp_judged_names[rsp_judge (record, row->cells[k])]);
  return g_string_free (text, FALSE);
}

gboolean is_indistinguishable (const guint found[RSP_N_RELATIONS], guint n_rows) {
  return found[RSP_EQUAL] && found[RSP_EQUAL] + found[RSP_NOT_COMPARED] == n_rows;
}
