/* Finding the files of models. */
#include "model/find.h"
#include "model/library.h"
#include "base/suggest.h"

#include <string.h>

static gboolean
is_file (const char *path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_DIR);
}

static char *
find_below (const char *path, const char *folder)
{
  g_autofree char *plain = folder && !g_path_is_absolute (path)
                               ? g_build_filename (folder, path, NULL)
                               : g_strdup (path);
  if (is_file (plain))
    return g_steal_pointer (&plain);
  g_autofree char *longer = g_strconcat (plain, ".cat", NULL);
  return is_file (longer) ? g_steal_pointer (&longer) : NULL;
}

char *
load_find (const char *path, const char *folder, const char *const *directories)
{
  char *found = find_below (path, folder);
  for (guint i = 0; !found && directories && directories[i] && !g_path_is_absolute (path); i++)
    found = find_below (path, directories[i]);
  return found;
}

static void
add_files_of (GPtrArray *names, const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  if (!dir)
    return;
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir))
    if (g_str_has_suffix (name, ".cat"))
      g_ptr_array_add (names, g_strdup (name));
  g_dir_close (dir);
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char *
near_file (const char *path, const char *folder, const char *const *directories)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *directory = folder && !g_path_is_absolute (path)
                                   ? g_build_filename (folder, parent, NULL)
                                   : g_strdup (parent);
  add_files_of (names, directory);
  for (guint i = 0; directories && directories[i]; i++)
    add_files_of (names, directories[i]);
  g_ptr_array_sort (names, by_name);
  g_ptr_array_add (names, NULL);
  g_autofree char *longer = g_strconcat (name, ".cat", NULL);
  gboolean has_suffix = g_str_has_suffix (name, ".cat");
  return rsp_did_you_mean (has_suffix ? name : longer, (const char *const *) names->pdata);
}

char *
load_hint (const char *path, const char *folder, const char *const *directories)
{
  char *near = near_file (path, folder, directories);
  if (near || g_path_is_absolute (path))
    return near;
  GString *hint = g_string_new ("looked in ");
  g_string_append (hint, folder ? folder : ".");
  for (guint i = 0; directories && directories[i]; i++)
    g_string_append_printf (hint, ", %s", directories[i]);
  return g_string_free (hint, FALSE);
}

const char *
load_builtin (const char *path)
{
  for (const LibraryFile *file = library_files; file->name; file++)
    if (strcmp (path, file->name) == 0)
      return file->text;
  return NULL;
}
