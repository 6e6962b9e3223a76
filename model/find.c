/* Finds the files of models. */
#include "model/find.h"
#include "model/library.h"
#include "base/suggest.h"

#include <string.h>

/* "did you mean …?", naming a file next to the path or in the directories; NULL if none is
 * similar. */
static char *near_file (const char *path, const char *folder, const char *const *directories) {
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *directory = folder && !g_path_is_absolute (path)
                                   ? g_build_filename (folder, parent, NULL)
                                   : g_strdup (parent);
  g_autoptr (GPtrArray) folders = g_ptr_array_new ();
  g_ptr_array_add (folders, directory);
  for (guint i = 0; directories && directories[i]; i++)
    g_ptr_array_add (folders, (gpointer) directories[i]);
  g_ptr_array_add (folders, NULL);
  g_autofree char *near = rsp_near_file (name, (const char *const *) folders->pdata, ".cat");
  return near ? g_strdup_printf ("did you mean `%s`?", near) : NULL;
}

char *load_hint (const char *path, const char *folder, const char *const *directories) {
  char *near = near_file (path, folder, directories);
  if (near || g_path_is_absolute (path))
    return near;
  GString *hint = g_string_new ("looked in ");
  g_string_append (hint, folder ? folder : ".");
  for (guint i = 0; directories && directories[i]; i++)
    g_string_append_printf (hint, ", %s", directories[i]);
  return g_string_free (hint, FALSE);
}

const char *load_builtin (const char *path) {
  for (const LibraryFile *file = library_files; file->name; file++)
    if (strcmp (path, file->name) == 0)
      return file->text;
  return NULL;
}
