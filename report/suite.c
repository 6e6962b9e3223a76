#include "report/suite.h"
#include "report/judge.h"

#include <errno.h>

const char *const rsp_relation_titles[RSP_N_RELATIONS]
    = { "weaker", "stronger", "incomparable", "equal", "undefined in one only", "not compared" };

const char *const rsp_total_titles[RSP_N_TOTALS]
    = { "Never", "Sometimes", "Always", "flagged", "Loop", "unfinished" };

/* ---- Cells ---- */

gboolean
rsp_record_has_flag (const RspRecord *record, const char *name)
{
  return g_ptr_array_find_with_equal_func (record->flags, name, g_str_equal, NULL);
}

gboolean
rsp_record_is_flagged (const RspRecord *record)
{
  return record->flags->len > 0 || rsp_record_is_undefined (record);
}

gboolean
rsp_records_are_compared (const RspRecord *a, const RspRecord *b)
{
  return a && b && rsp_record_is_ok (a) && rsp_record_is_ok (b);
}

static const char *
state_text (const RspRecord *record, guint i)
{
  return rsp_record_state (record, i)->text;
}

/* Appends the number whose digits text begins with: as 64 bits with a sign, if it fits into 64 bits and has
 * none. Returns what follows. */
static const char *
append_signed (const char *text, GString *out)
{
  char *end;
  errno = 0;
  guint64 bits = g_ascii_strtoull (text, &end, 10);
  if (errno == 0 && bits > G_MAXINT64 && (out->len == 0 || out->str[out->len - 1] != '-'))
    g_string_append_printf (out, "%" G_GINT64_FORMAT, (gint64) bits);
  else
    g_string_append_len (out, text, end - text);
  return end;
}

/* The state's text with 64-bit values as signed numbers, since simulators print the same bits with
 * a sign, without one, or in hexadecimal. */
static char *
state_key (const RspRecord *record, guint i)
{
  GString *out = g_string_new (NULL);
  for (const char *at = state_text (record, i); *at;)
    if (g_ascii_isdigit (*at))
      at = append_signed (at, out);
    else
      g_string_append_c (out, *at++);
  return g_string_free (out, FALSE);
}

/* A log may have different states, but two logs that agree have them in the same order. */
static gboolean
same_states (const RspRecord *a, const RspRecord *b)
{
  if (a->states->len != b->states->len)
    return FALSE;
  for (guint i = 0; i < a->states->len; i++)
    if (!g_str_equal (state_text (a, i), state_text (b, i)))
      return FALSE;
  return TRUE;
}

GPtrArray *
rsp_records_only_in (const RspRecord *a, const RspRecord *b)
{
  GPtrArray *found = g_ptr_array_new ();
  if (same_states (a, b))
    return found;
  g_autoptr (GHashTable) theirs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < b->states->len; i++)
    g_hash_table_add (theirs, state_key (b, i));
  for (guint i = 0; i < a->states->len; i++)
    {
      g_autofree char *key = state_key (a, i);
      if (!g_hash_table_contains (theirs, key))
        g_ptr_array_add (found, (gpointer) state_text (a, i));
    }
  return found;
}

/* Does a allow a state that b forbids? */
static gboolean
allows_more (const RspRecord *a, const RspRecord *b)
{
  g_autoptr (GPtrArray) states = rsp_records_only_in (a, b);
  return states->len > 0;
}

static gboolean
raises_more (const RspRecord *a, const RspRecord *b)
{
  for (guint i = 0; i < a->flags->len; i++)
    if (!rsp_record_has_flag (b, a->flags->pdata[i]))
      return TRUE;
  return FALSE;
}

RspSuiteRelation
rsp_records_relate (const RspRecord *a, const RspRecord *b)
{
  if (!rsp_records_are_compared (a, b))
    return RSP_NOT_COMPARED;
  gboolean known = !((a->unknown | b->unknown) & RSP_UNKNOWN_UNDEFINED);
  if (known && rsp_record_is_undefined (a) != rsp_record_is_undefined (b))
    return RSP_UNDEFINED_IN_ONE;
  gboolean more = allows_more (a, b), less = allows_more (b, a);
  return more ? (less ? RSP_INCOMPARABLE : RSP_WEAKER) : less ? RSP_STRONGER : RSP_EQUAL;
}

gboolean
rsp_records_differ (const RspRecord *a, const RspRecord *b)
{
  if (!a || !b)
    return FALSE;
  if (a->status != b->status)
    return TRUE;
  if (!rsp_record_is_ok (a))
    return FALSE;
  if (a->is_device != b->is_device)
    return rsp_judge (a->is_device ? a : b, a->is_device ? b : a) == RSP_JUDGED_VIOLATION;
  return rsp_records_relate (a, b) != RSP_EQUAL || raises_more (a, b) || raises_more (b, a)
         || a->observation != b->observation || a->loop != b->loop;
}

/* ---- Building ---- */

static void
clear_row (gpointer data)
{
  RspSuiteRow *row = data;
  g_free (row->cells);
}

static guint
column_of (const RspSuite *suite, const RspRecord *record)
{
  guint column = 0;
  g_ptr_array_find_with_equal_func (suite->models, record->model, g_str_equal, &column);
  return column;
}

static void
add_columns (RspSuite *suite, const GPtrArray *records)
{
  for (guint i = 0; i < records->len; i++)
    {
      const RspRecord *record = records->pdata[i];
      if (!g_ptr_array_find_with_equal_func (suite->models, record->model, g_str_equal, NULL))
        g_ptr_array_add (suite->models, record->model);
    }
}

static void
add_rows (RspSuite *suite, const GPtrArray *records)
{
  const RspRecord *last = NULL;
  for (guint i = 0; i < records->len; i++)
    {
      const RspRecord *record = records->pdata[i];
      if (!last || last->index != record->index)
        {
          RspSuiteRow row = { g_new0 (const RspRecord *, suite->models->len), FALSE };
          g_array_append_val (suite->rows, row);
        }
      RspSuiteRow *row = &g_array_index (suite->rows, RspSuiteRow, suite->rows->len - 1);
      row->cells[column_of (suite, record)] = record;
      last = record;
    }
}

static void
mark_differences (RspSuite *suite)
{
  for (guint r = 0; r < suite->rows->len; r++)
    {
      RspSuiteRow *row = &g_array_index (suite->rows, RspSuiteRow, r);
      for (guint k = 1; k < suite->models->len; k++)
        row->differs |= rsp_records_differ (rsp_suite_first (suite, row), row->cells[k]);
    }
}

RspSuite *
rsp_suite_new (const GPtrArray *records)
{
  RspSuite *suite = g_new0 (RspSuite, 1);
  suite->models = g_ptr_array_new ();
  suite->rows = g_array_new (FALSE, TRUE, sizeof (RspSuiteRow));
  g_array_set_clear_func (suite->rows, clear_row);
  add_columns (suite, records);
  add_rows (suite, records);
  mark_differences (suite);
  return suite;
}

void
rsp_suite_free (RspSuite *suite)
{
  if (!suite)
    return;
  g_ptr_array_unref (suite->models);
  g_array_unref (suite->rows);
  g_free (suite);
}

/* ---- Attempt ---- */

const RspSuiteRow *
rsp_suite_row (const RspSuite *suite, guint i)
{
  return &g_array_index (suite->rows, RspSuiteRow, i);
}

const RspRecord *
rsp_suite_first (const RspSuite *suite, const RspSuiteRow *row)
{
  for (guint k = 0; k < suite->models->len; k++)
    if (row->cells[k])
      return row->cells[k];
  g_assert_not_reached (); /* does a record make a row? */
}

guint
rsp_suite_count_differing (const RspSuite *suite)
{
  guint differing = 0;
  for (guint r = 0; r < suite->rows->len; r++)
    differing += rsp_suite_row (suite, r)->differs;
  return differing;
}

void
rsp_record_count (const RspRecord *record, guint totals[RSP_N_TOTALS])
{
  if (!rsp_record_is_ok (record))
    {
      totals[RSP_TOTAL_UNFINISHED]++;
      return;
    }
  for (guint i = RSP_TOTAL_NEVER; i <= RSP_TOTAL_ALWAYS; i++)
    totals[i] += record->observation == i - RSP_TOTAL_NEVER;
  totals[RSP_TOTAL_FLAGGED] += rsp_record_is_flagged (record);
  totals[RSP_TOTAL_LOOP] += record->loop;
}

void
rsp_suite_total (const RspSuite *suite, guint k, guint totals[RSP_N_TOTALS])
{
  for (guint i = 0; i < RSP_N_TOTALS; i++)
    totals[i] = 0;
  for (guint r = 0; r < suite->rows->len; r++)
    {
      const RspRecord *record = rsp_suite_row (suite, r)->cells[k];
      if (record)
        rsp_record_count (record, totals);
    }
}

void
rsp_suite_relate (const RspSuite *suite, guint a, guint b, guint found[RSP_N_RELATIONS])
{
  for (guint i = 0; i < RSP_N_RELATIONS; i++)
    found[i] = 0;
  for (guint r = 0; r < suite->rows->len; r++)
    {
      const RspSuiteRow *row = rsp_suite_row (suite, r);
      found[rsp_records_relate (row->cells[a], row->cells[b])]++;
    }
}

char *
rsp_suite_judgements (const RspSuite *suite, const RspSuiteRow *row, const RspRecord *record)
{
  GString *text = g_string_new (NULL);
  for (guint k = 0; record->is_device && k < suite->models->len; k++)
    if (row->cells[k] && !row->cells[k]->is_device)
      g_string_append_printf (text, "%s%s", text->len ? "/" : "",
                              rsp_judged_names[rsp_judge (record, row->cells[k])]);
  return g_string_free (text, FALSE);
}

gboolean
rsp_is_indistinguishable (const guint found[RSP_N_RELATIONS], guint n_rows)
{
  return found[RSP_EQUAL] && found[RSP_EQUAL] + found[RSP_NOT_COMPARED] == n_rows;
}
