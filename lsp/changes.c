#include "lsp/changes.h"
#include "api/run/run.h"
#include "base/names.h"
#include "parser/litmus/parse.h"
#include "report/tables/change.h"

#include <string.h>

enum { MOST_TESTS = 2000, MOST_NAMED = 5 };

typedef struct Pair {
  RspModel *before, *after;
} Pair;

static void clear_pair (gpointer data) {
  Pair *pair = data;
  rsp_model_free (pair->before);
  rsp_model_free (pair->after);
}

/* ---- Models ---- */

/* The model with this text of the document; NULL if it has errors. */
static RspModel *load_with (LspServer *server, const char *name, const LspDocument *document,
                            RspSource *text) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  g_hash_table_insert (server->texts, g_strdup (document->path), rsp_source_ref (text));
  return lsp_load_model (server, name, document->path, unread);
}

static gboolean reads (const RspModel *model, const char *path) {
  for (guint i = 0; i < model->sources->len; i++) {
    g_autofree char *other
        = rsp_model_resolve (((const RspSource *) model->sources->pdata[i])->name);
    if (g_str_equal (other, path))
      return TRUE;
  }
  return FALSE;
}

/* Adds the model before and after the edit, if both can be read and the document is part of it. */
static void add_pair (LspServer *server, const char *name, const LspDocument *document,
                      GArray *pairs) {
  Pair pair = { .before = load_with (server, name, document, document->before),
                .after = load_with (server, name, document, document->source) };
  if (pair.before && pair.after && reads (pair.after, document->path))
    g_array_append_val (pairs, pair);
  else
    clear_pair (&pair);
}

/* ---- Tests ---- */

static void add_tests (const char *folder, GPtrArray *paths) {
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  for (const char *name; files && (name = g_dir_read_name (files)) && paths->len < MOST_TESTS;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (*name != '.' && g_file_test (path, G_FILE_TEST_IS_DIR)
        && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
      add_tests (path, paths);
    else if (g_str_has_suffix (name, ".litmus"))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
}

static RspRecord *run_test (const RspProgram *program, const RspModel *model, const char *path) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  RspRunOptions options = { .show = RSPCHECK_SHOW_NONE };
  rsp_check_options_init (&options.check);
  options.check.timeout = 1;
  RspRecord *record = rsp_run_begin (program, path, "", "");
  rsp_run (program, model, &options, record, unread);
  return record;
}

/* Sets *known if some model has an answer before and after. */
static gboolean is_changed (const RspProgram *program, const char *path, const GArray *pairs,
                            gboolean *known) {
  gboolean changed = FALSE;
  for (guint i = 0; i < pairs->len && !changed; i++) {
    const Pair *pair = &g_array_index (pairs, Pair, i);
    g_autoptr (RspRecord) before = run_test (program, pair->before, path),
                          after = run_test (program, pair->after, path);
    g_auto (RspChange) change = { 0 };
    rsp_change_init (&change, before, after);
    *known |= rsp_change_is_known (&change);
    changed = rsp_change_is_known (&change) && !rsp_change_is_none (&change);
  }
  return changed;
}

/* ---- All ---- */

static void compare (const GPtrArray *paths, const GArray *pairs, LspServer *server, gint64 end,
                     GString *out) {
  g_autoptr (GString) names = g_string_new (NULL);
  guint i, n = 0, n_changed = 0;
  for (i = 0; i < paths->len && g_get_monotonic_time () < end; i++) {
    const char *path = paths->pdata[i];
    g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
    RspSource *open = g_hash_table_lookup (server->texts, path),
              *source = open ? rsp_source_ref (open) : rsp_source_read (path, NULL);
    g_autoptr (RspProgram) program = source ? rsp_litmus_parse (source, FALSE, unread) : NULL;
    gboolean known = FALSE, changed = program && is_changed (program, path, pairs, &known);
    n += known;
    n_changed += changed;
    if (changed && n_changed <= MOST_NAMED)
      g_string_append_printf (names, "%s%s", n_changed > 1 ? ", " : ": ", program->name);
  }
  g_string_append_printf (out, "the last edit changes %u of %s%u test%s%s%s", n_changed,
                          i < paths->len ? "the first " : "", n, n == 1 ? "" : "s", names->str,
                          n_changed > MOST_NAMED ? ", …" : "");
}

void lsp_changes_find (LspServer *server, const char *path, guint seconds, GString *out) {
  gint64 end = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  const LspDocument *document = NULL;
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = g_path_get_dirname (path);
  GHashTableIter iter;
  gpointer open;
  g_hash_table_iter_init (&iter, server->documents);
  while (g_hash_table_iter_next (&iter, NULL, &open))
    document = g_str_equal (((LspDocument *) open)->path, path) ? open : document;
  g_array_set_clear_func (pairs, clear_pair);
  for (guint i = 0; i < server->models->len; i++)
    add_pair (server, server->models->pdata[i], document, pairs);
  if (pairs->len == 0)
    add_pair (server, path, document, pairs);
  add_tests (server->folder ? server->folder : folder, paths);
  g_ptr_array_sort (paths, rsp_compare_names);
  if (pairs->len)
    compare (paths, pairs, server, end, out);
  else
    g_string_append (out, "the model has errors, or had some before the last edit");
}
