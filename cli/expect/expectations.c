#include "cli/expect/expectations.h"

#include <stdlib.h>
#include <string.h>

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

/* A folder that is reached by several paths has only one table. */
static void add_folder (CliExpectations *expectations, GHashTable *by_real, const char *directory,
                        RspDiagnostics *diagnostics) {
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
}

/* Folder -> the names of its files among the paths. */
static void note_file (GHashTable *files, CliFolder *folder, const char *path) {
  GHashTable *names = g_hash_table_lookup (files, folder);
  if (!names) {
    names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_insert (files, folder, names);
  }
  g_hash_table_add (names, g_path_get_basename (path));
}

static void read_folders (CliExpectations *expectations, const GPtrArray *paths,
                          RspDiagnostics *diagnostics) {
  g_autoptr (GHashTable) by_real = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) files
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  for (guint i = 0; i < paths->len; i++) {
    const char *path = paths->pdata[i];
    g_autofree char *directory = g_path_get_dirname (path);
    if (g_str_equal (path, "-"))
      continue;
    if (!g_hash_table_contains (expectations->by_path, directory))
      add_folder (expectations, by_real, directory, diagnostics);
    note_file (files, g_hash_table_lookup (expectations->by_path, directory), path);
  }
  GHashTableIter iter;
  gpointer directory, folder;
  g_hash_table_iter_init (&iter, expectations->by_path);
  while (g_hash_table_iter_next (&iter, &directory, &folder))
    ((CliFolder *) folder)->complete = expectations->options->names->len == 0
                                       && has_all (directory, g_hash_table_lookup (files, folder));
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
  read_folders (expectations, paths, diagnostics);
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

const GPtrArray *cli_expectations_folders (const CliExpectations *expectations) {
  return expectations->folders;
}

const CliFolder *cli_expectations_folder (const CliExpectations *expectations, const char *path) {
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
  for (guint i = 0; i < list->len; i++)
    if (g_str_equal (((const CliColumn *) list->pdata[i])->label, column->label))
      return;
  g_ptr_array_add (list, (gpointer) column);
}

static void add_all (GPtrArray *list, const GPtrArray *columns) {
  for (guint i = 0; i < columns->len; i++)
    add_column (list, columns->pdata[i]);
}

static void add_claimed (CliExpectations *expectations, GPtrArray *list, const CliTest *test,
                         RspDiagnostics *diagnostics) {
  const GPtrArray *defaults = test->defaults;
  g_autoptr (GArray) claims = cli_claims_read (test->source, diagnostics);
  for (guint i = 0; i < claims->len; i++) {
    const CliClaim *claim = &g_array_index (claims, CliClaim, i);
    CliColumn *column = claim->model
                            ? claimed_column (expectations, claim->model, claim->span, diagnostics)
                            : NULL;
    if (column)
      add_column (list, column);
    else if (!claim->model)
      add_all (list, defaults);
  }
  if (cli_selection_kind (expectations->selection, test->name))
    add_all (list, defaults);
}

/* A row about a test may have options for its run, so its column comes before the command
 * line's. */
static void add_given (CliExpectations *expectations, GPtrArray *list, const CliTable *table,
                       const char *test) {
  const GPtrArray *given = expectations->columns->given;
  for (guint i = 0; i < given->len; i++) {
    const CliColumn *column = given->pdata[i];
    const CliRow *row = table ? cli_table_find (table, test, column->label) : NULL;
    add_column (list, row ? row->column : column);
  }
}

GPtrArray *cli_expectations_columns (CliExpectations *expectations, const char *path,
                                     const CliTest *test, RspDiagnostics *diagnostics) {
  GPtrArray *list = g_ptr_array_new ();
  const CliFolder *folder = cli_expectations_folder (expectations, path);
  const CliTable *table = folder ? folder->table : NULL;
  if (expectations->columns->given->len) {
    add_given (expectations, list, table, test->name);
    g_array_unref (
        cli_claims_read (test->source, diagnostics)); /* reports what is wrong with them */
    return list;
  }
  const GPtrArray *rows = table ? g_hash_table_lookup (table->by_test, test->name) : NULL;
  for (guint i = 0; rows && i < rows->len; i++)
    add_column (list, ((const CliRow *) rows->pdata[i])->column);
  add_claimed (expectations, list, test, diagnostics);
  if (!list->len && table)
    add_all (list, table->usual);
  if (!list->len)
    add_all (list, test->defaults);
  return list;
}

/* ---- Claims ---- */

gboolean cli_expectations_about (CliExpectations *expectations, const char *model,
                                 const char *label) {
  const CliColumns *columns = expectations->columns;
  if (!model && columns->given->len)
    return TRUE;
  for (guint i = 0; !model && i < RSP_N_LANGUAGES; i++)
    if (cli_columns_have (columns->defaults[i], label))
      return TRUE;
  if (!model)
    return FALSE;
  g_autoptr (RspDiagnostics) reported = rsp_diagnostics_new (); /* reported when the test was run */
  const CliColumn *column = claimed_column (expectations, model, RSP_NOWHERE, reported);
  return column && g_str_equal (column->label, label);
}

const CliKind *cli_expectations_kind (const CliExpectations *expectations, const char *test) {
  return cli_selection_kind (expectations->selection, test);
}
