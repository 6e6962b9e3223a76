#include "cli/serve/texts.h"
#include "api/directories.h"
#include "base/names.h"
#include "base/source.h"
#include "cli/select/inputs.h"

#include <string.h>

/* Adds the text at a path, if it can be read. */
static gboolean add_text (JsonObject *texts, const char *name, const char *path,
                          RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  RspSource *source = rsp_source_read (path, &error);
  if (source && g_utf8_validate (source->text, (gssize) source->length, NULL))
    json_object_set_string_member (texts, name, source->text);
  else
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s",
               error ? error->message : "a test is not UTF-8");
  rsp_source_unref (source);
  return json_object_get_member (texts, name) != NULL;
}

/* The files of a folder with this suffix, under `name` and a slash; those that there are already
 * stay. */
static void add_folder (JsonObject *texts, const char *name, const char *folder, const char *suffix,
                        RspDiagnostics *unread) {
  g_autoptr (GDir) files = g_dir_open (folder, 0, NULL);
  for (const char *file; files && (file = g_dir_read_name (files));) {
    g_autofree char *path = g_build_filename (folder, file, NULL),
                    *key = g_strconcat (name, "/", file, NULL);
    if (g_str_has_suffix (file, suffix) && !json_object_get_member (texts, key))
      add_text (texts, key, path, unread);
  }
}

static void add_installed (JsonObject *texts, const char *name, const char *suffix,
                           RspDiagnostics *unread) {
  g_auto (GStrv) folders = rsp_directories (name, NULL, NULL);
  for (guint i = 0; folders[i]; i++)
    add_folder (texts, name, folders[i], suffix, unread);
}

/* The expectations of each folder of tests, if it has any. */
static void add_expected (JsonObject *expected, const char *folder, RspDiagnostics *unread) {
  g_autoptr (GDir) suites = g_dir_open (folder, 0, NULL);
  for (const char *suite; suites && (suite = g_dir_read_name (suites));) {
    g_autofree char *path = g_build_filename (folder, suite, "expected.tsv", NULL),
                    *key = g_strconcat (suite, "/expected.tsv", NULL);
    if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
      add_text (expected, key, path, unread);
  }
}

/* The tests and kernels that come with the program, and what models say of them: in litmus/ of a
 * checkout, or beside the documentation. */
static void add_shipped (JsonObject *tests, JsonObject *expected, RspDiagnostics *unread) {
  static const char *const names[] = { "litmus", "../doc/rspcheck/examples/litmus" };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_auto (GStrv) folders = rsp_directories (names[i], NULL, NULL);
    g_autoptr (GPtrArray) inputs = g_ptr_array_new ();
    if (!folders[0])
      continue;
    g_ptr_array_add (inputs, folders[0]);
    g_autoptr (GPtrArray) paths = cli_inputs_expand (inputs, unread);
    for (guint k = 0; k < paths->len; k++)
      add_text (tests, (const char *) paths->pdata[k] + strlen (folders[0]) + 1, paths->pdata[k],
                unread);
    g_autofree char *kernels = g_build_filename (folders[0], "kernels", NULL);
    add_folder (tests, "kernels", kernels, ".cl", unread);
    add_expected (expected, folders[0], unread);
    return;
  }
}

static JsonNode *take (JsonObject *object) {
  JsonNode *node = json_node_init_object (json_node_alloc (), object);
  json_object_unref (object);
  return node;
}

JsonNode *serve_texts (const CliOptions *options, RspDiagnostics *diagnostics) {
  JsonObject *installed = json_object_new (), *tests = json_object_new (),
             *expected = json_object_new ();
  JsonArray *given = json_array_new (), *models = json_array_new ();
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  add_installed (installed, "cat", ".cat", unread);
  add_installed (installed, "machine", ".map", unread);
  add_shipped (tests, expected, unread);
  g_autoptr (GPtrArray) paths = cli_inputs_expand (options->inputs, diagnostics);
  for (guint i = 0; i < paths->len; i++)
    if (add_text (tests, paths->pdata[i], paths->pdata[i], diagnostics))
      rsp_json_add (given, rsp_json_text (paths->pdata[i]));
  for (guint i = 0; i < options->models->len; i++) {
    const char *path = options->models->pdata[i];
    g_autofree char *name = g_path_get_basename (path), *key = g_strconcat ("cat/", name, NULL);
    if (g_file_test (path, G_FILE_TEST_EXISTS))
      add_text (installed, key, path, diagnostics);
    rsp_json_add (models, rsp_json_text (name));
  }
  return rsp_json_object ("installed", take (installed), "tests", take (tests), "expected",
                          take (expected), "given", rsp_json_list (given), "models",
                          rsp_json_list (models), "write", rsp_json_boolean (options->may_write),
                          NULL);
}
