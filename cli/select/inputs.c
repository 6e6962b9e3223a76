#include "cli/select/inputs.h"
#include "base/suggest.h"
#include "cli/base/lines.h"
#include "parser/litmus/parse.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_INDEXES
  = 10000, /* read in one run: indexes that include each other can double at each level */
  MAX_TESTS = 10000000,
  MAX_HINTS = 100 /* for missing tests of indexes: a hint reads a directory */
};

typedef struct Expansion {
  GPtrArray *tests;
  GPtrArray *open; /* canonical paths of the indexes being read, to find cycles */
  guint n_indexes, n_missing;
  gboolean is_full; /* has a limit been reached, and reported? */
  RspDiagnostics *diagnostics;
} Expansion;

static void expand (Expansion *expansion, const char *input, const char *base, RspSpan at);

char *cli_inputs_hint (const char *path) {
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  const char *folders[] = { folder, NULL };
  g_autofree char *near = rsp_near_file (name, folders, ".litmus");
  g_autofree char *whole
      = near && strchr (path, '/') ? g_build_filename (folder, near, NULL) : g_strdup (near);
  return whole ? g_strdup_printf ("did you mean `%s`?", whole) : NULL;
}

/* path seen from the directory base. */
static char *join (const char *base, const char *path) {
  if (g_path_is_absolute (path) || g_str_equal (base, "."))
    return g_strdup (path);
  return g_build_filename (base, path, NULL);
}

/* Is there no room for more tests and indexes? */
static gboolean is_full (Expansion *expansion, RspSpan at) {
  if (!expansion->is_full && expansion->n_indexes > MAX_INDEXES)
    rsp_error (expansion->diagnostics, at, NULL, "more than %d indexes are included", MAX_INDEXES);
  else if (!expansion->is_full && expansion->tests->len > MAX_TESTS)
    rsp_error (expansion->diagnostics, at, NULL, "these are more than %d tests", MAX_TESTS);
  else
    return expansion->is_full;
  expansion->is_full = TRUE;
  return TRUE;
}

/* ---- Directories ---- */

/* Links to directories are followed only at the top, so that the walk ends. */
static void walk (Expansion *expansion, const char *directory, RspSpan at, GPtrArray *found) {
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (directory, 0, &error);
  if (!dir) {
    rsp_error (expansion->diagnostics, at, NULL, "%s: cannot read the directory", directory);
    return;
  }
  for (const char *name; (name = g_dir_read_name (dir));) {
    g_autofree char *path = g_build_filename (directory, name, NULL);
    if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
      if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        walk (expansion, path, at, found);
    } else if (g_str_has_suffix (name, ".litmus"))
      g_ptr_array_add (found, g_steal_pointer (&path));
  }
}

/* Numbers in names count as numbers: Test2 comes before Test10. */
static int compare_paths (gconstpointer a, gconstpointer b) {
  return strverscmp (*(const char *const *) a, *(const char *const *) b);
}

static void expand_directory (Expansion *expansion, const char *directory, RspSpan at) {
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  guint errors = rsp_diagnostics_count_errors (expansion->diagnostics);
  walk (expansion, directory, at, found);
  g_ptr_array_sort (found, compare_paths);
  for (guint i = 0; i < found->len; i++)
    g_ptr_array_add (expansion->tests, found->pdata[i]);
  if (!found->len && rsp_diagnostics_count_errors (expansion->diagnostics) == errors)
    rsp_error (expansion->diagnostics, at, NULL, "%s: no .litmus file in this directory",
               directory);
}

/* ---- Indexes ---- */

static void expand_index (Expansion *expansion, const char *path, RspSpan at) {
  char *resolved = realpath (path, NULL); /* NULL for a pipe, as of @<(…) */
  g_autofree char *canonical = resolved ? resolved : g_strdup (path);
  if (g_ptr_array_find_with_equal_func (expansion->open, canonical, g_str_equal, NULL)) {
    rsp_error (expansion->diagnostics, at, NULL, "%s: this index includes itself", path);
    return;
  }
  expansion->n_indexes++;
  g_autoptr (GArray) lines
      = is_full (expansion, at) ? NULL : cli_lines_read (path, at, expansion->diagnostics);
  if (!lines)
    return;
  g_autofree char *base = g_path_get_dirname (path);
  g_ptr_array_add (expansion->open, canonical);
  for (guint i = 0; i < lines->len && !is_full (expansion, at); i++) {
    CliLine *line = &g_array_index (lines, CliLine, i);
    expand (expansion, line->text, base, line->span);
  }
  g_ptr_array_remove_index (expansion->open, expansion->open->len - 1);
}

static void expand (Expansion *expansion, const char *input, const char *base, RspSpan at) {
  gboolean is_index = input[0] == '@' && input[1] != '\0';
  g_autofree char *path = join (base, input + is_index);
  if (is_index)
    expand_index (expansion, path, at);
  else if (g_file_test (path, G_FILE_TEST_IS_DIR))
    expand_directory (expansion, path, at);
  else if (at.source && !g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_autofree char *hint = expansion->n_missing++ < MAX_HINTS ? cli_inputs_hint (path) : NULL;
    rsp_error (expansion->diagnostics, at, hint, "%s: no such file", path);
  } else
    g_ptr_array_add (expansion->tests, g_steal_pointer (&path));
}

GPtrArray *cli_inputs_expand (const GPtrArray *inputs, RspDiagnostics *diagnostics) {
  Expansion expansion = { .tests = g_ptr_array_new_with_free_func (g_free),
                          .open = g_ptr_array_new (),
                          .diagnostics = diagnostics };
  for (guint i = 0; i < inputs->len; i++)
    expand (&expansion, inputs->pdata[i], ".", RSP_NOWHERE);
  g_ptr_array_unref (expansion.open);
  return expansion.tests;
}

RspProgram *cli_inputs_read (const char *path, gboolean strict, RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) source = rsp_source_load (path, RSP_NOWHERE, diagnostics);
  if (!source)
    return NULL;
  return rsp_litmus_parse (source, strict, diagnostics);
}
