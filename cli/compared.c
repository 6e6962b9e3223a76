/* -compare: logs of other runs as columns beside those of this one. */
#include "base/base.h"
#include "cli/internal.h"
#include "report/report.h"

#include <string.h>

/* A test of a log: its position, for reading it again. */
typedef struct Entry {
  const char *name;
  guint first, end;           /* lines */
  guint span_begin, span_end; /* its first line without blanks */
  gboolean given;
} Entry;

typedef struct Log {
  RspSource *source;
  char *label;
  GStringChunk *names; /* of its tests */
  GArray *entries;     /* of Entry */
  GHashTable *by_name; /* test -> the number of its first Entry */
} Log;

/* A log that is being read. */
typedef struct Reading {
  Log *log;
  RspBudget *budget;
} Reading;

struct CliCompared {
  GPtrArray *logs;  /* of Log, in order */
  GPtrArray *tests; /* names of all tests, each once, in order of appearance */
  GHashTable *seen; /* the same names, the logs' */
  GHashTable *live; /* names of the live tests that came already, which it owns -> path */
  gsize max_input;  /* bytes of a log */
  RspBudget budget; /* of all logs */
};

static const char suffix[] = ".log";

static const char more_memory[] = "-max-memory SIZE allows more";

enum {
  MOST_NAMED = 5, /* tests that one warning lists */
  TEST_SIZE = 250 /* bytes that a test takes, here and in a table, besides its text */
};

static void free_log (gpointer data) {
  Log *log = data;
  g_hash_table_unref (log->by_name);
  g_array_unref (log->entries);
  g_string_chunk_free (log->names);
  rsp_source_unref (log->source);
  g_free (log->label);
  g_free (log);
}

/* ---- Columns ---- */
/* live: the columns of the models that tests are run under; NULL if none are run. */
static gboolean is_taken (const CliColumns *live, const GPtrArray *labels, const char *label) {
  if (g_ptr_array_find_with_equal_func ((GPtrArray *) labels, label, g_str_equal, NULL))
    return TRUE;
  if (live && live->given->len)
    return cli_columns_have (live->given, label);
  return live && cli_columns_default_to (live, label);
}

/* The column's heading: the file without folder and `.log`, or with `.log`, or the path, or the
 * path with a number; the first that no other column has. */
static char *choose_label (const CliColumns *live, const GPtrArray *labels, const char *path) {
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *bare = rsp_name_stem (base, suffix);
  const char *const candidates[] = { *bare ? bare : base, base, path };
  guint i = 0;
  while (i + 1 < G_N_ELEMENTS (candidates) && is_taken (live, labels, candidates[i]))
    i++;
  char *label = g_strdup (candidates[i]);
  for (guint n = 2; is_taken (live, labels, label); n++) {
    g_free (label);
    label = g_strdup_printf ("%s (%u)", path, n);
  }
  return label;
}

/* ---- Reading ---- */
static Entry *get_entry (const Log *log, guint i) {
  return &g_array_index (log->entries, Entry, i);
}

/* NULL if the log does not have the test. */
static Entry *find_entry (const Log *log, const char *test) {
  gpointer number;
  if (!g_hash_table_lookup_extended (log->by_name, test, NULL, &number))
    return NULL;
  return get_entry (log, GPOINTER_TO_UINT (number));
}

static RspSpan entry_span (const Log *log, const Entry *entry) {
  return (RspSpan){ log->source, entry->span_begin, entry->span_end };
}

static void take_entry (gpointer data, RspLogEntry *found) {
  Reading *reading = data;
  Entry entry = { .name = g_string_chunk_insert (reading->log->names, found->record->test),
                  .first = found->first,
                  .end = found->end,
                  .span_begin = found->span.begin,
                  .span_end = found->span.end };
  g_array_append_val (reading->log->entries, entry);
  rsp_budget_charge (reading->budget, TEST_SIZE + (gssize) strlen (entry.name));
  rsp_log_entry_free (found);
}

/* Indexes the log's tests, but for those that are not selected or whose name has occurred before.
 */
static void index_log (CliCompared *compared, Log *log, CliSelection *selection,
                       RspDiagnostics *diagnostics) {
  for (guint i = 0; i < log->entries->len; i++) {
    const Entry *entry = get_entry (log, i);
    if (!cli_selection_includes (selection, entry->name))
      continue;
    if (g_hash_table_contains (log->by_name, entry->name)) {
      rsp_warning (diagnostics, entry_span (log, entry), NULL,
                   "test %s is in this log already: the first one counts", entry->name);
      continue;
    }
    g_hash_table_insert (log->by_name, (gpointer) entry->name, GUINT_TO_POINTER (i));
    if (g_hash_table_contains (compared->seen, entry->name))
      continue;
    g_hash_table_add (compared->seen, (gpointer) entry->name);
    g_ptr_array_add (compared->tests, (gpointer) entry->name);
  }
}

/* The files that -compare names, each once. A folder stands for the logs in it, as -o writes them.
 */
static GPtrArray *find_logs (const GPtrArray *given, RspDiagnostics *diagnostics) {
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *once = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < given->len; i++) {
    const char *path = given->pdata[i];
    if (!g_file_test (path, G_FILE_TEST_IS_DIR)) {
      g_ptr_array_add (paths, g_strdup (path));
      continue;
    }
    g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
    g_autoptr (GPtrArray) found = g_ptr_array_new ();
    for (const char *name; folder && (name = g_dir_read_name (folder));)
      if (g_str_has_suffix (name, suffix))
        g_ptr_array_add (found, g_build_filename (path, name, NULL));
    g_ptr_array_sort (found, rsp_compare_names);
    g_ptr_array_extend (paths, found, NULL, NULL);
    if (found->len == 0)
      rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: no file in this directory ends in `%s`", path,
                 suffix);
  }
  for (guint i = 0; i < paths->len; i++)
    if (g_ptr_array_find_with_equal_func (once, paths->pdata[i], g_str_equal, NULL))
      rsp_warning (diagnostics, RSP_NOWHERE, NULL, "%s is given twice", (char *) paths->pdata[i]);
    else
      g_ptr_array_add (once, g_strdup (paths->pdata[i]));
  return once;
}

CliCompared *cli_compared_new (const CliOptions *options, const CliColumns *columns,
                               CliSelection *selection, RspDiagnostics *diagnostics) {
  CliCompared *compared = g_new0 (CliCompared, 1);
  const CliColumns *live = options->inputs->len ? columns : NULL;
  compared->logs = g_ptr_array_new_with_free_func (free_log);
  compared->tests = g_ptr_array_new ();
  compared->max_input = options->max_input;
  compared->budget.max_memory = options->check.max_memory;
  compared->seen = g_hash_table_new (g_str_hash, g_str_equal);
  compared->live = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GPtrArray) labels = g_ptr_array_new_with_free_func (g_free);
  if (options->inputs->len == 0 && options->models->len)
    rsp_warning (diagnostics, RSP_NOWHERE, NULL,
                 "no test given, so logs are compared and `-model` has no effect");
  g_autoptr (GPtrArray) paths = find_logs (options->compared, diagnostics);
  for (guint i = 0; i < paths->len; i++) {
    const char *path = paths->pdata[i];
    char *label = choose_label (live, labels, path);
    g_ptr_array_add (labels, label);
    g_autoptr (GError) error = NULL;
    gsize memory = compared->budget.max_memory;
    gboolean by_memory = memory && memory < compared->max_input;
    RspSource *source
        = rsp_source_read_within (path, by_memory ? memory : compared->max_input, &error);
    gboolean is_large = error && error->code == G_FILE_ERROR_NOSPC;
    if (!source) {
      g_autofree char *near = rsp_near_path_hint (path);
      rsp_error (diagnostics, RSP_NOWHERE, is_large && by_memory ? more_memory : near, "%s",
                 error->message);
      continue;
    }
    Log *log = g_new0 (Log, 1);
    log->source = source;
    log->label = g_strdup (label);
    log->names = g_string_chunk_new (4096);
    log->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
    log->by_name = g_hash_table_new (g_str_hash, g_str_equal);
    gsize text = source->length + source->n_lines * sizeof *source->lines;
    rsp_budget_charge (&compared->budget, (gssize) text);
    if (!rsp_log_read_each (source, label, &compared->budget, take_entry,
                            &(Reading){ log, &compared->budget }, diagnostics)) {
      free_log (log);
      continue;
    }
    g_ptr_array_add (compared->logs, log);
    index_log (compared, log, selection, diagnostics);
  }
  return compared;
}

void cli_compared_free (CliCompared *compared) {
  if (!compared)
    return;
  g_ptr_array_unref (compared->logs);
  g_ptr_array_unref (compared->tests);
  g_hash_table_unref (compared->seen);
  g_hash_table_unref (compared->live);
  g_free (compared);
}

/* ---- Whether two records are about the same ---- */
/* "1:r0, x": the observables of a record's states. NULL if it has no states. */
static char *shown_names (const RspRecord *record) {
  if (record->states->len == 0)
    return NULL;
  const char *text = rsp_record_state (record, 0)->text;
  g_autoptr (GArray) state = rsp_log_state_parse (text, strlen (text));
  GString *names = g_string_new (NULL);
  for (guint i = 0; state && i < state->len; i++)
    g_string_append_printf (names, "%s`%s`", i ? ", " : "",
                            g_array_index (state, RspLogBinding, i).name);
  return g_string_free (names, FALSE);
}

/* Newly allocated; NULL if there is none. */
static char *normal_condition (const RspRecord *record) {
  g_autoptr (RspLogCondition) condition
      = record->condition ? rsp_log_condition_parse (record->condition) : NULL;
  return condition ? rsp_log_condition_format (condition) : g_strdup (record->condition);
}

static gboolean are_different (const char *a, const char *b) {
  return a && b && !g_str_equal (a, b);
}

/* ---- Giving ---- */
static GPtrArray *give_row (CliCompared *compared, const char *test, const RspRecord *live,
                            RspDiagnostics *diagnostics) {
  GPtrArray *records = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_record_free);
  for (guint i = 0; i < compared->logs->len; i++) {
    const Log *log = compared->logs->pdata[i];
    Entry *entry = find_entry (log, test);
    if (!entry)
      continue;
    const RspRecord *first = live ? live : records->len ? records->pdata[0] : NULL;
    RspLogEntry *read = rsp_log_read_again (log->source, entry->first, entry->end, log->label);
    RspRecord *record = read->record;
    if (first) {
      g_autofree char *live_condition = normal_condition (first),
                      *condition = normal_condition (record);
      g_autofree char *shown = shown_names (first), *shown_here = shown_names (record);
      if (are_different (first->hash, record->hash))
        rsp_warning (diagnostics, read->hash_span, NULL,
                     "test %s: the text differs from that under %s, whose hash is %s", record->test,
                     first->model, first->hash);
      if (are_different (live_condition, condition))
        rsp_warning (diagnostics, read->span, NULL,
                     "test %s: the condition is `%s` here, but `%s` under %s", record->test,
                     condition, live_condition, first->model);
      if (are_different (shown, shown_here))
        rsp_warning (diagnostics, read->span, NULL,
                     "test %s: states show %s here, but %s under %s: they cannot be compared",
                     record->test, shown_here, shown, first->model);
      record->index = first->index;
      record->total = first->total;
    }
    read->record = NULL;
    rsp_log_entry_free (read);
    entry->given = TRUE;
    record->column = i + (live ? live->columns : 0);
    record->columns = compared->logs->len + (live ? live->columns : 0);
    g_ptr_array_add (records, record);
  }
  return records;
}

gboolean cli_compared_admits (CliCompared *compared, const RspRecord *live,
                              RspDiagnostics *diagnostics) {
  const char *first = g_hash_table_lookup (compared->live, live->test);
  if (compared->logs->len == 0)
    return TRUE;
  if (first)
    rsp_warning (diagnostics, RSP_NOWHERE, NULL,
                 "%s: a second test named %s is skipped: the first one is %s", live->path,
                 live->test, first);
  else
    g_hash_table_insert (compared->live, g_strdup (live->test), g_strdup (live->path));
  return first == NULL;
}

GPtrArray *cli_compared_with (CliCompared *compared, const RspRecord *live,
                              RspDiagnostics *diagnostics) {
  return give_row (compared, live->test, live, diagnostics);
}

guint cli_compared_n_tests (const CliCompared *compared) { return compared->tests->len; }

GPtrArray *cli_compared_row (CliCompared *compared, guint i, RspDiagnostics *diagnostics) {
  GPtrArray *records = give_row (compared, compared->tests->pdata[i], NULL, diagnostics);
  for (guint k = 0; k < records->len; k++) {
    RspRecord *record = records->pdata[k];
    record->index = i;
    record->total = compared->tests->len;
  }
  return records;
}

void cli_compared_report_left (const CliCompared *compared, RspDiagnostics *diagnostics) {
  for (guint i = 0; i < compared->logs->len; i++) {
    const Log *log = compared->logs->pdata[i];
    g_autoptr (GString) names = g_string_new (NULL);
    RspSpan first = RSP_NOWHERE;
    guint left = 0;
    for (guint k = 0; k < log->entries->len; k++) {
      const Entry *entry = get_entry (log, k);
      if (entry->given || find_entry (log, entry->name) != entry)
        continue;
      first = left ? first : entry_span (log, entry);
      if (left++ < MOST_NAMED)
        g_string_append_printf (names, "%s%s", names->len ? ", " : "", entry->name);
    }
    if (left)
      rsp_warning (diagnostics, first, NULL, "%u test%s of this log %s not among those run: %s%s",
                   left, left == 1 ? "" : "s", left == 1 ? "is" : "are", names->str,
                   left > MOST_NAMED ? ", …" : "");
  }
}
