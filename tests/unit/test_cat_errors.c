/* What is said of wrong models: each tests/errors/cat/NAME.cat against NAME.expected, letter by
 * letter. RSP_PROMOTE=1 writes the expected files anew, to be reviewed. */
#include "model/model.h"

#include <check.h>
#include <string.h>

#define FOLDER "tests/errors/cat"

Suite *cat_errors_suite (void);

/* What the diagnostics of a model print. */
static char *
complaints (const char *path)
{
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspModel *model = rsp_model_load (path, NULL, NULL, diagnostics);
  ck_assert_msg (!model, "%s passes", path);
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < rsp_diagnostics_count (diagnostics); i++)
    rsp_diagnostic_format (rsp_diagnostics_get (diagnostics, i), FALSE, out);
  return g_string_free (out, FALSE);
}

static int
by_name (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static GPtrArray *
wrong_models (void)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GDir *folder = g_dir_open (FOLDER, 0, NULL);
  ck_assert_msg (folder != NULL, "run this in the folder that holds " FOLDER);
  for (const char *name = g_dir_read_name (folder); name; name = g_dir_read_name (folder))
    if (g_str_has_suffix (name, ".cat"))
      g_ptr_array_add (names, g_build_filename (FOLDER, name, NULL));
  g_dir_close (folder);
  g_ptr_array_sort (names, by_name);
  return names;
}

START_TEST (wrong_models_are_explained)
{
  g_autoptr (GPtrArray) names = wrong_models ();
  ck_assert_uint_ge (names->len, 40);
  guint failed = 0;
  for (guint i = 0; i < names->len; i++)
    {
      const char *path = names->pdata[i];
      g_autofree char *said = complaints (path);
      g_autofree char *stem = g_strndup (path, strlen (path) - strlen (".cat"));
      g_autofree char *file = g_strconcat (stem, ".expected", NULL);
      g_autofree char *expected = NULL;
      if (g_getenv ("RSP_PROMOTE"))
        g_file_set_contents (file, said, -1, NULL);
      else if (!g_file_get_contents (file, &expected, NULL, NULL) || strcmp (said, expected) != 0)
        {
          g_printerr ("%s:\n--- expected\n%s--- said\n%s", path, expected ? expected : "", said);
          failed++;
        }
    }
  ck_assert_uint_eq (failed, 0);
}
END_TEST

Suite *
cat_errors_suite (void)
{
  Suite *suite = suite_create ("cat_errors");
  TCase *tcase = tcase_create ("cat_errors");
  tcase_add_test (tcase, wrong_models_are_explained);
  suite_add_tcase (suite, tcase);
  return suite;
}
