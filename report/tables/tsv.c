/* A record as a row of expected.tsv, and of -tsv. */
#include "report/tables/tsv.h"
#include "base/names.h"

const char *const rsp_tsv_columns[RSP_TSV_COLUMNS]
    = { "model", "test", "observation", "positive", "negative", "states", "flags" };

char *rsp_tsv_flags (const RspRecord *record) {
  if (record->flags->len == 0)
    return g_strdup (rsp_record_is_undefined (record) && rsp_record_is_ok (record) ? "undefined"
                                                                                   : "-");
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_ptr_array_extend (names, record->flags, NULL, NULL);
  g_ptr_array_sort (names, rsp_compare_names);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (",", (char **) names->pdata);
}

const char *rsp_tsv_verdict_word (const RspRecord *record) {
  static const char *const words[] = { [RSP_STATUS_TIMEOUT] = "Timeout",
                                       [RSP_STATUS_EXECUTIONS] = "Executions",
                                       [RSP_STATUS_MEMORY] = "Memory",
                                       [RSP_STATUS_ERROR] = "Error" };
  return rsp_record_is_ok (record) ? rsp_observation_names[record->observation]
                                   : words[record->status];
}

static char *count_cell (const RspRecord *record, RspCount count, gboolean known) {
  GString *text = g_string_new (NULL);
  if (rsp_record_is_ok (record) && known)
    rsp_count_format (count, text);
  else
    g_string_append_c (text, '-');
  return g_string_free (text, FALSE);
}

char **rsp_tsv_cells (const RspRecord *record) {
  RspCount positive, negative;
  rsp_record_witnesses (record, &positive, &negative);
  char **cells = g_new0 (char *, RSP_TSV_COLUMNS + 1);
  cells[0] = g_strdup (record->model);
  cells[1] = g_strdup (record->test);
  cells[2] = g_strdup (rsp_tsv_verdict_word (record));
  gboolean counted = !(record->unknown & RSP_UNKNOWN_COUNTS);
  cells[3] = count_cell (record, positive, counted);
  cells[4] = count_cell (record, negative, counted);
  cells[5] = count_cell (record, record->states->len, TRUE);
  cells[6] = rsp_tsv_flags (record);
  return cells;
}

void rsp_tsv_format_header (GString *out) {
  for (guint i = 0; i < RSP_TSV_COLUMNS; i++)
    g_string_append_printf (out, "%s%s", i ? "\t" : "", rsp_tsv_columns[i]);
  g_string_append_c (out, '\n');
}

void rsp_tsv_format (const RspRecord *record, GString *out) {
  g_auto (GStrv) cells = rsp_tsv_cells (record);
  g_autofree char *line = g_strjoinv ("\t", cells);
  g_string_append (out, line);
  g_string_append_c (out, '\n');
}
