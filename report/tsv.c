#include "report/compare.h"

#include <stdlib.h>
#include <string.h>

const char *const rsp_tsv_columns[RSP_TSV_COLUMNS]
    = { "model", "test", "observation", "positive", "negative", "states", "flags" };

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* In alphabetical order, so that the table does not depend on the model's. */
static char *
sorted_flags (const RspRecord *record)
{
  if (record->flags->len == 0)
    return g_strdup ("-");
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_ptr_array_extend (names, record->flags, NULL, NULL);
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (",", (char **) names->pdata);
}

/* "Timeout" for a test that did not finish. */
static const char *
unfinished_word (const RspRecord *record)
{
  static const char *const words[][2]
      = { { "timeout", "Timeout" }, { "executions", "Executions" }, { "memory", "Memory" } };
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (record->status, words[i][0]))
      return words[i][1];
  return "Error";
}

/* Counts are as in the log's `Witnesses`: for and against the question. */
char **
rsp_tsv_cells (const RspRecord *record)
{
  gboolean ok = rsp_record_is_ok (record);
  gboolean swapped = ok && g_str_equal (record->kind, "Forbidden");
  char **cells = g_new0 (char *, RSP_TSV_COLUMNS + 1);
  cells[0] = g_strdup (record->model);
  cells[1] = g_strdup (record->test);
  cells[2] = g_strdup (ok ? record->observation : unfinished_word (record));
  cells[3] = g_strdup (!ok ? "-" : swapped ? record->negative : record->positive);
  cells[4] = g_strdup (!ok ? "-" : swapped ? record->positive : record->negative);
  cells[5] = ok ? g_strdup_printf ("%u", record->states->len) : g_strdup ("-");
  cells[6] = sorted_flags (record);
  return cells;
}

void
rsp_tsv_format_header (GString *out)
{
  for (guint i = 0; i < RSP_TSV_COLUMNS; i++)
    g_string_append_printf (out, "%s%s", i ? "\t" : "", rsp_tsv_columns[i]);
  g_string_append_c (out, '\n');
}

void
rsp_tsv_format (const RspRecord *record, GString *out)
{
  g_auto (GStrv) cells = rsp_tsv_cells (record);
  g_autofree char *line = g_strjoinv ("\t", cells);
  g_string_append (out, line);
  g_string_append_c (out, '\n');
}
