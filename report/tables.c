/* Tables of several models, comparisons, TSV. */
#include "base/base.h"
#include "report/internal.h"
#include "report/record.h"
#include "report/report.h"

#include <errno.h>
#include <string.h>

/* ---- Grid ----------------------------------------------------------------------------------- */

enum {
  GAP = 2 /* blanks between columns */
};

RspGrid grid_new (guint n_columns) {
  return (RspGrid){ g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev),
                    g_new0 (gsize, n_columns), n_columns, FALSE };
}

void grid_clear (RspGrid *grid) {
  g_ptr_array_unref (grid->lines);
  g_free (grid->widths);
}

/* Takes the cells. */
static void grid_add_line (RspGrid *grid, char **cells) {
  g_ptr_array_add (grid->lines, cells);
  for (guint k = 0; k < grid->n_columns; k++)
    grid->widths[k] = MAX (grid->widths[k], (gsize) g_utf8_strlen (cells[k], -1));
}

void grid_add_words (RspGrid *grid, char *title, const char *const *words, guint n) {
  char **cells = g_new0 (char *, n + 2);
  cells[0] = title;
  for (guint i = 0; i < n; i++)
    cells[i + 1] = g_strdup (words[i]);
  grid_add_line (grid, cells);
}

static void grid_add_numbers (RspGrid *grid, char *title, const guint *numbers, guint n) {
  char **cells = g_new0 (char *, n + 2);
  cells[0] = title;
  for (guint i = 0; i < n; i++)
    cells[i + 1] = g_strdup_printf ("%u", numbers[i]);
  grid_add_line (grid, cells);
}

/* Appends a cell of a line, of this width in characters, in colour if it is loud. */
static void grid_format_cell (const char *cell, gsize width, gboolean loud, gboolean latex,
                              GString *out) {
  if (latex) {
    rsp_latex_escape (cell, out);
    g_string_append (out, " & ");
    return;
  }
  gsize length = (gsize) g_utf8_strlen (cell, -1);
  g_string_append (out, loud ? "\033[1;31m" : "");
  g_string_append (out, cell);
  g_string_append (out, loud ? "\033[0m" : "");
  for (gsize i = length; i < width + GAP; i++)
    g_string_append_c (out, ' ');
}

/* Ends the line, without blanks at its end. */
static void grid_end_line (gboolean latex, GString *out) {
  while (out->len && strchr (latex ? " &" : " ", out->str[out->len - 1]))
    g_string_truncate (out, out->len - 1);
  g_string_append (out, latex ? " \\\\\n" : "\n");
}

/* The lines of LaTeX around those of a table. */
static void grid_begin (guint n_columns, gboolean latex, GString *out) {
  g_autofree char *columns = g_strnfill (n_columns, 'l');
  if (latex)
    g_string_append_printf (out, "\\begin{longtable}{@{}%s@{}}\n", columns);
}

static void grid_end (gboolean latex, GString *out) {
  g_string_append (out, latex ? "\\end{longtable}\n" : "");
}

void grid_format (const RspGrid *grid, GString *out) {
  g_string_append_c (out, '\n');
  grid_begin (grid->n_columns, grid->latex, out);
  for (guint i = 0; i < grid->lines->len; i++) {
    char **cells = grid->lines->pdata[i];
    for (guint k = 0; k < grid->n_columns; k++)
      grid_format_cell (cells[k], grid->widths[k], FALSE, grid->latex, out);
    grid_end_line (grid->latex, out);
  }
  grid_end (grid->latex, out);
}

void rsp_rows_format (const GPtrArray *rows, GString *out) {
  RspGrid grid = grid_new (rows->len ? g_strv_length (rows->pdata[0]) : 0);
  for (guint i = 0; i < rows->len; i++)
    grid_add_line (&grid, g_strdupv (rows->pdata[i]));
  grid_format (&grid, out);
  grid_clear (&grid);
}

/* ---- Titles --------------------------------------------------------------------------------- */

/* The titles are name -> path, which is NULL if several tests have the name. */

void rsp_test_titles_add (GHashTable *titles, const char *test, const char *path) {
  gpointer other;
  if (!g_hash_table_lookup_extended (titles, test, NULL, &other))
    g_hash_table_insert (titles, g_strdup (test), g_strdup (path ? path : ""));
  else if (g_strcmp0 (other, path ? path : "") != 0)
    g_hash_table_replace (titles, g_strdup (test), NULL);
}

GHashTable *rsp_test_titles (const GPtrArray *records) {
  GHashTable *titles = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) seen
      = g_hash_table_new (NULL, NULL); /* the path of a log's is the log's */
  for (guint i = 0; records && i < records->len; i++) {
    const RspRecord *record = records->pdata[i];
    if (g_hash_table_add (seen, GUINT_TO_POINTER (record->index)))
      rsp_test_titles_add (titles, record->test, record->path);
  }
  return titles;
}

char *rsp_test_title (GHashTable *titles, const char *test, const char *path) {
  if (!path || g_hash_table_lookup (titles, test))
    return g_strdup (test);
  g_autofree char *visible = rsp_visible_name (path);
  return g_strdup_printf ("%s (%s)", test, visible);
}

/* ---- Relate --------------------------------------------------------------------------------- */

const char *const rsp_relation_titles[RSP_N_RELATIONS]
    = { "weaker", "stronger", "incomparable", "equal", "undefined in one only", "not compared" };

const char *const rsp_judged_names[]
    = { "Agrees", "Racy", "Violation", "Bounded", "NotJudged", NULL };

gboolean rsp_record_has_flag (const RspRecord *record, const char *name) {
  return g_ptr_array_find_with_equal_func (record->flags, name, g_str_equal, NULL);
}

gboolean rsp_record_is_flagged (const RspRecord *record) {
  return record->flags->len > 0 || rsp_record_is_undefined (record);
}

/* Do both have answers? */
static gboolean records_are_compared (const RspRecord *a, const RspRecord *b) {
  return a && b && rsp_record_is_ok (a) && rsp_record_is_ok (b);
}

/* The flags that a has and b does not. */
static GPtrArray *flags_only_in (const RspRecord *a, const RspRecord *b) {
  GPtrArray *flags = g_ptr_array_new ();
  for (guint i = 0; i < a->flags->len; i++)
    if (!rsp_record_has_flag (b, a->flags->pdata[i]))
      g_ptr_array_add (flags, a->flags->pdata[i]);
  return flags;
}

static gboolean raises_more (const RspRecord *a, const RspRecord *b) {
  g_autoptr (GPtrArray) more = flags_only_in (a, b);
  return more->len > 0;
}

gboolean rsp_record_is_undefined_for (const RspRecord *record, const RspRecord *other) {
  if (!(record->unknown & RSP_UNKNOWN_UNDEFINED))
    return rsp_record_is_undefined (record);
  return rsp_record_is_undefined (other) && other->flags->len && !raises_more (other, record);
}

gboolean rsp_record_is_hurried (const RspRecord *record) {
  return record->options && strstr (record->options, "speedcheck=")
         && !strstr (record->options, "speedcheck=false");
}

/* Are two records compared by their states? Not if the program is undefined in one of them,
 * which allows everything, nor under -speedcheck, which looks only for some. */
static gboolean records_compare_states (const RspRecord *a, const RspRecord *b) {
  return !rsp_record_is_undefined_for (a, b) && !rsp_record_is_undefined_for (b, a)
         && !rsp_record_is_hurried (a) && !rsp_record_is_hurried (b);
}

static const char *state_text (const RspRecord *record, guint i) {
  return rsp_record_state (record, i)->text;
}

/* The state's text with 64-bit values as signed numbers, since simulators print the same bits with
 * a sign, without one, or in hexadecimal. */
static char *state_key (const RspRecord *record, guint i) {
  GString *out = g_string_new (NULL);
  for (const char *at = state_text (record, i); *at;) {
    if (!g_ascii_isdigit (*at)) {
      g_string_append_c (out, *at++);
      continue;
    }
    char *end;
    errno = 0;
    guint64 bits = g_ascii_strtoull (at, &end, 10);
    if (errno == 0 && bits > G_MAXINT64 && (out->len == 0 || out->str[out->len - 1] != '-'))
      g_string_append_printf (out, "%" G_GINT64_FORMAT, (gint64) bits);
    else
      g_string_append_len (out, at, end - at);
    at = end;
  }
  return g_string_free (out, FALSE);
}

/* A log may have different states, but two logs that agree have them in the same order. */
static gboolean same_states (const RspRecord *a, const RspRecord *b) {
  if (a->states->len != b->states->len)
    return FALSE;
  for (guint i = 0; i < a->states->len; i++)
    if (!g_str_equal (state_text (a, i), state_text (b, i)))
      return FALSE;
  return TRUE;
}

/* States that a allows and b does not, in a's order: const char *, the record's; none if one has no
 * answer or they are not compared by states. Newly allocated. */
static GPtrArray *records_only_in (const RspRecord *a, const RspRecord *b) {
  GPtrArray *found = g_ptr_array_new ();
  if (!records_are_compared (a, b) || same_states (a, b) || !records_compare_states (a, b))
    return found;
  g_autoptr (GHashTable) theirs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < b->states->len; i++)
    g_hash_table_add (theirs, state_key (b, i));
  for (guint i = 0; i < a->states->len; i++) {
    g_autofree char *key = state_key (a, i);
    if (!g_hash_table_contains (theirs, key))
      g_ptr_array_add (found, (gpointer) state_text (a, i));
  }
  return found;
}

/* TRUE if a allows a state that b forbids. */
static gboolean allows_more (const RspRecord *a, const RspRecord *b) {
  g_autoptr (GPtrArray) states = records_only_in (a, b);
  return states->len > 0;
}

RspSuiteRelation rsp_records_relate (const RspRecord *a, const RspRecord *b) {
  if (!records_are_compared (a, b) || rsp_record_is_hurried (a) || rsp_record_is_hurried (b))
    return RSP_NOT_COMPARED;
  gboolean undefined = rsp_record_is_undefined_for (a, b),
           other = rsp_record_is_undefined_for (b, a);
  if (undefined != other)
    return (a->unknown | b->unknown) & RSP_UNKNOWN_UNDEFINED ? RSP_NOT_COMPARED
                                                             : RSP_UNDEFINED_IN_ONE;
  if (undefined)
    return RSP_EQUAL;
  gboolean more = allows_more (a, b), less = allows_more (b, a);
  return more ? (less ? RSP_INCOMPARABLE : RSP_WEAKER) : less ? RSP_STRONGER : RSP_EQUAL;
}

/* ---- A device and a model ---- */
RspJudged rsp_judge (const RspRecord *seen, const RspRecord *allowed) {
  if (!records_are_compared (seen, allowed))
    return RSP_JUDGED_NOT;
  if (rsp_record_is_undefined (allowed))
    return RSP_JUDGED_RACY;
  g_autoptr (GPtrArray) extra = records_only_in (seen, allowed);
  if (!extra->len)
    return RSP_JUDGED_AGREES;
  /* If unrolling truncated the model's loops, a state that the model lacks may be that of an
   * execution with more rounds, unless the device also dropped those. */
  g_autofree char *option = g_strdup_printf ("unroll=%u ", seen->rounds);
  gboolean same_rounds
      = seen->rounds && allowed->options && g_str_has_prefix (allowed->options, option);
  return allowed->loop && !same_rounds ? RSP_JUDGED_BOUNDED : RSP_JUDGED_VIOLATION;
}

void rsp_judge_record (RspRecord *seen, const RspRecord *allowed) {
  g_autoptr (GPtrArray) not_allowed = records_only_in (seen, allowed);
  g_autoptr (GPtrArray) not_seen = records_only_in (allowed, seen);
  RspJudgement judgement = { .model = allowed->model,
                             .judged = rsp_judge (seen, allowed),
                             .not_allowed = not_allowed,
                             .not_seen = not_seen };
  rsp_record_add_judgement (seen, &judgement);
}

gboolean rsp_record_is_violation (const RspRecord *record) {
  for (guint i = 0; i < record->judgements->len; i++)
    if (g_array_index (record->judgements, RspJudgement, i).judged == RSP_JUDGED_VIOLATION)
      return TRUE;
  return FALSE;
}

/* ---- All ---- */
gboolean rsp_records_differ (const RspRecord *a, const RspRecord *b) {
  if (!a || !b || rsp_record_is_left_out (a) || rsp_record_is_left_out (b))
    return FALSE;
  if (a->status != b->status)
    return TRUE;
  if (!rsp_record_is_ok (a))
    return FALSE;
  if (a->is_device != b->is_device)
    return rsp_judge (a->is_device ? a : b, a->is_device ? b : a) == RSP_JUDGED_VIOLATION;
  if (rsp_record_is_hurried (a) || rsp_record_is_hurried (b))
    return a->observation != b->observation;
  return rsp_records_relate (a, b) != RSP_EQUAL || raises_more (a, b) || raises_more (b, a)
         || (records_compare_states (a, b)
             && (a->observation != b->observation || a->loop != b->loop));
}

/* ---- Change --------------------------------------------------------------------------------- */

void rsp_change_init (RspChange *change, const RspRecord *before, const RspRecord *after) {
  gboolean known = records_are_compared (before, after);
  *change = (RspChange){ .before = before,
                         .after = after,
                         .gained = records_only_in (after, before),
                         .lost = records_only_in (before, after),
                         .flags_gained = known ? flags_only_in (after, before) : g_ptr_array_new (),
                         .flags_lost = known ? flags_only_in (before, after) : g_ptr_array_new () };
}

void rsp_change_clear (RspChange *change) {
  g_ptr_array_unref (change->gained);
  g_ptr_array_unref (change->lost);
  g_ptr_array_unref (change->flags_gained);
  g_ptr_array_unref (change->flags_lost);
}

const char *rsp_change_observation (const RspRecord *record) {
  return !rsp_record_is_ok (record)         ? record->reason
         : rsp_record_is_undefined (record) ? "undefined"
                                            : rsp_observation_names[record->observation];
}

static gboolean same_verdict (const RspChange *change) {
  return strcmp (rsp_change_observation (change->before), rsp_change_observation (change->after))
         == 0;
}

gboolean rsp_change_is_known (const RspChange *change) {
  return records_are_compared (change->before, change->after);
}

gboolean rsp_change_compares_states (const RspChange *change) {
  return records_compare_states (change->before, change->after);
}

gboolean rsp_change_is_none (const RspChange *change) {
  return rsp_change_is_known (change)
         && rsp_records_relate (change->before, change->after) == RSP_EQUAL
         && (same_verdict (change) || !rsp_change_compares_states (change))
         && !change->flags_gained->len && !change->flags_lost->len;
}

char *rsp_change_format_verdict (const RspChange *change) {
  const char *before = rsp_change_observation (change->before);
  return same_verdict (change)
             ? g_strdup (before)
             : g_strdup_printf ("%s -> %s", before, rsp_change_observation (change->after));
}

static void append_flags (const GPtrArray *flags, char sign, GString *out) {
  for (guint i = 0; i < flags->len; i++)
    g_string_append_printf (out, "%s%c%s", out->len ? " " : "", sign,
                            (const char *) flags->pdata[i]);
}

char *rsp_change_format_flags (const RspChange *change) {
  GString *out = g_string_new (NULL);
  append_flags (change->flags_gained, '+', out);
  append_flags (change->flags_lost, '-', out);
  return g_string_free (out, FALSE);
}

void rsp_change_format_states (const RspChange *change, guint indent, GString *out) {
  for (guint i = 0; i < change->gained->len; i++)
    g_string_append_printf (out, "%*s+ %s\n", (int) indent, "",
                            (const char *) change->gained->pdata[i]);
  for (guint i = 0; i < change->lost->len; i++)
    g_string_append_printf (out, "%*s- %s\n", (int) indent, "",
                            (const char *) change->lost->pdata[i]);
}

/* ---- Diff ----------------------------------------------------------------------------------- */

/* Where the models of a comparison differ on one test. */

/* The finished records of the models in a row; or only those whose states can be compared. */
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

/* Between the names and the states or flags: "a allows, b forbids", "a, b allow; c forbids" */
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
static void format_states (const GPtrArray *records, GString *out) {
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autoptr (GPtrArray) groups = g_ptr_array_new (); /* the strings of by_text, each once */
  /* State text → a string with one letter per record: y if it has the state, n if not. */
  g_autoptr (GHashTable) by_text = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  for (guint k = 0; k < records->len; k++) {
    const RspRecord *record = records->pdata[k];
    for (guint i = 0; i < record->states->len; i++) {
      gpointer text = (gpointer) rsp_record_state (record, i)->text;
      char *having = g_hash_table_lookup (by_text, text);
      if (!having) {
        having = g_strnfill (records->len, 'n');
        g_hash_table_insert (by_text, text, having);
        g_ptr_array_add (texts, text);
      }
      having[k] = 'y';
    }
  }
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
  for (guint i = 0; i < groups->len; i++) {
    const char *having = groups->pdata[i];
    const GPtrArray *states = g_hash_table_lookup (by_group, having);
    g_string_append (out, "      ");
    append_names (records, having, 'y', out);
    g_string_append (out, count (having, 'y') == 1 ? " allows" : " allow");
    g_string_append (out, separator (having));
    append_names (records, having, 'n', out);
    g_string_append (out, count (having, 'n') == 1 ? " forbids:\n" : " forbid:\n");
    for (guint k = 0; k < states->len; k++)
      g_string_append_printf (out, "        %s\n", (const char *) states->pdata[k]);
  }
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

/* Names the models under which the program is undefined and those under which it is not, if no
 * flag shows it. */
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
  g_autoptr (GPtrArray) states = records_only_in (a, b);
  if (states->len)
    g_string_append_printf (out, "      %s %s, %s %s:\n", a->model,
                            a->is_device ? "showed" : "allows", b->model,
                            b->is_device ? "did not show" : "forbids");
  for (guint i = 0; i < states->len; i++)
    g_string_append_printf (out, "        %s\n", (const char *) states->pdata[i]);
}

/* Appends the states that some models allow and others forbid, each once under the models that
 * agree about it, and the flags that some raise and others do not. Devices are compared with each
 * model. */
static void diff_format (const RspSuite *suite, const RspSuiteRow *row, GString *out) {
  g_autoptr (GPtrArray) records = finished_models (suite, row, FALSE);
  g_autoptr (GPtrArray) with_states = finished_models (suite, row, TRUE);
  format_states (with_states, out);
  gsize before = out->len;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint k = 0; k < records->len; k++) {
    const RspRecord *record = records->pdata[k];
    for (guint i = 0; i < record->flags->len; i++)
      if (g_hash_table_add (seen, record->flags->pdata[i]))
        format_flag (records, record->flags->pdata[i], out);
  }
  if (out->len == before)
    format_undefined (records, out);
  for (guint i = 0; i < suite->models->len; i++)
    for (guint k = i + 1; k < suite->models->len; k++) {
      const RspRecord *a = row->cells[i], *b = row->cells[k];
      if (!records_are_compared (a, b) || !(a->is_device || b->is_device))
        continue;
      format_only_in (a, b, out);
      format_only_in (b, a, out);
    }
}

/* ---- Soundness ------------------------------------------------------------------------------ */

const char *const rsp_soundness_names[]
    = { "unjudged", "sound", "unsound", "vacuous", "bounded", NULL };

gboolean rsp_soundness_allows (const RspRecord *model, const char *state) {
  for (guint i = 0; i < model->states->len; i++)
    if (rsp_log_state_covers (rsp_record_state (model, i)->text, state))
      return TRUE;
  return FALSE;
}

void rsp_soundness_judge (RspRecord *record, const RspRecord *model) {
  RspMachineReport *report = &record->machine;
  report->allowed_by = g_strdup (model->model);
  report->verdict = RSP_UNJUDGED;
  if (!rsp_record_is_ok (model) || record->status == RSP_STATUS_ERROR)
    return;
  if (rsp_record_is_undefined (model) || report->no_execution) {
    report->verdict = RSP_VACUOUS;
    return;
  }
  g_autoptr (GString) unsound = g_string_new (NULL);
  for (guint i = 0; i < record->states->len; i++) {
    const char *state = rsp_record_state (record, i)->text;
    if (!rsp_soundness_allows (model, state))
      g_string_append_printf (unsound, "%s\n", state);
  }
  report->unsound = unsound->len ? g_strdup (unsound->str) : NULL;
  gboolean bounded = !rsp_record_is_ok (record) || record->loop || model->loop;
  report->verdict = report->unsound ? RSP_UNSOUND : bounded ? RSP_BOUNDED : RSP_SOUND;
}

void rsp_soundness_format (const RspRecord *record, GString *out) {
  const RspMachineReport *report = &record->machine;
  switch (report->verdict) {
  case RSP_SOUND:
    g_string_append_printf (out, "Sound %s\n", record->test);
    break;
  case RSP_UNSOUND: { /* "0:r0=1; is not allowed (nor are 2 more)" */
    g_string_append_printf (out, "Unsound %s: ", record->test);
    gboolean named = report->unsound && *report->unsound; /* a record that was read may lack it */
    g_auto (GStrv) states = g_strsplit (named ? report->unsound : "\n", "\n", -1);
    guint n = g_strv_length (states) - 1;
    g_string_append_printf (out, "%s is not allowed", *states[0] ? states[0] : "a state");
    if (n > 1)
      g_string_append_printf (out, " (nor are %u more)", n - 1);
    g_string_append_c (out, '\n');
    break;
  }
  case RSP_VACUOUS:
    g_string_append_printf (out, "Vacuous %s: %s under the model\n", record->test,
                            report->no_execution ? "no execution" : "racy");
    break;
  case RSP_BOUNDED:
    g_string_append_printf (out, "Bounded %s: %s\n", record->test,
                            record->reason ? record->reason : "a loop was cut");
    break;
  default:
    break;
  }
  if (report->deadlock)
    g_string_append_printf (out, "Deadlock %s\n", record->test);
  if (report->violated)
    g_string_append_printf (out, "Invariant %s: %s fails\n", record->test, report->violated);
}

/* ---- Tsv ------------------------------------------------------------------------------------ */

/* A record as a row of expected.tsv, and of -tsv. */

const char *const rsp_tsv_columns[RSP_TSV_COLUMNS]
    = { "model", "test", "observation", "positive", "negative", "states", "flags" };

/* The flags raised, separated by commas, in alphabetical order, which does not depend on the
 * model. "-": none; "undefined": a log does not say which. */
static char *tsv_flags (const RspRecord *record) {
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
                                       [RSP_STATUS_ERROR] = "Error",
                                       [RSP_STATUS_LEFT_OUT] = "LeftOut" };
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
  cells[6] = tsv_flags (record);
  return cells;
}

void rsp_tsv_format_header (GString *out) {
  for (guint i = 0; i < RSP_TSV_COLUMNS; i++)
    g_string_append_printf (out, "%s%s", i ? "\t" : "", rsp_tsv_columns[i]);
  g_string_append_c (out, '\n');
}

void rsp_tsv_format (const RspRecord *record, const char *title, GString *out) {
  g_auto (GStrv) cells = rsp_tsv_cells (record);
  g_free (cells[1]);
  cells[1] = g_strdup (title);
  g_autofree char *line = g_strjoinv ("\t", cells);
  g_string_append (out, line);
  g_string_append_c (out, '\n');
}

/* ---- Compare -------------------------------------------------------------------------------- */

/* A model, and how it relates to every other one in the rows so far. */
typedef struct Column {
  char *label;
  gboolean is_device;
  gsize width; /* of its cells and its heading */
  guint totals[RSP_N_TOTALS];
  GArray *pairs; /* of Pair, one per column; may be missing for columns that share no row */
} Column;

/* The number of rows of each kind. */
typedef struct Pair {
  guint relations[RSP_N_RELATIONS];
  guint judgements[RSP_N_JUDGED]; /* of this device by the other model */
} Pair;

/* A test's line. */
typedef struct Line {
  const char *test, *path;
  gboolean differs;
  const char *cells; /* consecutive texts, of the first n_columns columns; the first byte of each
                      * tells whether it is LOUD */
  const char *diff;  /* the text that follows the line, or NULL */
  guint n_columns;
} Line;

enum { LOUD = '*', CALM = ' ' };

struct RspComparison {
  RspTableStyle style;
  GPtrArray *columns; /* of Column, in order of appearance */
  char *sentences;    /* of the only row; NULL if there are several */
  guint n_rows, n_differing;
  GHashTable *titles;  /* see rsp_test_title */
  GArray *lines;       /* of Line: the rows that are shown */
  GStringChunk *texts; /* theirs */
};

static const char heading[] = "  Test";

/* ---- Columns ---- */
static void free_column (gpointer data) {
  Column *column = data;
  g_free (column->label);
  g_array_unref (column->pairs);
  g_free (column);
}

static Column *get_column (const RspComparison *comparison, guint k) {
  return comparison->columns->pdata[k];
}

/* The column of a record's model, which is added if it is missing. */
static guint find_column (RspComparison *comparison, const RspRecord *record) {
  for (guint k = 0; k < comparison->columns->len; k++)
    if (g_str_equal (get_column (comparison, k)->label, record->model))
      return k;
  Column *column = g_new0 (Column, 1);
  column->label = g_strdup (record->model);
  column->is_device = record->is_device;
  column->width = (gsize) g_utf8_strlen (record->model, -1);
  column->pairs = g_array_new (FALSE, TRUE, sizeof (Pair));
  g_ptr_array_add (comparison->columns, column);
  return comparison->columns->len - 1;
}

/* ---- Cells ---- */
/* "Sometimes 1/15 data_race", "Loop Never 0/3", "Timeout"; "-" without a record. */
static void append_text (const RspSuite *row, const RspRecord *record, GString *cells) {
  gboolean finished = record && rsp_record_is_ok (record);
  g_string_append (cells, finished && record->loop ? "Loop " : "");
  g_string_append (cells, record ? rsp_tsv_verdict_word (record) : "-");
  if (!finished)
    return;
  if (!(record->unknown & RSP_UNKNOWN_COUNTS)) {
    g_string_append_c (cells, ' ');
    rsp_count_format (record->positive, cells);
    g_string_append_c (cells, '/');
    rsp_count_format (record->negative, cells);
    if (record->undetermined) {
      g_string_append (cells, ", ");
      rsp_count_format (record->undetermined, cells);
      g_string_append (cells, " undetermined");
    }
  }
  if (rsp_record_is_flagged (record)) {
    g_autofree char *flags = tsv_flags (record);
    g_string_append_c (cells, ' ');
    g_string_append (cells, flags);
  }
  if (record->is_device) {
    g_autofree char *judgements = suite_judgements (row, suite_row (row, 0), record);
    g_string_append (cells, *judgements ? " " : "");
    g_string_append (cells, judgements);
  }
}

/* cells: one per column of the comparison. A test that all leave out has no line. */
static void compare_add_line (RspComparison *comparison, const RspSuite *row,
                              const RspRecord *const *cells) {
  const RspRecord *first = suite_first (row, suite_row (row, 0));
  gboolean differs = suite_row (row, 0)->differs;
  Line line = { .differs = differs, .n_columns = comparison->columns->len };
  gboolean kept = FALSE;
  g_autoptr (GString) texts = g_string_new (NULL);
  rsp_test_titles_add (comparison->titles, first->test, first->path);
  for (guint k = 0; k < line.n_columns; k++) {
    gboolean loud = comparison->style.colour && rsp_records_differ (first, cells[k]);
    g_string_append_c (texts, loud ? LOUD : CALM);
    gsize begin = texts->len;
    append_text (row, cells[k], texts);
    kept |= cells[k] && !rsp_record_is_left_out (cells[k]);
    gsize *width = &get_column (comparison, k)->width;
    *width = MAX (*width, (gsize) g_utf8_strlen (texts->str + begin, -1));
    g_string_append_c (texts, '\0');
  }
  if (!kept || (comparison->style.only_diff && !differs))
    return;
  line.test = g_string_chunk_insert (comparison->texts, first->test);
  line.path = g_string_chunk_insert (comparison->texts, first->path);
  line.cells = g_string_chunk_insert_len (comparison->texts, texts->str, (gssize) texts->len);
  if (comparison->style.only_diff) {
    g_autoptr (GString) diff = g_string_new (NULL);
    diff_format (row, suite_row (row, 0), diff);
    line.diff = diff->len ? g_string_chunk_insert (comparison->texts, diff->str) : NULL;
  }
  g_array_append_val (comparison->lines, line);
}

/* ---- Rows ---- */
RspComparison *rsp_comparison_new (const RspTableStyle *style) {
  RspComparison *comparison = g_new0 (RspComparison, 1);
  comparison->style = *style;
  comparison->titles = rsp_test_titles (NULL);
  comparison->columns = g_ptr_array_new_with_free_func (free_column);
  comparison->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  comparison->texts = g_string_chunk_new (4096);
  return comparison;
}

void rsp_comparison_free (RspComparison *comparison) {
  if (!comparison)
    return;
  g_free (comparison->sentences);
  g_ptr_array_unref (comparison->columns);
  g_hash_table_unref (comparison->titles);
  g_array_unref (comparison->lines);
  g_string_chunk_free (comparison->texts);
  g_free (comparison);
}

void rsp_comparison_add (RspComparison *comparison, const GPtrArray *records) {
  g_autoptr (RspSuite) row = suite_new (records);
  for (guint i = 0; i < records->len; i++)
    find_column (comparison, records->pdata[i]);
  g_autofree const RspRecord **cells = g_new0 (const RspRecord *, comparison->columns->len);
  for (guint i = 0; i < records->len; i++)
    cells[find_column (comparison, records->pdata[i])] = records->pdata[i];
  g_clear_pointer (&comparison->sentences, g_free);
  if (comparison->n_rows++ == 0)
    comparison->sentences
        = rsp_records_sentences ((const RspRecord *const *) records->pdata, records->len);
  comparison->n_differing += suite_row (row, 0)->differs;
  compare_add_line (comparison, row, cells);
  guint n = comparison->columns->len;
  for (guint a = 0; a < n; a++) {
    Column *column = get_column (comparison, a);
    const RspRecord *record = cells[a];
    if (!record)
      continue;
    count_record (record, column->totals);
    for (guint b = 0; b < n; b++) {
      const RspRecord *other = cells[b];
      if (b == a || !other)
        continue;
      g_array_set_size (column->pairs, MAX (column->pairs->len, b + 1));
      Pair *pair = &g_array_index (column->pairs, Pair, b);
      pair->relations[rsp_records_relate (record, other)]++;
      if (record->is_device && !other->is_device)
        pair->judgements[rsp_judge (record, other)]++;
    }
  }
}

/* ---- The whole ---- */
/* The relation of column a to column b. Rows that only one of them has are not compared. */
static Pair get_pair (const RspComparison *comparison, guint a, guint b) {
  const Column *column = get_column (comparison, a);
  Pair pair = b < column->pairs->len ? g_array_index (column->pairs, Pair, b) : (Pair){ 0 };
  guint related = 0, judged = 0;
  for (guint i = 0; i < RSP_N_RELATIONS; i++)
    related += pair.relations[i];
  for (guint i = 0; i < RSP_N_JUDGED; i++)
    judged += pair.judgements[i];
  pair.relations[RSP_NOT_COMPARED] += comparison->n_rows - related;
  pair.judgements[RSP_JUDGED_NOT] += comparison->n_rows - judged;
  return pair;
}

static void format_judgements (const RspComparison *comparison, GString *out) {
  guint n = comparison->columns->len;
  RspGrid grid = grid_new (RSP_N_JUDGED + 1);
  grid.latex = comparison->style.latex;
  grid_add_words (&grid, g_strdup ("Device"), rsp_judged_names, RSP_N_JUDGED);
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      if (get_column (comparison, a)->is_device && !get_column (comparison, b)->is_device) {
        const Column *device = get_column (comparison, a), *model = get_column (comparison, b);
        const Pair pair = get_pair (comparison, a, b);
        grid_add_numbers (&grid, g_strdup_printf ("%s under %s", device->label, model->label),
                          pair.judgements, RSP_N_JUDGED);
      }
  if (grid.lines->len > 1)
    grid_format (&grid, out);
  grid_clear (&grid);
}

static void append_prose (const RspComparison *comparison, const char *text, GString *out) {
  if (comparison->style.latex)
    rsp_latex_escape (text, out);
  else
    g_string_append (out, text);
}

static void format_pairs (const RspComparison *comparison, GString *out) {
  guint n = comparison->columns->len;
  RspGrid grid = grid_new (RSP_N_RELATIONS + 1);
  grid.latex = comparison->style.latex;
  g_autoptr (GString) same = g_string_new (NULL);
  grid_add_words (&grid, g_strdup ("Pair"), rsp_relation_titles, RSP_N_RELATIONS);
  for (guint a = 0; a < n; a++)
    for (guint b = a + 1; b < n; b++) {
      const Column *first = get_column (comparison, a), *second = get_column (comparison, b);
      if (first->is_device || second->is_device)
        continue;
      const Pair pair = get_pair (comparison, a, b);
      grid_add_numbers (&grid, g_strdup_printf ("%s to %s", first->label, second->label),
                        pair.relations, RSP_N_RELATIONS);
      if (is_indistinguishable (pair.relations, comparison->n_rows))
        g_string_append_printf (
            same, "%s and %s are indistinguishable on this suite%s.\n", first->label, second->label,
            pair.relations[RSP_NOT_COMPARED] ? ", as far as both were checked" : "");
    }
  if (grid.lines->len > 1)
    grid_format (&grid, out);
  if (same->len) {
    g_string_append_c (out, '\n');
    append_prose (comparison, same->str, out);
  }
  grid_clear (&grid);
}

void rsp_comparison_format (const RspComparison *comparison, GString *out) {
  if (!comparison->n_rows) /* nothing could be read; diagnostics have the reasons */
    return;
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  gsize width = strlen (heading);
  gboolean latex = comparison->style.latex;
  for (guint i = 0; i < comparison->lines->len; i++) {
    const Line *line = &g_array_index (comparison->lines, Line, i);
    g_autofree char *title = rsp_test_title (comparison->titles, line->test, line->path);
    char *cell = g_strconcat (line->differs ? "* " : "  ", title, NULL);
    g_ptr_array_add (titles, cell);
    width = MAX (width, (gsize) g_utf8_strlen (cell, -1));
  }
  grid_begin (comparison->columns->len + 1, latex, out);
  grid_format_cell (heading, width, FALSE, latex, out);
  for (guint k = 0; k < comparison->columns->len; k++) {
    const Column *column = get_column (comparison, k);
    grid_format_cell (column->label, column->width, FALSE, latex, out);
  }
  grid_end_line (latex, out);
  for (guint i = 0; i < comparison->lines->len; i++) {
    const Line *line = &g_array_index (comparison->lines, Line, i);
    const char *next = line->cells;
    grid_format_cell (titles->pdata[i], width, FALSE, latex, out);
    for (guint k = 0; k < comparison->columns->len; k++) {
      static const char none[] = { CALM, '-', '\0' };
      const char *cell = k < line->n_columns ? next : none;
      grid_format_cell (cell + 1, get_column (comparison, k)->width, *cell == LOUD, latex, out);
      next += strlen (next) + 1;
    }
    grid_end_line (latex, out);
    g_string_append (out, line->diff ? line->diff : "");
  }
  grid_end (latex, out);
  guint rows = comparison->n_rows, differing = comparison->n_differing;
  const char *sentences = comparison->sentences, *gap = latex ? "\n\n" : "\n";
  g_autofree char *summary = g_strdup_printf (
      "\n%s%s%u test%s, %u differ%s\n", sentences ? sentences : "", sentences ? gap : "", rows,
      rows == 1 ? "" : "s", differing, differing == 1 ? "s" : "");
  append_prose (comparison, summary, out);
  guint left_out = 0;
  for (guint k = 0; k < comparison->columns->len; k++)
    left_out += get_column (comparison, k)->totals[RSP_TOTAL_LEFT_OUT];
  guint n_totals = left_out ? RSP_N_TOTALS : RSP_TOTAL_LEFT_OUT;
  RspGrid grid = grid_new (n_totals + 1);
  grid.latex = latex;
  grid_add_words (&grid, g_strdup ("Model"), rsp_total_titles, n_totals);
  for (guint k = 0; k < comparison->columns->len; k++) {
    const Column *column = get_column (comparison, k);
    grid_add_numbers (&grid, g_strdup (column->label), column->totals, n_totals);
  }
  grid_format (&grid, out);
  grid_clear (&grid);
  format_judgements (comparison, out);
  format_pairs (comparison, out);
}
