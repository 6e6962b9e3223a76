/* The search path of models and mappings. */
#include "api/api.h"

#include <dlfcn.h>

/* ---- The installed models ---- */
/* The path, which it takes, if it is a folder; otherwise NULL. */
static char *existing (char *path) {
  if (path && g_file_test (path, G_FILE_TEST_IS_DIR))
    return path;
  g_free (path);
  return NULL;
}

/* ../share/rspcheck/cat from the file that holds this code, where bin/, lib/ and share/ were moved
 * together; NULL if there is none. */
static char *find_moved (void) {
  Dl_info here;
  if (!dladdr ((gpointer) rsp_model_directory, &here) || !here.dli_fname
      || !g_path_is_absolute (here.dli_fname))
    return NULL;
  g_autofree char *directory = g_path_get_dirname (here.dli_fname);
  g_autofree char *parent = g_path_get_dirname (directory);
  return existing (g_build_filename (parent, "share", "rspcheck", "cat", NULL));
}

const char *rsp_model_directory (void) {
  static const char *directory;
  if (g_once_init_enter (&directory)) {
    char *moved = find_moved ();
    g_once_init_leave (&directory, moved ? moved : RSP_CAT_DIR);
  }
  return directory;
}

/* ---- Where models are searched for ---- */
static void add_folder (GPtrArray *folders, char *folder) {
  if (existing (folder))
    g_ptr_array_add (folders, folder);
}

char **rsp_directories (const char *name, const char *const *first, const char *test) {
  GPtrArray *folders = g_ptr_array_new ();
  for (guint i = 0; first && first[i]; i++)
    g_ptr_array_add (folders, g_strdup (first[i]));
  g_autofree char *folder = g_path_get_dirname (test ? test : "");
  if (!g_str_equal (folder, ".")) /* that is "as given" */
    g_ptr_array_add (folders, g_strdup (folder));
  g_auto (GStrv) library = g_strsplit (g_getenv ("RSPCHECK_LIB") ?: "", ":", -1);
  for (guint i = 0; library[i]; i++)
    if (*library[i])
      g_ptr_array_add (folders, g_strdup (library[i]));
  /* Next to the program in a checkout (above it for a build of its own), in ../share next to bin/
   * when installed, and next to the installed models. */
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *installed = g_path_get_dirname (rsp_model_directory ());
  if (program) {
    g_autofree char *directory = g_path_get_dirname (program);
    g_autofree char *parent = g_path_get_dirname (directory);
    add_folder (folders, g_build_filename (directory, name, NULL));
    add_folder (folders, g_build_filename (parent, name, NULL));
    add_folder (folders, g_build_filename (parent, "share", "rspcheck", name, NULL));
  }
  add_folder (folders, g_build_filename (installed, name, NULL));
  g_ptr_array_add (folders, NULL);
  return (char **) g_ptr_array_free (folders, FALSE);
}
