#include "tests/unit/complaints.h"

#include <check.h>
#include <glib/gstdio.h>
#include <string.h>

static int by_name (gconstpointer a, gconstpointer b) {
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *wrong_files (const Complaints *complaints) {
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  GDir *dir = g_dir_open (complaints->folder, 0, NULL);
  if (!dir) /* counted before any test runs: no assertion of Check may be used */
    g_error ("run this in the folder that holds %s", complaints->folder);
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir))
    if (g_str_has_suffix (name, complaints->suffix))
      g_ptr_array_add (paths, g_build_filename (complaints->folder, name, NULL));
  g_dir_close (dir);
  g_ptr_array_sort (paths, by_name);
  return paths;
}

/* A unified diff of two texts, as diff(1) prints it. */
static char *difference (const char *expected, const char *found) {
  g_autofree char *a = NULL, *b = NULL, *out = NULL;
  g_close (g_file_open_tmp ("expected-XXXXXX", &a, NULL), NULL);
  g_close (g_file_open_tmp ("found-XXXXXX", &b, NULL), NULL);
  g_file_set_contents (a, expected, -1, NULL);
  g_file_set_contents (b, found, -1, NULL);
  const char *const command[]
      = { "diff", "-u", "--label", "expected", "--label", "printed", a, b, NULL };
  g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, NULL, NULL,
                NULL);
  g_remove (a);
  g_remove (b);
  return g_steal_pointer (&out);
}

int complaints_count (const Complaints *complaints) {
  g_autoptr (GPtrArray) paths = wrong_files (complaints);
  return (int) paths->len;
}

void complaints_check (const Complaints *complaints, int i) {
  g_autoptr (GPtrArray) paths = wrong_files (complaints);
  const char *path = paths->pdata[i];
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (complaints->suffix));
  g_autofree char *file = g_strconcat (stem, ".expected", NULL);
  g_autofree char *expected = NULL, *found = complaints->complain (path);
  if (g_getenv ("RSP_PROMOTE"))
    g_file_set_contents (file, found, -1, NULL);
  if (!g_file_get_contents (file, &expected, NULL, NULL))
    expected = g_strdup ("");
  if (strcmp (found, expected) == 0)
    return;
  g_autofree char *diff = difference (expected, found);
  ck_abort_msg ("%s: not complained of as expected (RSP_PROMOTE=1 takes what is printed)\n%s", path,
                diff ? diff : found);
}
