/* The selection of tests: files, folders, patterns, shares. */
#include "base/base.h"
#include "cli/extra.h"
#include "api/api.h"
#include "cli/internal.h"
#include "parser/litmus/litmus.h"
#include "report/record.h"

#include <stdlib.h>
#include <string.h>

/* ---- Share ---------------------------------------------------------------------------------- */

/* The name of the file's test; NULL: it cannot be read, or only once. Newly allocated. */
static char *name_of_test (const char *path, const CliOptions *options) {
  g_autoptr (RspSource) source
      = rsp_source_ends (path) && !g_str_equal (path, "-") ? rsp_source_read (path, NULL) : NULL;
  if (!source)
    return NULL;
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  const CliTests *tests = cli_tests_of (source);
  g_autoptr (RspProgram) program
      = tests ? NULL : rsp_litmus_parse (source, options->strict > 0, unheard);
  return tests ? tests->read (source, unheard) : program ? g_strdup (program->name) : NULL;
}

GHashTable *cli_share_titles (const GPtrArray *paths, const CliOptions *options) {
  GHashTable *titles = rsp_test_titles (NULL);
  g_autoptr (GHashTable) files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < paths->len; i++) {
    g_autofree char *base = g_path_get_basename (paths->pdata[i]);
    char *file = g_ascii_strdown (base, -1);
    gpointer first = NULL; /* of the paths with that name; NULL: its test's name is known */
    if (!g_hash_table_lookup_extended (files, file, NULL, &first)) {
      g_hash_table_insert (files, file, paths->pdata[i]);
      continue;
    }
    const char *const both[] = { first, paths->pdata[i] };
    for (guint k = 0; k < G_N_ELEMENTS (both); k++) {
      g_autofree char *name = both[k] ? name_of_test (both[k], options) : NULL;
      if (name)
        rsp_test_titles_add (titles, name, both[k]);
    }
    g_hash_table_insert (files, file, NULL);
  }
  return titles;
}

void cli_share_filter (GPtrArray *paths, const CliOptions *options, CliSelection *selection,
                       RspDiagnostics *diagnostics) {
  if (options->names->len == 0 || paths->len == 0)
    return;
  for (guint i = paths->len; i-- > 0;) {
    g_autofree char *name = name_of_test (paths->pdata[i], options);
    if (name
        && !cli_selection_includes (selection, name)) /* as far as that is known before the run */
      g_ptr_array_remove_index (paths, i);
  }
  if (!paths->len)
    rsp_error (diagnostics, RSP_NOWHERE, NULL,
               "nothing is checked: `-names` names none of the tests");
}

/* An arbitrary number for a row, the same everywhere (a step of the splitmix64 generator). */
static guint64 mix (guint64 row) {
  row = (row + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  row = (row ^ (row >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  row = (row ^ (row >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return row ^ (row >> 31);
}

/* Each share gets one of every N consecutive tests, so that tests of one family, which are
 * neighbours and take about the same time, are spread over all shares. Each group of N begins with
 * another share; otherwise a family in which every N-th member is slow would end up in a single
 * share. */
guint cli_share_of (guint index, guint of) {
  return (guint) ((index % of + mix (index / of) % of) % of) + 1;
}

GArray *cli_share_take (CliShard shard, guint n) {
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < n; i++)
    if (!shard.of || cli_share_of (i, shard.of) == shard.number)
      g_array_append_val (numbers, i);
  return numbers;
}

/* ---- Inputs --------------------------------------------------------------------------------- */

enum {
  MAX_INDEXES
  = 10000, /* read in one run: indexes that include each other can double at each level */
  MAX_TESTS = 10000000,
  MAX_HINTS = 100 /* for missing tests of indexes: a hint reads a directory */
};

typedef struct Expansion {
  const char *suffix; /* of files in directories */
  GPtrArray *tests;
  GPtrArray *open; /* canonical paths of the indexes being read, to find cycles */
  guint n_indexes, n_missing;
  gboolean is_full; /* has a limit been reached, and reported? */
  RspDiagnostics *diagnostics;
} Expansion;

static void expand (Expansion *expansion, const char *input, const char *base, RspSpan at);

/* Is a limit of tests or indexes reached? Reports it once. */
static gboolean is_full (Expansion *expansion, RspSpan at) {
  if (!expansion->is_full && expansion->n_indexes > MAX_INDEXES)
    rsp_error (expansion->diagnostics, at, NULL, "more than %d indexes are included", MAX_INDEXES);
  else if (!expansion->is_full && expansion->tests->len > MAX_TESTS)
    rsp_error (expansion->diagnostics, at, NULL, "there are more than %d tests", MAX_TESTS);
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
    } else if (g_str_has_suffix (name, expansion->suffix) && !rsp_source_ends (path))
      rsp_warning (expansion->diagnostics, at, NULL, "%s: is not a regular file: it is left out",
                   path);
    else if (g_str_has_suffix (name, expansion->suffix))
      g_ptr_array_add (found, g_steal_pointer (&path));
  }
}

/* Numbers in names count as numbers: Test2 comes before Test10. */
static int compare_paths (gconstpointer a, gconstpointer b) {
  return strverscmp (*(const char *const *) a, *(const char *const *) b);
}

/* ---- Shipped tests ---- */
char *cli_shipped_tests (void) {
  static const char *const names[] = { "litmus", "../doc/rspcheck/examples/litmus" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_auto (GStrv) folders = rsp_directories (names[i], NULL, NULL);
    if (folders[0])
      return g_strdup (folders[0]);
  }
  return NULL;
}

/* Kernels of several languages are told by their names. */
static const char *ending_of (const char *path, const char *suffix) {
  const gboolean is_kernel = strcmp (suffix, ".litmus") != 0 && cli_kernels_of (path);
  return is_kernel ? strrchr (path, '.') : suffix;
}

/* The paths of those with the suffix, sorted; none if files are confined. */
static GPtrArray *list_shipped (const char *suffix) {
  g_autofree char *folder = cli_shipped_tests ();
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  Expansion expansion = { .suffix = suffix, .diagnostics = unheard };
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  if (folder && !rsp_source_is_confined ())
    walk (&expansion, folder, RSP_NOWHERE, found);
  g_ptr_array_sort (found, compare_paths);
  return found;
}

char *cli_inputs_hint (const char *path, const char *suffix) {
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return NULL;
  const char *ending = ending_of (path, suffix);
  g_autofree char *near = rsp_near_path (path, ending);
  g_autofree char *shipped = NULL;
  if (!near) { /* that of the file that comes with the program whose name is nearest */
    g_autoptr (GPtrArray) paths = list_shipped (ending),
                          stems = g_ptr_array_new_with_free_func (g_free);
    g_autofree char *name = g_path_get_basename (path), *stem = rsp_name_stem (name, ending);
    for (guint i = 0; i < paths->len; i++) {
      g_autofree char *own = g_path_get_basename (paths->pdata[i]);
      g_ptr_array_add (stems, rsp_name_stem (own, ending));
    }
    g_ptr_array_add (stems, NULL);
    const char *nearest = rsp_nearest (stem, (const char *const *) stems->pdata);
    shipped = nearest ? g_strconcat (nearest, ending, NULL) : NULL;
  }
  return near      ? g_strdup_printf ("did you mean `%s`?", near)
         : shipped ? g_strdup_printf ("did you mean `%s`, which comes with rspcheck?", shipped)
                   : NULL;
}

char *cli_inputs_shipped (const char *name, const char *suffix, RspDiagnostics *diagnostics) {
  if (strchr (name, '/') || g_file_test (name, G_FILE_TEST_EXISTS))
    return NULL;
  const char *ending = ending_of (name, suffix);
  g_autoptr (GPtrArray) found = list_shipped (ending);
  g_autofree char *stem = rsp_name_stem (name, ending), *file = g_strconcat (stem, ending, NULL);
  for (guint i = 0; i < found->len; i++) {
    g_autofree char *own = g_path_get_basename (found->pdata[i]);
    if (!g_str_equal (own, file))
      continue;
    rsp_note (diagnostics, RSP_NOWHERE, "`%s` is %s, which comes with rspcheck", name,
              (char *) found->pdata[i]);
    return g_strdup (found->pdata[i]);
  }
  return NULL;
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

/* Adds the tests of an input; its path is relative to the directory base. */
static void expand (Expansion *expansion, const char *input, const char *base, RspSpan at) {
  gboolean is_index = input[0] == '@' && input[1] != '\0';
  const char *named = input + is_index;
  g_autofree char *path = g_path_is_absolute (named) || g_str_equal (base, ".")
                              ? g_strdup (named)
                              : g_build_filename (base, named, NULL);
  if (is_index)
    expand_index (expansion, path, at);
  else if (g_file_test (path, G_FILE_TEST_IS_DIR)) {
    g_autoptr (GPtrArray) found = g_ptr_array_new ();
    guint errors = rsp_diagnostics_count_errors (expansion->diagnostics);
    walk (expansion, path, at, found);
    g_ptr_array_sort (found, compare_paths);
    for (guint i = 0; i < found->len; i++)
      g_ptr_array_add (expansion->tests, found->pdata[i]);
    if (!found->len && rsp_diagnostics_count_errors (expansion->diagnostics) == errors)
      rsp_error (expansion->diagnostics, at, NULL, "%s: no %s file in this directory", path,
                 expansion->suffix);
  } else if (at.source && !g_file_test (path, G_FILE_TEST_EXISTS)) {
    g_autofree char *hint
        = expansion->n_missing++ < MAX_HINTS ? cli_inputs_hint (path, expansion->suffix) : NULL;
    rsp_error (expansion->diagnostics, at, hint, "%s: no such file", path);
  } else if (at.source && !rsp_source_ends (path))
    rsp_error (expansion->diagnostics, at, NULL, "%s: is not a regular file", path);
  else {
    char *shipped
        = at.source ? NULL : cli_inputs_shipped (path, expansion->suffix, expansion->diagnostics);
    g_ptr_array_add (expansion->tests, shipped ? shipped : g_steal_pointer (&path));
  }
}

GPtrArray *cli_inputs_expand (const GPtrArray *inputs, RspDiagnostics *diagnostics) {
  return cli_inputs_expand_to (inputs, ".litmus", diagnostics);
}

GPtrArray *cli_inputs_expand_to (const GPtrArray *inputs, const char *suffix,
                                 RspDiagnostics *diagnostics) {
  Expansion expansion = { .suffix = suffix,
                          .tests = g_ptr_array_new_with_free_func (g_free),
                          .open = g_ptr_array_new (),
                          .diagnostics = diagnostics };
  for (guint i = 0; i < inputs->len; i++) {
    const char *input = inputs->pdata[i];
    guint n = expansion.tests->len, errors = rsp_diagnostics_count_errors (diagnostics);
    expand (&expansion, input, ".", RSP_NOWHERE);
    if (expansion.tests->len == n && rsp_diagnostics_count_errors (diagnostics) == errors)
      rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s: no test in this index", input + 1);
  }
  g_ptr_array_unref (expansion.open);
  return expansion.tests;
}

RspProgram *cli_inputs_read (const char *path, gboolean strict, RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) source = rsp_source_load (path, RSP_NOWHERE, diagnostics);
  if (!source)
    return NULL;
  return rsp_litmus_parse (source, strict, diagnostics);
}

/* ---- Selection ------------------------------------------------------------------------------ */

struct CliSelection {
  gboolean all;           /* no -names */
  GPtrArray *ordered;     /* of Name, in the order of the files */
  GHashTable *names;      /* name -> Name, owned by ordered */
  gboolean expect;        /* are kinds expectations? */
  GHashTable *kinds;      /* name -> CliKind, its source counted */
  GHashTable *conditions; /* name -> RspSpan, its source counted */
  guint read_up_to;       /* of the file being read: a condition may take several lines */
};

typedef struct Name {
  char *text;
  RspSpan span;
  gint met; /* set by any thread */
} Name;

static void free_name (gpointer data) {
  Name *name = data;
  rsp_source_unref (name->span.source);
  g_free (name->text);
  g_free (name);
}

static void free_kind (gpointer data) {
  CliKind *kind = data;
  rsp_source_unref (kind->span.source);
  g_free (kind);
}

static void free_span (gpointer data) {
  RspSpan *span = data;
  rsp_source_unref (span->source);
  g_free (span);
}

/* ---- Reading ---- */
static void read_name (CliSelection *selection, CliLine *line, RspDiagnostics *diagnostics) {
  if (cli_line_split (line))
    rsp_error (diagnostics, line->span, NULL, "expected one test name per line");
  gsize length = strlen (line->text);
  gboolean quoted = length > 2 && line->text[0] == '"' && line->text[length - 1] == '"';
  g_autofree char *text = quoted ? g_strndup (line->text + 1, length - 2) : g_strdup (line->text);
  if (g_hash_table_contains (selection->names, text))
    return;
  Name *name = g_new0 (Name, 1);
  name->text = g_steal_pointer (&text);
  name->span = line->span;
  rsp_source_ref (name->span.source);
  g_ptr_array_add (selection->ordered, name);
  g_hash_table_insert (selection->names, name->text, name);
}

/* `NAME` at the start of a line, perhaps in quotes, perhaps followed by a colon. Moves *at past it.
 * NULL if there is none. */
static char *split_name (const char *text, gsize *at) {
  gboolean quoted = text[0] == '"' && strchr (text + 1, '"');
  gsize begin = quoted ? 1 : 0, end = begin + strcspn (text + begin, quoted ? "\"" : ": \t");
  *at = end + (quoted ? 1 : 0);
  *at += strspn (text + *at, " \t");
  *at += text[*at] == ':' ? 1 : 0;
  *at += strspn (text + *at, " \t");
  return end > begin ? g_strndup (text + begin, end - begin) : NULL;
}

/* `NAME Allowed`, `NAME: Allow` … */
static void read_kind (CliSelection *selection, CliLine *line, RspDiagnostics *diagnostics) {
  static const char *const kinds[] = { "Allowed", "Forbidden", "Required", NULL };
  RspQuantifier quantifier;
  gsize at;
  g_autofree char *name = split_name (line->text, &at);
  const char *kind = line->text + at;
  if (name && rsp_quantifier_from_kind (kind, &quantifier)) {
    CliKind *entry = g_new0 (CliKind, 1);
    guint begin = line->span.begin + (guint) at;
    rsp_source_ref (line->span.source);
    *entry = (CliKind){ quantifier, { line->span.source, begin, line->span.end }, FALSE };
    g_hash_table_insert (selection->kinds, g_steal_pointer (&name), entry);
    return;
  }
  g_autofree char *hint = rsp_did_you_mean (kind, kinds);
  if (!name || !*kind)
    rsp_error (diagnostics, line->span, NULL, "expected `NAME Allowed|Forbidden|Required`");
  else
    rsp_error (diagnostics, line->span, hint,
               "expected a kind (Allowed, Forbidden or Required), found `%s`", kind);
}

/* `NAME: condition`; the colon is optional. A condition in double quotes may span several lines. */
static void read_condition (CliSelection *selection, CliLine *line, RspDiagnostics *diagnostics) {
  gsize at;
  g_autofree char *name = split_name (line->text, &at);
  RspSpan span = { line->span.source, line->span.begin + (guint) at, line->span.end };
  if (!name || !line->text[at] || g_str_equal (line->text + at, "\"\"")) {
    rsp_error (diagnostics, line->span, NULL, "expected `NAME: condition`");
    return;
  }
  if (line->text[at] == '"') {
    RspSource *source = span.source;
    guint begin = span.begin + 1;
    const char *quote = memchr (source->text + begin, '"', source->length - begin);
    if (!quote) {
      rsp_error (diagnostics, span, NULL, "this quote is never closed");
      return;
    }
    guint end = (guint) (quote - source->text); /* perhaps on a later line */
    selection->read_up_to = end + 1;
    if (end + 1 < line->span.end) {
      RspSpan rest = { source, end + 1, line->span.end };
      rsp_error (diagnostics, rest, NULL, "expected the end of the line after the condition");
      return;
    }
    span = (RspSpan){ source, begin, end };
  }
  RspSpan *own = g_new (RspSpan, 1);
  *own = span;
  rsp_source_ref (own->source);
  g_hash_table_insert (selection->conditions, g_steal_pointer (&name), own);
}

static void read_files (CliSelection *selection, const GPtrArray *files,
                        void (*read_line) (CliSelection *, CliLine *, RspDiagnostics *),
                        RspDiagnostics *diagnostics) {
  for (guint f = 0; f < files->len; f++) {
    g_autoptr (GArray) lines = cli_lines_read (files->pdata[f], RSP_NOWHERE, diagnostics);
    selection->read_up_to = 0;
    for (guint i = 0; lines && i < lines->len; i++) {
      CliLine *line = &g_array_index (lines, CliLine, i);
      if (line->span.begin >= selection->read_up_to)
        read_line (selection, line, diagnostics);
    }
  }
}

CliSelection *cli_selection_new (const CliOptions *options, RspDiagnostics *diagnostics) {
  guint errors = rsp_diagnostics_count_errors (diagnostics);
  CliSelection *selection = g_new0 (CliSelection, 1);
  selection->all = options->names->len == 0;
  selection->expect = options->expect > 0;
  selection->ordered = g_ptr_array_new_with_free_func (free_name);
  selection->names = g_hash_table_new (g_str_hash, g_str_equal);
  selection->kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_kind);
  selection->conditions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_span);
  read_files (selection, options->names, read_name, diagnostics);
  read_files (selection, options->kinds, read_kind, diagnostics);
  read_files (selection, options->conditions, read_condition, diagnostics);
  if (rsp_diagnostics_count_errors (diagnostics) != errors)
    g_clear_pointer (&selection, cli_selection_free);
  return selection;
}

void cli_selection_free (CliSelection *selection) {
  if (!selection)
    return;
  g_hash_table_unref (selection->names);
  g_ptr_array_unref (selection->ordered);
  g_hash_table_unref (selection->kinds);
  g_hash_table_unref (selection->conditions);
  g_free (selection);
}

/* ---- Answers ---- */
gboolean cli_selection_includes (CliSelection *selection, const char *test) {
  if (selection->all)
    return TRUE;
  Name *name = g_hash_table_lookup (selection->names, test);
  if (name)
    g_atomic_int_set (&name->met, TRUE);
  return name != NULL;
}

RspSpan cli_selection_question (const CliSelection *selection, const char *name) {
  const RspSpan *span = g_hash_table_lookup (selection->conditions, name);
  return span ? *span : RSP_NOWHERE;
}

void cli_selection_set_kind (const CliSelection *selection, RspProgram *program) {
  CliKind *kind = g_hash_table_lookup (selection->kinds, program->name);
  if (kind && !selection->expect)
    program->quantifier = kind->quantifier;
}

const CliKind *cli_selection_kind (const CliSelection *selection, const char *name) {
  CliKind *kind = g_hash_table_lookup (selection->kinds, name);
  if (kind)
    g_atomic_int_set (&kind->met, TRUE);
  return kind;
}

void cli_selection_report_missing (const CliSelection *selection, RspDiagnostics *diagnostics) {
  for (guint i = 0; i < selection->ordered->len; i++) {
    const Name *name = selection->ordered->pdata[i];
    if (!g_atomic_int_get (&name->met))
      rsp_warning (diagnostics, name->span, NULL, "no test is named `%s`", name->text);
  }
  if (!selection->expect)
    return;
  /* Files of kinds are often about more tests than one runs: one warning is enough. */
  GHashTableIter iter;
  gpointer entry;
  guint unmet = 0;
  g_hash_table_iter_init (&iter, selection->kinds);
  while (g_hash_table_iter_next (&iter, NULL, &entry))
    unmet += !g_atomic_int_get (&((CliKind *) entry)->met);
  if (unmet)
    rsp_warning (diagnostics, RSP_NOWHERE, NULL,
                 "%u of the %u tests that `-kinds` names are not among those checked", unmet,
                 g_hash_table_size (selection->kinds));
}
