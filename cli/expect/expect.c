#include "cli/expect/expect.h"
#include "cli/expect/edits.h"
#include "report/tables/tsv.h"

#include <string.h>

/* The name of standard input, which is never rewritten. */
static const char standard_input[] = "<stdin>";

/* A word of a comment or of a file of kinds may apply to several models or tests. */
enum WordUse { WORD_AGREED = 1, WORD_DIFFERED = 2 };

struct CliComparison {
  CliExpectations *expectations;
  CliEdits *edits;
  GString *unfinished;     /* lines */
  GHashTable *seen;        /* "table's path\ttest" */
  GHashTable *words;       /* "file:offset" of an expectation -> WordUse, the results for it */
  const CliTable *without; /* a table that does not exist but would have the row of a test; or
                            * NULL */
  GHashTable *results; /* "table's path\ttest\tmodel" -> the first path and its cells, two lines */
  guint n_passed, n_differing, n_unfinished;
  guint n_clashing; /* number of unfinished tests that contradict another one of their name */
};

CliComparison *cli_comparison_new (CliExpectations *expectations) {
  CliComparison *comparison = g_new0 (CliComparison, 1);
  comparison->expectations = expectations;
  comparison->edits = cli_edits_new ();
  cli_edits_forbid (comparison->edits, standard_input);
  comparison->unfinished = g_string_new (NULL);
  comparison->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  comparison->words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  comparison->results = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  return comparison;
}

void cli_comparison_free (CliComparison *comparison) {
  if (!comparison)
    return;
  g_ptr_array_unref (comparison->edits);
  g_string_free (comparison->unfinished, TRUE);
  g_hash_table_unref (comparison->seen);
  g_hash_table_unref (comparison->words);
  g_hash_table_unref (comparison->results);
  g_free (comparison);
}

/* ---- One expectation ---- */

/* "litmus/MP.litmus:3: MP under own: Timeout after 60 s" */
static void note_unfinished (CliComparison *comparison, const char *path, guint line,
                             const RspRecord *record, const char *reason) {
  g_autofree char *number = line ? g_strdup_printf (":%u", line) : g_strdup ("");
  gboolean read = record->source != NULL;
  comparison->n_unfinished++;
  g_string_append_printf (comparison->unfinished, "%s%s: %s%sunder %s: %s\n", path, number,
                          read ? record->test : "", read ? " " : "", record->model, reason);
}

static char *seen_key (const CliFolder *folder, const char *test) {
  return g_strdup_printf ("%s\t%s", folder->table->path, test);
}

/* Records that the line at span should be text. */
static void note_difference (CliComparison *comparison, RspSpan line, const char *text,
                             const RspRecord *record) {
  g_autofree char *old = rsp_span_text (line);
  g_autofree char *what = g_strdup_printf ("%s under %s", record->test, record->model);
  comparison->n_differing++;
  cli_edits_change (comparison->edits, line.source->name, rsp_span_line (line), old, text, what);
}

/* Records that the line agrees with one result but not with another. */
static void keep_line (CliComparison *comparison, RspSpan line) {
  g_autofree char *old = rsp_span_text (line);
  cli_edits_change (comparison->edits, line.source->name, rsp_span_line (line), old, old, NULL);
}

/* The whole line around a span. */
static RspSpan line_around (RspSpan span) {
  const char *text = span.source->text;
  while (span.begin && text[span.begin - 1] != '\n')
    span.begin--;
  span.end = span.begin + (guint) strcspn (text + span.begin, "\n");
  return span;
}

/* Records whether a result agrees with a word. TRUE if both cases have occurred, so that no single
 * word can be right. */
static gboolean is_disputed (CliComparison *comparison, RspSpan word, gboolean agrees) {
  char *key = g_strdup_printf ("%s:%u", word.source->name, word.begin);
  guint use = GPOINTER_TO_UINT (g_hash_table_lookup (comparison->words, key));
  use |= agrees ? WORD_AGREED : WORD_DIFFERED;
  g_hash_table_replace (comparison->words, key, GUINT_TO_POINTER (use));
  return use == (WORD_AGREED | WORD_DIFFERED);
}

/* The word at span is the expectation. agrees: the result agrees with it; otherwise it should be
 * `found`. */
static void judge_word (CliComparison *comparison, RspSpan word, gboolean agrees, const char *found,
                        const RspRecord *record) {
  if (!rsp_record_is_ok (record))
    note_unfinished (comparison, word.source->name, rsp_span_line (word), record, record->reason);
  else {
    RspSpan line = line_around (word);
    const char *text = word.source->text;
    gboolean disputed = is_disputed (comparison, word, agrees);
    g_autofree char *new
        = g_strdup_printf ("%.*s%s%.*s", (int) (word.begin - line.begin), text + line.begin, found,
                           (int) (line.end - word.end), text + word.end);
    if (agrees)
      comparison->n_passed++;
    else
      note_difference (comparison, line, new, record);
    if (disputed)
      keep_line (comparison, line);
  }
}

static void judge_row (CliComparison *comparison, const CliTable *table, const CliRow *row,
                       const RspRecord *record) {
  g_auto (GStrv) found = rsp_tsv_cells (record);
  if (!rsp_record_is_ok (record))
    note_unfinished (comparison, table->path, rsp_span_line (row->span), record, record->reason);
  else if (cli_row_agrees (row, found))
    comparison->n_passed++;
  else {
    g_autofree char *text = cli_row_promoted (row, found);
    note_difference (comparison, row->span, text, record);
  }
}

/* ---- All expectations about one record ---- */

static gboolean judge_table (CliComparison *comparison, const RspRecord *record) {
  const CliFolder *folder = cli_expectations_folder (comparison->expectations, record->path);
  const CliRow *row = folder ? cli_table_find (folder->table, record->test, record->model) : NULL;
  if (row)
    judge_row (comparison, folder->table, row, record);
  return row != NULL;
}

static gboolean judge_claims (CliComparison *comparison, const RspRecord *record) {
  const char *path = g_str_equal (record->path, "-") ? standard_input : record->path;
  g_autoptr (RspSource) source
      = rsp_source_new (path, g_strdup (record->source), strlen (record->source));
  g_autoptr (RspDiagnostics) reported = rsp_diagnostics_new (); /* reported when the test was run */
  g_autoptr (GArray) claims = cli_claims_read (source, reported);
  gboolean any = FALSE;
  for (guint i = 0; i < claims->len; i++) {
    const CliClaim *claim = &g_array_index (claims, CliClaim, i);
    if (!cli_expectations_about (comparison->expectations, claim->model, record->model))
      continue;
    any = TRUE;
    judge_word (comparison, claim->span, claim->observation == record->observation,
                rsp_observation_names[record->observation], record);
  }
  return any;
}

/* Allowed: in some execution; Forbidden: in none; Required: in all. */
static gboolean kind_agrees (RspQuantifier quantifier, RspcheckObservation observation) {
  switch (quantifier) {
  case RSP_EXISTS:
    return observation != RSPCHECK_NEVER;
  case RSP_NOT_EXISTS:
    return observation == RSPCHECK_NEVER;
  default:
    return observation == RSPCHECK_ALWAYS;
  }
}

static gboolean judge_kind (CliComparison *comparison, const RspRecord *record) {
  const CliKind *kind = cli_expectations_kind (comparison->expectations, record->test);
  if (!kind || !cli_expectations_about (comparison->expectations, NULL, record->model))
    return FALSE;
  judge_word (comparison, kind->span, kind_agrees (kind->quantifier, record->observation),
              record->observation == RSPCHECK_NEVER ? "Forbidden" : "Allowed", record);
  return TRUE;
}

/* There is no expectation: a row is missing. It may be in a table that could not be read
 * completely. */
static void note_missing (CliComparison *comparison, const RspRecord *record) {
  const CliFolder *folder = cli_expectations_folder (comparison->expectations, record->path);
  if (!rsp_record_is_ok (record)) {
    note_unfinished (comparison, record->path, 0, record, record->reason);
    return;
  }
  if (folder && !folder->table->sound) {
    g_autofree char *reason
        = g_strdup_printf ("no row in the readable part of %s", folder->table->path);
    note_unfinished (comparison, record->path, 0, record, reason);
    return;
  }
  comparison->n_differing++;
  if (folder && !folder->table->source)
    comparison->without = folder->table;
  g_autofree char *head = g_strjoinv ("\t", (char **) rsp_tsv_columns);
  g_auto (GStrv) found = rsp_tsv_cells (record);
  g_autofree char *line = g_strjoinv ("\t", found);
  cli_edits_append (comparison->edits, folder ? folder->table->path : standard_input, head, line);
}

/* A test that cannot be read may have any name: it is recorded as "". */
static void note_seen (CliComparison *comparison, const RspRecord *record) {
  const CliFolder *folder = cli_expectations_folder (comparison->expectations, record->path);
  if (folder)
    g_hash_table_add (comparison->seen, seen_key (folder, record->source ? record->test : ""));
}

/* All tests of the same name in a folder share one row, so they have to agree. FALSE if this one
 * does not. */
static gboolean check_name (CliComparison *comparison, const RspRecord *record) {
  const CliFolder *folder = cli_expectations_folder (comparison->expectations, record->path);
  if (!folder || !rsp_record_is_ok (record))
    return TRUE;
  g_auto (GStrv) cells = rsp_tsv_cells (record);
  g_autofree char *line = g_strjoinv ("\t", cells);
  char *key = g_strdup_printf ("%s\t%s\t%s", folder->table->path, record->test, record->model);
  const char *first = g_hash_table_lookup (comparison->results, key);
  if (!first) {
    g_hash_table_insert (comparison->results, key, g_strdup_printf ("%s\n%s", record->path, line));
    return TRUE;
  }
  g_free (key);
  const char *found = strchr (first, '\n') + 1;
  if (g_str_equal (found, line))
    return TRUE;
  g_autofree char *reason
      = g_strdup_printf ("a different result than %.*s, which is a test of the same name",
                         (int) (found - first - 1), first);
  note_unfinished (comparison, record->path, 0, record, reason);
  comparison->n_clashing++;
  return FALSE;
}

void cli_comparison_take (CliComparison *comparison, const RspRecord *record) {
  note_seen (comparison, record);
  if (!record->source) {
    note_unfinished (comparison, record->path, 0, record, record->reason);
    return;
  }
  if (!check_name (comparison, record))
    return;
  gboolean judged = judge_table (comparison, record);
  judged = judge_claims (comparison, record) || judged;
  judged = judge_kind (comparison, record) || judged;
  if (!judged)
    note_missing (comparison, record);
}

/* ---- After all ---- */

/* The row's test is gone. */
static void note_gone (CliComparison *comparison, const CliTable *table, const CliRow *row) {
  g_autofree char *line = rsp_span_text (row->span);
  g_autofree char *what = g_strdup_printf ("no test %s", row->cells[1]);
  comparison->n_differing++;
  cli_edits_change (comparison->edits, table->path, rsp_span_line (row->span), line, NULL, what);
}

static gboolean was_seen (const CliComparison *comparison, const CliFolder *folder,
                          const char *test) {
  g_autofree char *key = seen_key (folder, test);
  return g_hash_table_contains (comparison->seen, key);
}

static void end_folder (CliComparison *comparison, const CliFolder *folder) {
  const CliTable *table = folder->table;
  gboolean known = folder->complete && !was_seen (comparison, folder, "");
  if (!table->sound)
    cli_edits_forbid (comparison->edits, table->path);
  for (guint i = 0; known && i < table->rows->len; i++) {
    const CliRow *row = table->rows->pdata[i];
    if (!was_seen (comparison, folder, row->cells[1]))
      note_gone (comparison, table, row);
  }
}

void cli_comparison_end (CliComparison *comparison) {
  const GPtrArray *folders = cli_expectations_folders (comparison->expectations);
  for (guint i = 0; i < folders->len; i++)
    end_folder (comparison, folders->pdata[i]);
}

void cli_comparison_note_promote (const CliComparison *comparison, RspDiagnostics *diagnostics) {
  if (comparison->without)
    rsp_note (diagnostics, RSP_NOWHERE, "there is no %s yet: -promote writes it",
              comparison->without->path);
}

void cli_comparison_format (CliComparison *comparison, gboolean colour, GString *out) {
  cli_edits_format (comparison->edits, colour, out);
  g_string_append (out, comparison->unfinished->str);
}

gboolean cli_comparison_promote (CliComparison *comparison, RspDiagnostics *diagnostics) {
  return cli_edits_make (comparison->edits, diagnostics) && comparison->n_clashing == 0;
}

void cli_comparison_format_counts (const CliComparison *comparison, gboolean promoted,
                                   GString *out) {
  guint differing = comparison->n_differing, unfinished = comparison->n_unfinished;
  g_string_append_printf (out, "%u passed", comparison->n_passed);
  if (promoted)
    g_string_append_printf (out, ", %u promoted", differing);
  if (!promoted || unfinished)
    g_string_append_printf (out, ", %u failed", promoted ? unfinished : differing + unfinished);
  g_string_append_c (out, '\n');
}

gboolean cli_comparison_differs (const CliComparison *comparison) {
  return comparison->n_differing > 0 || comparison->n_clashing > 0;
}
