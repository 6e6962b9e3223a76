#include "cli/sinks/live.h"
#include "api/directories.h"
#include "base/json.h"
#include "model/load.h"

#include <stdio.h>
#include <string.h>

char *cli_live_find (void) {
  static const char *const places[] = { "workbench.html", "build/workbench.html" };
  g_auto (GStrv) folders = rsp_directories ("cat", NULL, NULL);
  for (guint i = 0; folders[i]; i++)
    for (gsize k = 0; k < G_N_ELEMENTS (places); k++) {
      g_autofree char *above = g_path_get_dirname (folders[i]);
      g_autofree char *path = g_build_filename (above, places[k], NULL);
      if (g_file_test (path, G_FILE_TEST_EXISTS))
        return g_steal_pointer (&path);
    }
  return NULL;
}

static gboolean is_installed (const char *path, const char *const *folders) {
  g_autofree char *folder = g_path_get_dirname (path);
  return !strcmp (folder, ".") ? FALSE : g_strv_contains (folders, folder);
}

/* The files of a model, with those that it includes, that the workbench does not have. */
static void add_model (JsonObject *texts, const char *words, const char *const *folders) {
  g_auto (GStrv) parts = g_strsplit (words, " ", 2);
  g_autoptr (RspDiagnostics) reported = rsp_diagnostics_new (); /* by the checks */
  g_autoptr (RspModel) model = rsp_model_read (parts[0], folders, NULL, NULL, reported);
  for (guint i = 0; model && i < model->sources->len; i++) {
    const RspSource *source = model->sources->pdata[i];
    g_autofree char *name = g_path_get_basename (source->name);
    if (g_file_test (source->name, G_FILE_TEST_EXISTS) && !is_installed (source->name, folders))
      json_object_set_string_member (texts, name, source->text);
  }
}

/* As text that can end no element of a page. */
static char *without_markup (JsonNode *node) {
  g_autoptr (GString) line = g_string_new (NULL);
  rsp_json_append_line (node, line);
  g_auto (GStrv) parts = g_strsplit (line->str, "<", -1);
  return g_strjoinv ("\\u003c", parts);
}

char *cli_live_format (const CliOptions *options) {
  g_autoptr (GError) error = NULL;
  g_autofree char *path = cli_live_find (), *page = NULL;
  g_auto (GStrv) folders = rsp_directories ("cat", NULL, NULL);
  JsonObject *texts = json_object_new ();
  if (path && !g_file_get_contents (path, &page, NULL, &error))
    fprintf (stderr, "error: %s\n", error->message);
  for (guint i = 0; i < options->models->len; i++)
    add_model (texts, options->models->pdata[i], (const char *const *) folders);
  JsonNode *models = json_node_init_object (json_node_alloc (), texts);
  json_object_unref (texts);
  g_autoptr (JsonNode) live
      = rsp_json_object ("page", rsp_json_text (page ? page : ""), "texts", models, NULL);
  return page ? without_markup (live) : NULL;
}
