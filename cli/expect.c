/* -expect and -promote: expected.tsv, and what a test's own comment claims. */
#include "base/base.h"
#include "cli/internal.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

/* Of one file each. Freed with g_ptr_array_unref. */
typedef GPtrArray Edits;

static const CliRow *find_row (const CliTable *table, const char *test, const char *label);

/* ---- Claims --------------------------------------------------------------------------------- */

static const char keyword[] = "Result";

static void clear_claim (gpointer data) { g_free (((CliClaim *) data)->model); }

/* Reads the text between `Result` and its colon: nothing, or a model with options. Sets *model
 * (newly allocated or NULL) and returns the offset after the colon; 0 if this is not a claim. */
static gsize read_model (const char *text, gsize at, char **model) {
  gsize length = strcspn (text + at, ":\n");
  *model = NULL;
  if (text[at + length] != ':')
    return 0;
  g_autofree char *name = g_strstrip (g_strndup (text + at, length));
  if (*name && text[at] != ' ' && text[at] != '\t')
    return 0;
  const char *blank = strpbrk (name, " \t");
  if (blank && blank[strspn (blank, " \t")] != '-')
    return 0;
  *model = *name ? g_steal_pointer (&name) : NULL;
  return at + length + 1;
}

/* The claims in a test's text, in order. Warns about text that looks like a claim but names no
 * observation. Free with g_array_unref. */
GArray *cli_claims_read (RspSource *source, RspDiagnostics *diagnostics) {
  GArray *claims = g_array_new (FALSE, FALSE, sizeof (CliClaim));
  g_array_set_clear_func (claims, clear_claim);
  const char *text = source->text;
  for (const char *c = text; (c = strstr (c, keyword)); c += strlen (keyword)) {
    CliClaim claim = { 0 };
    const char *before = c;
    while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
      before--;
    if (before > text && !strchr ("\n*/", before[-1])) /* not at the start of a line or comment */
      continue;
    gsize at = read_model (text, (gsize) (c - text) + strlen (keyword), &claim.model);
    if (!at)
      continue;
    at += strspn (text + at, " \t");
    gsize length = 0;
    while (g_ascii_isalpha (text[at + length]))
      length++;
    g_autofree char *word = g_strndup (text + at, length);
    claim.span = (RspSpan){ source, (guint) at, (guint) (at + length) };
    guint observation = 0;
    while (rsp_observation_names[observation]
           && !g_str_equal (word, rsp_observation_names[observation]))
      observation++;
    if (rsp_observation_names[observation]) {
      claim.observation = (RspcheckObservation) observation;
      g_array_append_val (claims, claim);
      continue;
    }
    g_autofree char *hint = rsp_did_you_mean (word, rsp_observation_names);
    rsp_warning (diagnostics, claim.span, hint,
                 "`Result:` without Never, Sometimes or Always is not an expectation");
    clear_claim (&claim);
  }
  return claims;
}

/* ---- Edits ---------------------------------------------------------------------------------- */

/* Edits: changes of lines in files. They are printed as a unified diff without context, and made on
 * request. */

typedef struct Edit {
  guint line;
  char *old, *text, *what; /* text NULL: the line is removed */
  GPtrArray *others;       /* a different text that the line should have, or NULL */
} Edit;

typedef struct File {
  char *path;
  GPtrArray *edits;    /* of Edit */
  GHashTable *by_line; /* line number -> Edit */
  GPtrArray *appended; /* lines */
  GHashTable *known;   /* those in appended */
  char *head;          /* of a new file */
  gboolean forbidden;
} File;

static void free_edit (gpointer data) {
  Edit *edit = data;
  g_free (edit->old);
  g_free (edit->text);
  g_free (edit->what);
  g_clear_pointer (&edit->others, g_ptr_array_unref);
  g_free (edit);
}

static void free_file (gpointer data) {
  File *file = data;
  g_hash_table_unref (file->by_line);
  g_hash_table_unref (file->known);
  g_ptr_array_unref (file->edits);
  g_ptr_array_unref (file->appended);
  g_free (file->head);
  g_free (file->path);
  g_free (file);
}

/* ---- Collecting ---- */
static File *file_of (Edits *edits, const char *path) {
  for (guint i = 0; i < edits->len; i++) {
    File *file = edits->pdata[i];
    if (g_str_equal (file->path, path))
      return file;
  }
  File *file = g_new0 (File, 1);
  file->path = g_strdup (path);
  file->edits = g_ptr_array_new_with_free_func (free_edit);
  file->by_line = g_hash_table_new (NULL, NULL);
  file->appended = g_ptr_array_new_with_free_func (g_free);
  file->known = g_hash_table_new (g_str_hash, g_str_equal);
  g_ptr_array_add (edits, file);
  return file;
}

/* Changes line `line` (from 1) of the file from old to text, or removes it if text is NULL. what is
 * printed after the diff's `@@`. The same edit given twice counts once; a line with two different
 * edits cannot be edited. Lines have no newline; everything is copied. */
static void change_line (Edits *edits, const char *path, guint line, const char *old,
                         const char *text, const char *what) {
  File *file = file_of (edits, path);
  Edit *edit = g_hash_table_lookup (file->by_line, GUINT_TO_POINTER (line));
  if (edit) {
    if (g_strcmp0 (edit->text, text) == 0)
      return;
    if (!edit->others)
      edit->others = g_ptr_array_new_with_free_func (g_free);
    if (!g_ptr_array_find_with_equal_func (edit->others, text, g_str_equal, NULL))
      g_ptr_array_add (edit->others, g_strdup (text));
    return;
  }
  edit = g_new0 (Edit, 1);
  *edit = (Edit){ line, g_strdup (old), g_strdup (text), g_strdup (what), NULL };
  g_ptr_array_add (file->edits, edit);
  g_hash_table_insert (file->by_line, GUINT_TO_POINTER (line), edit);
}

/* Prevents the file from being written, whatever other edits there are. */
static void forbid_file (Edits *edits, const char *path) {
  file_of (edits, path)->forbidden = TRUE;
}

static int compare_lines (gconstpointer a, gconstpointer b) {
  guint first = (*(const Edit *const *) a)->line, second = (*(const Edit *const *) b)->line;
  return first < second ? -1 : first > second;
}

/* ---- The diff ---- */
typedef enum Colour { HEADING, PLACE, OLD, NEW } Colour;

static void print_line (Colour kind, gboolean colour, const char *mark, const char *text,
                        GString *out) {
  static const char *const codes[]
      = { [HEADING] = "\033[1m", [PLACE] = "\033[36m", [OLD] = "\033[31m", [NEW] = "\033[32m" };
  g_string_append_printf (out, "%s%s%s%s\n", colour ? codes[kind] : "", mark, text,
                          colour ? "\033[0m" : "");
}

/* The number of lines of the file; 0 if it does not exist. An unreadable file is not rewritten. */
static guint count_lines (File *file) {
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  guint n = 0;
  if (!g_file_get_contents (file->path, &text, NULL, &error)) {
    file->forbidden |= !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
    return 0;
  }
  for (const char *c = text; *c; c++)
    n += *c == '\n' || c[1] == '\0';
  return n;
}

/* ---- Writing ---- */
/* Writes the file with its edits, or leaves it as it is. FALSE if some edit was not made. */
static gboolean rewrite_file (const File *file, RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  g_autofree char *old = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean all = TRUE;
  guint next = 0, line = 1;
  if (!file->edits->len && !file->appended->len)
    return TRUE;
  if (file->forbidden) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: not rewritten", file->path);
    return FALSE;
  }
  if (!g_file_get_contents (file->path, &old, NULL, &error)
      && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
    return FALSE;
  }
  for (const char *at = old; at && *at; line++) {
    const Edit *edit = next < file->edits->len ? file->edits->pdata[next] : NULL;
    gsize length = strcspn (at, "\n");
    if (edit && edit->line != line)
      edit = NULL;
    next += edit != NULL;
    if (edit && edit->others) {
      rsp_error (diagnostics, RSP_NOWHERE, NULL,
                 "%s:%u: not rewritten, since models disagree about this line", file->path, line);
      all = FALSE;
    }
    if (!edit || edit->others)
      g_string_append_len (text, at, (gssize) length);
    else if (edit->text) {
      gboolean lost = length && at[length - 1] == '\r' && !g_str_has_suffix (edit->text, "\r");
      g_string_append_printf (text, "%s%s", edit->text, lost ? "\r" : "");
    }
    if (!edit || edit->others || edit->text)
      g_string_append_c (text, '\n');
    at += length + (at[length] == '\n');
  }
  if ((!old || !*old) && file->head && file->appended->len)
    g_string_append_printf (text, "%s\n", file->head);
  for (guint i = 0; i < file->appended->len; i++)
    g_string_append_printf (text, "%s%s\n", (const char *) file->appended->pdata[i],
                            old && strstr (old, "\r\n") ? "\r" : "");
  return cli_write_file (file->path, text) && all;
}

/* ---- Expect table --------------------------------------------------------------------------- */

enum { MODEL, TEST, OBSERVATION, POSITIVE, NEGATIVE, STATES, FLAGS };

static void free_row (gpointer data) {
  CliRow *row = data;
  rsp_source_unref (row->span.source);
  cli_column_free (row->column);
  g_strfreev (row->cells);
  g_free (row);
}

/* ---- Lines ---- */
/* The span of cell number k of the line at span, without its tabs. */
static RspSpan cell_span (RspSpan line, guint k) {
  RspSpan span = line;
  const char *text = line.source->text;
  for (; k; k--)
    span.begin += (guint) strcspn (text + span.begin, "\t") + 1;
  span.end = MIN (line.end, span.begin + (guint) strcspn (text + span.begin, "\t\r\n"));
  return span;
}

static gboolean check_number (const CliRow *row, guint k, RspDiagnostics *diagnostics) {
  const char *cell = row->cells[k];
  if (*cell && (g_str_equal (cell, "-") || strspn (cell, "0123456789") == strlen (cell)))
    return TRUE;
  rsp_error (diagnostics, cell_span (row->span, k), NULL,
             "expected the number of %s%s, or `-` for any, found `%s`", rsp_tsv_columns[k],
             k == STATES ? "" : " executions", cell);
  return FALSE;
}

static gboolean check_cells (const CliRow *row, RspDiagnostics *diagnostics) {
  static const guint never_empty[] = { MODEL, TEST, FLAGS };
  guint n = g_strv_length (row->cells);
  if (n != RSP_TSV_COLUMNS) {
    rsp_error (diagnostics, row->span, NULL, "expected %d cells separated by tabs, found %u",
               RSP_TSV_COLUMNS, n);
    return FALSE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (never_empty); i++)
    if (!*row->cells[never_empty[i]]) {
      rsp_error (diagnostics, cell_span (row->span, never_empty[i]),
                 never_empty[i] == FLAGS ? "`-` means no flag" : NULL,
                 "the cell of column %s is empty", rsp_tsv_columns[never_empty[i]]);
      return FALSE;
    }
  static const char *const words[] = { "Never", "Sometimes", "Always", "-", NULL };
  const char *cell = row->cells[OBSERVATION];
  if (!g_strv_contains (words, cell)) {
    g_autofree char *hint = rsp_did_you_mean (cell, words);
    rsp_error (diagnostics, cell_span (row->span, OBSERVATION), hint,
               "expected Never, Sometimes, Always, or `-` for any, found `%s`", cell);
    return FALSE;
  }
  return check_number (row, POSITIVE, diagnostics) && check_number (row, NEGATIVE, diagnostics)
         && check_number (row, STATES, diagnostics);
}

/* Adds the row of these cells, which it takes, if it is valid and new. */
static void add_row (CliTable *table, RspSpan span, char **cells, const CliOptions *options,
                     RspDiagnostics *diagnostics) {
  CliRow *row = g_new0 (CliRow, 1);
  row->span = span;
  rsp_source_ref (span.source);
  row->cells = cells;
  if (check_cells (row, diagnostics))
    row->column = cli_column_new (options, cells[MODEL], cell_span (span, MODEL), diagnostics);
  const char *test = row->column ? cells[TEST] : NULL;
  const CliRow *other = row->column ? find_row (table, test, row->column->label) : NULL;
  if (other)
    rsp_error (diagnostics, span, NULL, "test `%s` under model `%s` is on line %u already", test,
               row->column->label, rsp_span_line (other->span));
  if (!row->column || other) {
    table->sound = FALSE;
    free_row (row);
    return;
  }
  GPtrArray *rows = g_hash_table_lookup (table->by_test, test);
  if (!rows) {
    rows = g_ptr_array_new ();
    g_hash_table_insert (table->by_test, (gpointer) test, rows);
  }
  g_ptr_array_add (rows, row);
  g_ptr_array_add (table->rows, row);
}

/* ---- Tables ---- */
static gboolean every_test_has (const CliTable *table, const char *label) {
  GHashTableIter iter;
  gpointer test;
  g_hash_table_iter_init (&iter, table->by_test);
  while (g_hash_table_iter_next (&iter, &test, NULL))
    if (!find_row (table, test, label))
      return FALSE;
  return TRUE;
}

/* Reads the file, if it exists. Never NULL; errors are reported in diagnostics, and faulty lines
 * are left out. */
CliTable *cli_table_read (const char *path, const CliOptions *options,
                          RspDiagnostics *diagnostics) {
  CliTable *table = g_new0 (CliTable, 1);
  table->path = g_strdup (path);
  table->rows = g_ptr_array_new_with_free_func (free_row);
  table->by_test
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
  table->usual = g_ptr_array_new ();
  table->sound = TRUE;
  g_autoptr (GError) error = NULL;
  table->source = rsp_source_read (path, &error);
  if (!table->source && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
    table->sound = FALSE;
  }
  RspSource *source = table->source;
  gboolean has_header = FALSE;
  for (guint i = 0; source && i < source->n_lines; i++) {
    guint begin = rsp_source_line_begin (source, i);
    RspSpan span = { source, begin, begin + (guint) strcspn (source->text + begin, "\r\n") };
    g_autofree char *text = g_strndup (source->text + begin, span.end - begin);
    if (*text == '#' || text[strspn (text, " \t")] == '\0')
      continue;
    g_auto (GStrv) cells = g_strsplit (text, "\t", -1);
    for (guint k = 0; cells[k]; k++)
      g_strstrip (cells[k]);
    if (has_header) {
      add_row (table, span, g_steal_pointer (&cells), options, diagnostics);
      continue;
    }
    has_header = g_strv_equal ((const char *const *) cells, rsp_tsv_columns);
    if (!has_header) {
      g_autofree char *names = g_strjoinv (" ", (char **) rsp_tsv_columns);
      rsp_error (diagnostics, span, NULL,
                 "expected the names of the columns, separated by tabs: %s", names);
      table->sound = FALSE;
      break;
    }
  }
  /* A column that every test has is one of the first test's. */
  if (table->rows->len) {
    const CliRow *first = table->rows->pdata[0];
    const GPtrArray *rows = g_hash_table_lookup (table->by_test, first->cells[TEST]);
    for (guint i = 0; i < rows->len; i++) {
      const CliRow *row = rows->pdata[i];
      if (every_test_has (table, row->column->label))
        g_ptr_array_add (table->usual, row->column);
    }
  }
  return table;
}

void cli_table_free (CliTable *table) {
  if (!table)
    return;
  g_ptr_array_unref (table->usual);
  g_hash_table_unref (table->by_test);
  g_ptr_array_unref (table->rows);
  if (table->source)
    rsp_source_unref (table->source);
  g_free (table->path);
  g_free (table);
}

/* The row of a test and the label of a column; NULL if there is none. */
static const CliRow *find_row (const CliTable *table, const char *test, const char *label) {
  const GPtrArray *rows = g_hash_table_lookup (table->by_test, test);
  for (guint i = 0; rows && i < rows->len; i++) {
    const CliRow *row = rows->pdata[i];
    if (g_str_equal (row->column->label, label))
      return row;
  }
  return NULL;
}

/* ---- Rows ---- */
/* Does cell k of the row allow what rsp_tsv_cells found? */
static gboolean cell_agrees (const CliRow *row, guint k, const char *found) {
  const char *cell = row->cells[k];
  if (k != FLAGS)
    return g_str_equal (cell, "-") || g_str_equal (cell, found);
  /* Results have their flags in alphabetical order. */
  g_auto (GStrv) names = g_strsplit (cell, ",", -1);
  for (guint i = 0; names[i]; i++)
    g_strstrip (names[i]);
  qsort (names, g_strv_length (names), sizeof *names, rsp_compare_names);
  g_autofree char *flags = g_strjoinv (",", names);
  return g_str_equal (flags, found);
}

/* ---- Expectations --------------------------------------------------------------------------- */

static const char table_name[] = "expected.tsv";

struct CliExpectations {
  const CliOptions *options;
  const CliColumns *columns;
  CliSelection *selection;
  GPtrArray *folders;  /* of CliFolder */
  GHashTable *by_path; /* a directory, as in the paths -> CliFolder */
  GMutex lock;         /* guards claimed */
  GHashTable *claimed; /* model of a claim, as written -> CliColumn */
};

static void free_folder (gpointer data) {
  CliFolder *folder = data;
  cli_table_free (folder->table);
  g_free (folder);
}

/* ---- Folders ---- */
/* Are all tests of the directory among those named? */
static gboolean has_all (const char *directory, GHashTable *names) {
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  if (!dir)
    return FALSE;
  for (const char *name; (name = g_dir_read_name (dir));)
    if (g_str_has_suffix (name, ".litmus") && !g_hash_table_contains (names, name))
      return FALSE;
  return TRUE;
}

/* Adds the folder; one that is reached by several paths has only one table. */
static CliFolder *add_folder (CliExpectations *expectations, GHashTable *by_real,
                              const char *directory, RspDiagnostics *diagnostics) {
  char *real = realpath (directory, NULL);
  CliFolder *folder = real ? g_hash_table_lookup (by_real, real) : NULL;
  if (!folder) {
    g_autofree char *path = g_str_equal (directory, ".")
                                ? g_strdup (table_name)
                                : g_build_filename (directory, table_name, NULL);
    folder = g_new0 (CliFolder, 1);
    folder->table = cli_table_read (path, expectations->options, diagnostics);
    g_ptr_array_add (expectations->folders, folder);
    g_hash_table_insert (by_real, real ? g_steal_pointer (&real) : g_strdup (directory), folder);
  }
  free (real);
  g_hash_table_insert (expectations->by_path, g_strdup (directory), folder);
  return folder;
}

CliExpectations *cli_expectations_new (const CliOptions *options, const CliColumns *columns,
                                       CliSelection *selection, const GPtrArray *paths,
                                       RspDiagnostics *diagnostics) {
  CliExpectations *expectations = g_new0 (CliExpectations, 1);
  expectations->options = options;
  expectations->columns = columns;
  expectations->selection = selection;
  expectations->folders = g_ptr_array_new_with_free_func (free_folder);
  expectations->by_path = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  expectations->claimed
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) cli_column_free);
  g_mutex_init (&expectations->lock);
  g_autoptr (GHashTable) by_real = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) files /* CliFolder -> the names of its files among the paths */
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  for (guint i = 0; i < paths->len; i++) {
    const char *path = paths->pdata[i];
    g_autofree char *directory = g_path_get_dirname (path);
    if (g_str_equal (path, "-"))
      continue;
    CliFolder *folder = g_hash_table_lookup (expectations->by_path, directory);
    if (!folder)
      folder = add_folder (expectations, by_real, directory, diagnostics);
    GHashTable *names = g_hash_table_lookup (files, folder);
    if (!names) {
      names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_hash_table_insert (files, folder, names);
    }
    g_hash_table_add (names, g_path_get_basename (path));
  }
  GHashTableIter iter;
  gpointer directory, folder;
  g_hash_table_iter_init (&iter, expectations->by_path);
  while (g_hash_table_iter_next (&iter, &directory, &folder))
    ((CliFolder *) folder)->complete
        = options->names->len == 0 && has_all (directory, g_hash_table_lookup (files, folder));
  return expectations;
}

void cli_expectations_free (CliExpectations *expectations) {
  if (!expectations)
    return;
  g_hash_table_unref (expectations->claimed);
  g_hash_table_unref (expectations->by_path);
  g_ptr_array_unref (expectations->folders);
  g_mutex_clear (&expectations->lock);
  g_free (expectations);
}

/* The folder of a test; NULL for standard input. */
static const CliFolder *find_folder (const CliExpectations *expectations, const char *path) {
  g_autofree char *directory = g_path_get_dirname (path);
  return g_str_equal (path, "-") ? NULL : g_hash_table_lookup (expectations->by_path, directory);
}

/* ---- Columns ---- */
/* The column of a claim's model; NULL after an error. */
static CliColumn *claimed_column (CliExpectations *expectations, const char *model, RspSpan at,
                                  RspDiagnostics *diagnostics) {
  g_mutex_lock (&expectations->lock);
  CliColumn *column = g_hash_table_lookup (expectations->claimed, model);
  if (!column) {
    column = cli_column_new (expectations->options, model, at, diagnostics);
    if (column)
      g_hash_table_insert (expectations->claimed, g_strdup (model), column);
  }
  g_mutex_unlock (&expectations->lock);
  return column;
}

/* Adds a column unless there is one with its label. */
static void add_column (GPtrArray *list, const CliColumn *column) {
  if (!cli_columns_have (list, column->label))
    g_ptr_array_add (list, (gpointer) column);
}

static void add_all (GPtrArray *list, const GPtrArray *columns) {
  for (guint i = 0; i < columns->len; i++)
    add_column (list, columns->pdata[i]);
}

GPtrArray *cli_expectations_columns (CliExpectations *expectations, const char *path,
                                     const CliTest *test, RspDiagnostics *diagnostics) {
  GPtrArray *list = g_ptr_array_new ();
  const CliFolder *folder = find_folder (expectations, path);
  const CliTable *table = folder ? folder->table : NULL;
  if (expectations->columns->given->len) {
    /* A row's column comes before the command line's, since it may have options for its run. */
    const GPtrArray *given = expectations->columns->given;
    for (guint i = 0; i < given->len; i++) {
      const CliColumn *column = given->pdata[i];
      const CliRow *row = table ? find_row (table, test->name, column->label) : NULL;
      add_column (list, row ? row->column : column);
    }
    g_array_unref (cli_claims_read (test->source, diagnostics)); /* for its warnings */
    return list;
  }
  const GPtrArray *rows = table ? g_hash_table_lookup (table->by_test, test->name) : NULL;
  for (guint i = 0; rows && i < rows->len; i++)
    add_column (list, ((const CliRow *) rows->pdata[i])->column);
  g_autoptr (GArray) claims = cli_claims_read (test->source, diagnostics);
  for (guint i = 0; i < claims->len; i++) {
    const CliClaim *claim = &g_array_index (claims, CliClaim, i);
    CliColumn *column = claim->model
                            ? claimed_column (expectations, claim->model, claim->span, diagnostics)
                            : NULL;
    if (column)
      add_column (list, column);
    else if (!claim->model)
      add_all (list, test->defaults);
  }
  if (cli_selection_kind (expectations->selection, test->name))
    add_all (list, test->defaults);
  if (!list->len && table)
    add_all (list, table->usual);
  if (!list->len)
    add_all (list, test->defaults);
  return list;
}

/* ---- Claims ---- */
/* Does the claim apply to a column with that label? A claim without a model (NULL) applies to each
 * -model, or else to the default. */
static gboolean applies_to (CliExpectations *expectations, const char *model, const char *label) {
  const CliColumns *columns = expectations->columns;
  if (!model)
    return columns->given->len || cli_columns_default_to (columns, label);
  g_autoptr (RspDiagnostics) reported = rsp_diagnostics_new (); /* reported when the test was run */
  const CliColumn *column = claimed_column (expectations, model, RSP_NOWHERE, reported);
  return column && g_str_equal (column->label, label);
}

/* ---- Expect --------------------------------------------------------------------------------- */

/* The name of standard input, which is never rewritten. */
static const char standard_input[] = "<stdin>";

/* A word of a comment or of a file of kinds may apply to several models or tests. */
enum WordUse { WORD_AGREED = 1, WORD_DIFFERED = 2 };

struct CliComparison {
  CliExpectations *expectations;
  Edits *edits;
  GString *unfinished;     /* lines */
  GHashTable *seen;        /* "table's path\ttest" */
  GHashTable *words;       /* "file:offset" of an expectation -> WordUse, the results for it */
  const CliTable *without; /* a table that does not exist but would have the row of a test; or
                            * NULL */
  GHashTable *results; /* "table's path\ttest\tmodel" -> the first path and its cells, two lines */
  guint n_passed, n_differing, n_unfinished, n_left_out;
  guint n_missed;   /* number of tests that are left out in spite of an expectation */
  guint n_clashing; /* number of unfinished tests that contradict another one of their name */
};

CliComparison *cli_comparison_new (CliExpectations *expectations) {
  CliComparison *comparison = g_new0 (CliComparison, 1);
  comparison->expectations = expectations;
  comparison->edits = g_ptr_array_new_with_free_func (free_file);
  forbid_file (comparison->edits, standard_input);
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
  g_autofree char *name = rsp_visible_name (path);
  gboolean read = record->source != NULL;
  comparison->n_unfinished++;
  g_string_append_printf (comparison->unfinished, "%s%s: %s%sunder %s: %s\n", name, number,
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
  change_line (comparison->edits, line.source->name, rsp_span_line (line), old, text, what);
}

/* Judges by the expectation that `word` is. agrees: the result agrees with it; otherwise the word
 * should be `found`. */
static void judge_word (CliComparison *comparison, RspSpan word, gboolean agrees, const char *found,
                        const RspRecord *record) {
  if (!rsp_record_is_ok (record))
    note_unfinished (comparison, word.source->name, rsp_span_line (word), record, record->reason);
  else {
    const char *text = word.source->text;
    RspSpan line = word; /* the whole line */
    while (line.begin && text[line.begin - 1] != '\n')
      line.begin--;
    line.end = line.begin + (guint) strcspn (text + line.begin, "\n");
    char *key = g_strdup_printf ("%s:%u", word.source->name, word.begin);
    guint use = GPOINTER_TO_UINT (g_hash_table_lookup (comparison->words, key));
    use |= agrees ? WORD_AGREED : WORD_DIFFERED;
    g_hash_table_replace (comparison->words, key, GUINT_TO_POINTER (use));
    g_autofree char *new
        = g_strdup_printf ("%.*s%s%.*s", (int) (word.begin - line.begin), text + line.begin, found,
                           (int) (line.end - word.end), text + word.end);
    if (agrees)
      comparison->n_passed++;
    else
      note_difference (comparison, line, new, record);
    if (use == (WORD_AGREED | WORD_DIFFERED)) { /* no word is right for all results */
      g_autofree char *old = rsp_span_text (line);
      change_line (comparison->edits, line.source->name, rsp_span_line (line), old, old, NULL);
    }
  }
}

/* ---- All expectations about one record ---- */
static gboolean judge_table (CliComparison *comparison, const RspRecord *record) {
  const CliFolder *folder = find_folder (comparison->expectations, record->path);
  const CliRow *row = folder ? find_row (folder->table, record->test, record->model) : NULL;
  if (row) {
    g_auto (GStrv) found = rsp_tsv_cells (record);
    if (!rsp_record_is_ok (record))
      note_unfinished (comparison, folder->table->path, rsp_span_line (row->span), record,
                       record->reason);
    else {
      char *cells[RSP_TSV_COLUMNS + 1] = { NULL }; /* those of the row, with what differs */
      gboolean all_agree = TRUE;
      for (guint k = 0; k < RSP_TSV_COLUMNS; k++) {
        gboolean agrees = k < OBSERVATION || cell_agrees (row, k, found[k]);
        cells[k] = agrees ? row->cells[k] : found[k];
        all_agree &= agrees;
      }
      g_autofree char *text = g_strjoinv ("\t", cells);
      if (all_agree)
        comparison->n_passed++;
      else
        note_difference (comparison, row->span, text, record);
    }
  }
  return row != NULL;
}

/* The claims of the record's test, whose text is then *source. */
static GArray *claims_of (const RspRecord *record, RspSource **source) {
  const char *path = g_str_equal (record->path, "-") ? standard_input : record->path;
  g_autoptr (RspDiagnostics) reported = rsp_diagnostics_new (); /* reported when the test was run */
  *source = rsp_source_new (path, g_strdup (record->source), strlen (record->source));
  return cli_claims_read (*source, reported);
}

static gboolean judge_claims (CliComparison *comparison, const RspRecord *record) {
  g_autoptr (RspSource) source = NULL;
  g_autoptr (GArray) claims = claims_of (record, &source);
  gboolean any = FALSE;
  for (guint i = 0; i < claims->len; i++) {
    const CliClaim *claim = &g_array_index (claims, CliClaim, i);
    if (!applies_to (comparison->expectations, claim->model, record->model))
      continue;
    any = TRUE;
    judge_word (comparison, claim->span, claim->observation == record->observation,
                rsp_observation_names[record->observation], record);
  }
  return any;
}

static gboolean judge_kind (CliComparison *comparison, const RspRecord *record) {
  const CliKind *kind = cli_selection_kind (comparison->expectations->selection, record->test);
  if (!kind || !applies_to (comparison->expectations, NULL, record->model))
    return FALSE;
  /* Allowed: in some execution; Forbidden: in none; Required: in all. */
  gboolean agrees = rsp_quantifier_answer (kind->quantifier, record->observation);
  judge_word (comparison, kind->span, agrees,
              record->observation == RSPCHECK_NEVER ? "Forbidden" : "Allowed", record);
  return TRUE;
}

/* For a result without an expectation: its row is missing, or in the part of the table that could
 * not be read. */
static void note_missing (CliComparison *comparison, const RspRecord *record) {
  const CliFolder *folder = find_folder (comparison->expectations, record->path);
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
  File *file = file_of (comparison->edits, folder ? folder->table->path : standard_input);
  g_auto (GStrv) found = rsp_tsv_cells (record);
  g_autofree char *line = g_strjoinv ("\t", found);
  if (!file->head)
    file->head = g_strjoinv ("\t", (char **) rsp_tsv_columns);
  if (g_hash_table_contains (file->known, line))
    return;
  g_hash_table_add (file->known, line);
  g_ptr_array_add (file->appended, g_steal_pointer (&line));
}

/* Tests of the same name in a folder share one row, so they have to agree. FALSE if this one does
 * not. */
static gboolean check_name (CliComparison *comparison, const RspRecord *record) {
  const CliFolder *folder = find_folder (comparison->expectations, record->path);
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

/* Is the model named by a row or a claim for this test, rather than for all? */
static gboolean is_named (const CliComparison *comparison, const RspRecord *record) {
  const CliFolder *folder = find_folder (comparison->expectations, record->path);
  if (folder && find_row (folder->table, record->test, record->model))
    return TRUE;
  g_autoptr (RspSource) source = NULL;
  g_autoptr (GArray) claims = claims_of (record, &source);
  for (guint i = 0; i < claims->len; i++) {
    const char *model = g_array_index (claims, CliClaim, i).model;
    if (model && applies_to (comparison->expectations, model, record->model))
      return TRUE;
  }
  return FALSE;
}

void cli_comparison_take (CliComparison *comparison, const RspRecord *record) {
  /* A test that cannot be read may have any name: it is recorded as "". */
  const CliFolder *folder = find_folder (comparison->expectations, record->path);
  if (folder)
    g_hash_table_add (comparison->seen, seen_key (folder, record->source ? record->test : ""));
  if (!record->source) {
    note_unfinished (comparison, record->path, 0, record, record->reason);
    return;
  }
  if (rsp_record_is_left_out (record) && !is_named (comparison, record)) {
    comparison->n_left_out++;
    return;
  }
  comparison->n_missed += rsp_record_is_left_out (record);
  if (!check_name (comparison, record))
    return;
  gboolean judged = judge_table (comparison, record);
  judged = judge_claims (comparison, record) || judged;
  judged = judge_kind (comparison, record) || judged;
  if (!judged)
    note_missing (comparison, record);
}

/* ---- After all ---- */
static gboolean was_seen (const CliComparison *comparison, const CliFolder *folder,
                          const char *test) {
  g_autofree char *key = seen_key (folder, test);
  return g_hash_table_contains (comparison->seen, key);
}

void cli_comparison_end (CliComparison *comparison) {
  const GPtrArray *folders = comparison->expectations->folders;
  for (guint f = 0; f < folders->len; f++) {
    const CliFolder *folder = folders->pdata[f];
    const CliTable *table = folder->table;
    gboolean all_known = folder->complete && !was_seen (comparison, folder, "");
    if (!table->sound)
      forbid_file (comparison->edits, table->path);
    for (guint i = 0; all_known && i < table->rows->len; i++) {
      const CliRow *row = table->rows->pdata[i];
      if (was_seen (comparison, folder, row->cells[TEST]))
        continue;
      g_autofree char *line = rsp_span_text (row->span);
      g_autofree char *what = g_strdup_printf ("no test %s", row->cells[TEST]);
      comparison->n_differing++;
      change_line (comparison->edits, table->path, rsp_span_line (row->span), line, NULL, what);
    }
  }
}

void cli_comparison_note_promote (const CliComparison *comparison, RspDiagnostics *diagnostics) {
  if (comparison->without)
    rsp_note (diagnostics, RSP_NOWHERE, "there is no %s yet: -promote writes it",
              comparison->without->path);
}

void cli_comparison_format (CliComparison *comparison, gboolean colour, GString *out) {
  for (guint f = 0; f < comparison->edits->len; f++) {
    File *file = comparison->edits->pdata[f];
    int shift = 0;
    if (!file->edits->len && !file->appended->len)
      continue;
    g_autofree char *path = rsp_visible_name (file->path);
    print_line (HEADING, colour, "--- ", path, out);
    print_line (HEADING, colour, "+++ ", "found", out);
    g_ptr_array_sort (file->edits, compare_lines);
    for (guint i = 0; i < file->edits->len; i++) {
      const Edit *edit = file->edits->pdata[i];
      int now = (int) edit->line + shift;
      g_autofree char *place
          = edit->text ? g_strdup_printf ("@@ -%u +%d @@ %s", edit->line, now, edit->what)
                       : g_strdup_printf ("@@ -%u +%d,0 @@ %s", edit->line, now - 1, edit->what);
      print_line (PLACE, colour, "", place, out);
      print_line (OLD, colour, "-", edit->old, out);
      if (edit->text)
        print_line (NEW, colour, "+", edit->text, out);
      else
        shift--;
      for (guint k = 0; edit->others && k < edit->others->len; k++)
        print_line (NEW, colour, "+", edit->others->pdata[k], out);
    }
    guint lines = count_lines (file), n = file->appended->len;
    gboolean fresh = lines == 0 && file->head;
    int first = (int) lines + shift + 1;
    if (!n)
      continue;
    n += fresh;
    g_autofree char *count = n > 1 ? g_strdup_printf (",%u", n) : g_strdup ("");
    g_autofree char *place = g_strdup_printf ("@@ -%u,0 +%d%s @@", lines, first, count);
    print_line (PLACE, colour, "", place, out);
    if (fresh)
      print_line (NEW, colour, "+", file->head, out);
    for (guint i = 0; i < file->appended->len; i++)
      print_line (NEW, colour, "+", file->appended->pdata[i], out);
  }
  g_string_append (out, comparison->unfinished->str);
}

gboolean cli_comparison_promote (CliComparison *comparison, RspDiagnostics *diagnostics) {
  gboolean all = TRUE;
  for (guint f = 0; f < comparison->edits->len; f++) {
    File *file = comparison->edits->pdata[f];
    g_ptr_array_sort (file->edits, compare_lines);
    all = rewrite_file (file, diagnostics) && all;
  }
  return all && !comparison->n_clashing && !comparison->n_missed;
}

void cli_comparison_format_counts (const CliComparison *comparison, gboolean promoted,
                                   GString *out) {
  guint differing = comparison->n_differing, unfinished = comparison->n_unfinished;
  g_string_append_printf (out, "%u passed", comparison->n_passed);
  if (promoted)
    g_string_append_printf (out, ", %u promoted", differing);
  if (!promoted || unfinished)
    g_string_append_printf (out, ", %u failed", promoted ? unfinished : differing + unfinished);
  if (comparison->n_left_out)
    g_string_append_printf (out, ", %u left out", comparison->n_left_out);
  g_string_append_c (out, '\n');
}

gboolean cli_comparison_differs (const CliComparison *comparison) {
  return comparison->n_differing || comparison->n_clashing || comparison->n_missed;
}
