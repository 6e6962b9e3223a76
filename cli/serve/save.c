#include "cli/serve/save.h"

#include <stdlib.h>
#include <string.h>

/* Is the folder of that path the current one or below it, also behind links? */
static gboolean is_below (const char *path) {
  g_autofree char *folder = g_path_get_dirname (path);
  char *here = realpath (".", NULL), *there = realpath (folder, NULL);
  gsize length = here ? strlen (here) : 0;
  gboolean found = here && there && strncmp (there, here, length) == 0
                   && (there[length] == '\0' || there[length] == '/' || length == 1);
  free (here);
  free (there);
  return found;
}

char *serve_save (JsonNode *request) {
  static const char *const suffixes[] = { ".litmus", ".cat", ".map", ".cl" };
  const char *name = rsp_json_as_text (rsp_json_get (request, "name", NULL)),
             *text = rsp_json_as_text (rsp_json_get (request, "text", NULL));
  gboolean is_ours = FALSE;
  for (gsize i = 0; name && i < G_N_ELEMENTS (suffixes); i++)
    is_ours |= g_str_has_suffix (name, suffixes[i]);
  if (!is_ours || !text)
    return g_strdup ("only tests, models, mappings and kernels are saved");
  if (g_path_is_absolute (name) || !is_below (name) || g_file_test (name, G_FILE_TEST_IS_SYMLINK))
    return g_strdup ("that is outside the folder of the server");
  g_autoptr (GError) error = NULL;
  g_file_set_contents (name, text, -1, &error);
  return error ? g_strdup (error->message) : NULL;
}
