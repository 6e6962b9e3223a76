#include "tests/unit/complaints.h"

#include <check.h>
#include <string.h>

char *
complaints_text (const RspDiagnostics *diagnostics)
{
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++)
    rsp_diagnostic_format (rsp_diagnostics_get (diagnostics, i), FALSE, out);
  return g_string_free (out, FALSE);
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
wrong_files (const char *folder, const char *suffix)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  GDir *dir = g_dir_open (folder, 0, NULL);
  ck_assert_msg (dir != NULL, "run this in the folder that holds %s", folder);
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir))
    if (g_str_has_suffix (name, suffix))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_dir_close (dir);
  g_ptr_array_sort (paths, by_name);
  return paths;
}

/* Compares one file's complaints, or promotes them. */
static gboolean
check_file (const char *path, const char *suffix, const char *said)
{
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (suffix));
  g_autofree char *file = g_strconcat (stem, ".expected", NULL);
  g_autofree char *expected = NULL;
  if (g_getenv ("RSP_PROMOTE"))
    return g_file_set_contents (file, said, -1, NULL);
  if (g_file_get_contents (file, &expected, NULL, NULL) && strcmp (said, expected) == 0)
    return TRUE;
  g_printerr ("%s:\n--- expected\n%s--- said\n%s", path, expected ? expected : "", said);
  return FALSE;
}

void
complaints_check (const char *folder, const char *suffix, guint least, Complain complain)
{
  g_autoptr (GPtrArray) paths = wrong_files (folder, suffix);
  ck_assert_uint_ge (paths->len, least);
  guint failed = 0;
  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *said = complain (paths->pdata[i]);
      failed += !check_file (paths->pdata[i], suffix, said);
    }
  ck_assert_uint_eq (failed, 0);
}
