#include "report/tables/diff.h"
#include "report/evidence.h"

#include <string.h>

/* The finished records of the models in a row; or only those with states to compare. */
static GPtrArray *finished_models (const RspSuite *suite, const RspSuiteRow *row,
                                   gboolean with_states) {
  GPtrArray *records = g_ptr_array_new ();
  for (guint k = 0; k < suite->models->len; k++)
    if (row->cells[k] && rsp_record_is_ok (row->cells[k]) && !row->cells[k]->is_device
        && !rsp_record_is_hurried (row->cells[k])
        && (!with_states || suite_has_states (suite, row, k)))
      g_ptr_array_add (records, (gpointer) row->cells[k]);
  return records;
}

static guint count (const char *having, char which) {
  guint n = 0;
  for (; *having; having++)
    n += *having == which;
  return n;
}

/* "a allows, b forbids", "a, b allow; c forbids" */
static const char *separator (const char *having) { return strlen (having) == 2 ? ", " : "; "; }

/* Appends "a, b" for the records with the letter `which` in `having`. */
static void append_names (const GPtrArray *records, const char *having, char which, GString *out) {
  guint n = 0;
  for (guint k = 0; k < records->len; k++)
    if (having[k] == which)
      g_string_append_printf (out, "%s%s", n++ ? ", " : "",
                              ((const RspRecord *) records->pdata[k])->model);
}

/* ---- States ---- */

/* State text → a string with one letter per record: y if it has the state, n if not. `order`
 * receives the texts in order of appearance. */
static GHashTable *states_by_text (const GPtrArray *records, GPtrArray *order) {
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  for (guint k = 0; k < records->len; k++) {
    const RspRecord *record = records->pdata[k];
    for (guint i = 0; i < record->states->len; i++) {
      gpointer text = (gpointer) rsp_record_state (record, i)->text;
      char *having = g_hash_table_lookup (table, text);
      if (!having) {
        having = g_strnfill (records->len, 'n');
        g_hash_table_insert (table, text, having);
        g_ptr_array_add (order, text);
      }
      having[k] = 'y';
    }
  }
  return table;
}

static void format_group (const GPtrArray *records, const char *having, const GPtrArray *states,
                          GString *out) {
  g_string_append (out, "      ");
  append_names (records, having, 'y', out);
  g_string_append (out, count (having, 'y') == 1 ? " allows" : " allow");
  g_string_append (out, separator (having));
  append_names (records, having, 'n', out);
  g_string_append (out, count (having, 'n') == 1 ? " forbids:\n" : " forbid:\n");
  for (guint i = 0; i < states->len; i++)
    g_string_append_printf (out, "        %s\n", (const char *) states->pdata[i]);
}

static void format_states (const GPtrArray *records, GString *out) {
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autoptr (GPtrArray) groups = g_ptr_array_new (); /* the strings of states_by_text, without
                                                      * duplicates */
  g_autoptr (GHashTable) by_text = states_by_text (records, texts);
  g_autoptr (GHashTable) by_group
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < texts->len; i++) {
    char *having = g_hash_table_lookup (by_text, texts->pdata[i]);
    if (!strchr (having, 'n'))
      continue;
    GPtrArray *states = g_hash_table_lookup (by_group, having);
    if (!states) {
      states = g_ptr_array_new ();
      g_hash_table_insert (by_group, having, states);
      g_ptr_array_add (groups, having);
    }
    g_ptr_array_add (states, texts->pdata[i]);
  }
  for (guint i = 0; i < groups->len; i++)
    format_group (records, groups->pdata[i], g_hash_table_lookup (by_group, groups->pdata[i]), out);
}

/* ---- Flags ---- */

static void format_flag (const GPtrArray *records, const char *flag, GString *out) {
  g_autofree char *having = g_strnfill (records->len, 'n');
  const RspRecord *first = NULL;
  for (guint k = 0; k < records->len; k++)
    if (rsp_record_has_flag (records->pdata[k], flag)) {
      having[k] = 'y';
      first = first ? first : records->pdata[k];
    }
  if (!strchr (having, 'n'))
    return;
  g_string_append (out, "      ");
  append_names (records, having, 'y', out);
  g_string_append_printf (out, " %s %s", count (having, 'y') == 1 ? "sees" : "see", flag);
  rsp_record_format_evidence (first, flag, out);
  g_string_append (out, separator (having));
  append_names (records, having, 'n', out);
  g_string_append (out, count (having, 'n') == 1 ? " does not\n" : " do not\n");
}

static void format_flags (const GPtrArray *records, GString *out) {
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint k = 0; k < records->len; k++) {
    const RspRecord *record = records->pdata[k];
    for (guint i = 0; i < record->flags->len; i++)
      if (g_hash_table_add (seen, record->flags->pdata[i]))
        format_flag (records, record->flags->pdata[i], out);
  }
}

/* Those under which the program is undefined and those under which it is not, if no flag says so.
 */
static void format_undefined (const GPtrArray *records, GString *out) {
  g_autofree char *having = g_strnfill (records->len, 'n');
  for (guint k = 0; k < records->len; k++)
    if (rsp_record_is_undefined (records->pdata[k]))
      having[k] = 'y';
  if (!strchr (having, 'y') || !strchr (having, 'n'))
    return;
  g_string_append (out, "      undefined under ");
  append_names (records, having, 'y', out);
  g_string_append_printf (out, "%snot under ", separator (having));
  append_names (records, having, 'n', out);
  g_string_append_c (out, '\n');
}

/* ---- Devices ---- */

static void format_only_in (const RspRecord *a, const RspRecord *b, GString *out) {
  g_autoptr (GPtrArray) states = rsp_records_only_in (a, b);
  if (states->len)
    g_string_append_printf (out, "      %s %s, %s %s:\n", a->model,
                            a->is_device ? "showed" : "allows", b->model,
                            b->is_device ? "did not show" : "forbids");
  for (guint i = 0; i < states->len; i++)
    g_string_append_printf (out, "        %s\n", (const char *) states->pdata[i]);
}

static void format_devices (const RspSuite *suite, const RspSuiteRow *row, GString *out) {
  for (guint i = 0; i < suite->models->len; i++)
    for (guint k = i + 1; k < suite->models->len; k++) {
      const RspRecord *a = row->cells[i], *b = row->cells[k];
      if (!rsp_records_are_compared (a, b) || !(a->is_device || b->is_device))
        continue;
      format_only_in (a, b, out);
      format_only_in (b, a, out);
    }
}

void diff_format (const RspSuite *suite, const RspSuiteRow *row, GString *out) {
  g_autoptr (GPtrArray) records = finished_models (suite, row, FALSE);
  g_autoptr (GPtrArray) with_states = finished_models (suite, row, TRUE);
  format_states (with_states, out);
  gsize before = out->len;
  format_flags (records, out);
  if (out->len == before)
    format_undefined (records, out);
  format_devices (suite, row, out);
}
