/* Loading models: every tests/models/NAME.cat and every shipped model loads; what is recorded. */
#include "model/model.h"
#include "tests/diagnostics_text.h"

#include <check.h>
#include <glib/gstdio.h>
#include <string.h>

#define FOLDER "tests/models"

Suite *model_load_suite (void);

static RspDiagnostics *diagnostics;

static void set_up (void) { diagnostics = rsp_diagnostics_new (); }

static void tear_down (void) { rsp_diagnostics_free (diagnostics); }

static RspModel *load_with (const char *path, const char *directory, const char *variant) {
  const char *directories[] = { directory, NULL }, *variants[] = { variant, NULL };
  return rsp_model_load (path, directories, variants, diagnostics);
}

static void expect_loaded (const RspModel *model, const char *path) {
  if (model && rsp_diagnostics_count (diagnostics) == 0)
    return;
  ck_abort_msg ("%s: %s", path, diagnostics_text (diagnostics));
}

/* Loads every cat file of a folder; gives their number. */
static guint load_folder (const char *folder) {
  guint n = 0;
  GDir *dir = g_dir_open (folder, 0, NULL);
  ck_assert_msg (dir != NULL, "run this in the folder that holds %s", folder);
  for (const char *name = g_dir_read_name (dir); name; name = g_dir_read_name (dir)) {
    if (!g_str_has_suffix (name, ".cat"))
      continue;
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autoptr (RspModel) model = load_with (path, NULL, NULL);
    expect_loaded (model, path);
    n++;
  }
  g_dir_close (dir);
  return n;
}

START_TEST (models_of_strangers_load) { ck_assert_uint_ge (load_folder (FOLDER), 8); }
END_TEST

START_TEST (names_and_options_are_kept) {
  g_autoptr (RspModel) old = load_with (FOLDER "/dialect-2015.cat", NULL, NULL);
  ck_assert_str_eq (old->name, "OpenCL");
  ck_assert (old->with_sc);
  g_autoptr (RspModel) plain = load_with (FOLDER "/empties.cat", NULL, NULL);
  ck_assert_str_eq (plain->name, "empties");
  ck_assert (!plain->with_sc);
}
END_TEST

START_TEST (rmw_is_what_the_model_takes_it_for) {
  g_autoptr (RspModel) old = load_with (FOLDER "/dialect-2015.cat", NULL, NULL);
  ck_assert (!old->rmw_is_relation);
  g_autoptr (RspModel) new = load_with (FOLDER "/herd7-c11.cat", NULL, NULL);
  ck_assert (new->rmw_is_relation);
}
END_TEST

START_TEST (includes_are_found_and_recorded) {
  g_autoptr (RspModel) model = load_with (FOLDER "/includes.cat", NULL, NULL);
  expect_loaded (model, "includes.cat");
  ck_assert_uint_eq (model->sources->len, 5); /* the last stands before every model */
  static const char *const names[] = { "includes.cat", "first.cat", "second.cat", "first.cat" };
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA256);
  for (guint i = 0; i < 4; i++) {
    const RspSource *source = model->sources->pdata[i];
    ck_assert (g_str_has_suffix (source->name, names[i]));
    g_checksum_update (sum, (const guchar *) source->text, (gssize) source->length);
  }
  ck_assert_str_eq (model->digest, g_checksum_get_string (sum));
  g_checksum_free (sum);
  ck_assert_str_eq (model->name, "includes");
  const RspCatStatement *include = model->statements;
  ck_assert_int_eq (include->kind, RSP_CAT_STMT_INCLUDE);
  ck_assert_ptr_nonnull (include->included);
}
END_TEST

/* c11_cos.cat, c11_los.cat and stdlib.cat, whatever lies next to the model. */
START_TEST (builtin_files_are_read) {
  g_autoptr (RspModel) model = load_with (FOLDER "/herd7-c11.cat", NULL, NULL);
  ck_assert_ptr_nonnull (model->statements->included);
  ck_assert_uint_eq (model->sources->len, 5); /* the last stands before every model */
}
END_TEST

START_TEST (models_are_looked_for) {
  static const char *const spellings[]
      = { FOLDER "/empties.cat", FOLDER "/empties", "empties.cat", "empties" };
  for (gsize i = 0; i < G_N_ELEMENTS (spellings); i++) {
    g_autoptr (RspModel) model = load_with (spellings[i], FOLDER, NULL);
    expect_loaded (model, spellings[i]);
    ck_assert_str_eq (model->path, FOLDER "/empties.cat");
  }
}
END_TEST

START_TEST (variants_choose) {
  g_autoptr (RspModel) lax = load_with (FOLDER "/variants.cat", NULL, "lax");
  expect_loaded (lax, "variants.cat");
  ck_assert (rsp_model_has_variant (lax, "lax"));
  ck_assert (!rsp_model_has_variant (lax, "strict"));
  g_autoptr (RspModel) strict = load_with (FOLDER "/variants.cat", NULL, "strict");
  ck_assert_ptr_null (strict);
  const RspDiagnostic *error = rsp_diagnostics_get (diagnostics, 0);
  ck_assert_str_eq (error->message, "cannot find the file `there-is-no-such-file.cat`");
}
END_TEST

/* A model in a file of its own, loaded. */
static RspModel *load_text (const char *text) {
  g_autofree char *path = NULL;
  g_close (g_file_open_tmp ("rspcheck-XXXXXX.cat", &path, NULL), NULL);
  ck_assert (g_file_set_contents (path, text, -1, NULL));
  RspModel *model = load_with (path, NULL, NULL);
  g_unlink (path);
  return model;
}

/* Long chains of definitions that only their last use makes go deep. */
START_TEST (long_chains_of_functions) {
  g_autoptr (GString) text = g_string_new ("let f0(r) = r\n");
  for (guint i = 1; i <= 300; i++)
    g_string_append_printf (text, "let f%u(r) = f%u(r) | f%u(r)\n", i, i - 1, i - 1);
  g_string_append (text, "acyclic f300(po)\nempty f300(W)\n");
  g_autoptr (RspModel) model = load_text (text->str);
  expect_loaded (model, "chain");
  for (guint i = 301; i <= 20000; i++)
    g_string_append_printf (text, "let f%u(r) = f%u(r)\n", i, i - 1);
  g_string_append (text, "acyclic f20000(po)\n");
  g_autoptr (RspModel) long_model = load_text (text->str);
  ck_assert_ptr_null (long_model);
  ck_assert_uint_eq (rsp_diagnostics_count (diagnostics), 1);
}
END_TEST

START_TEST (includes_have_an_end) {
  g_autofree char *folder = g_dir_make_tmp ("rspcheck-XXXXXX", NULL);
  for (guint i = 0; i < 12; i++) {
    g_autofree char *name = g_strdup_printf ("f%u.cat", i);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autofree char *text = g_strdup_printf ("include \"f%u\"\ninclude \"f%u\"\n", i + 1, i + 1);
    ck_assert (g_file_set_contents (path, i < 11 ? text : "let x = po", -1, NULL));
  }
  g_autoptr (RspModel) model = load_with ("f0", folder, NULL);
  ck_assert_ptr_null (model);
  ck_assert_uint_eq (rsp_diagnostics_count (diagnostics), 1);
  g_autoptr (RspModel) smaller = load_with ("f5", folder, NULL);
  ck_assert_ptr_nonnull (smaller);
  ck_assert_uint_eq (smaller->sources->len, 128);
  for (guint i = 0; i < 12; i++) {
    g_autofree char *name = g_strdup_printf ("f%u.cat", i);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
}
END_TEST

Suite *model_load_suite (void) {
  Suite *suite = suite_create ("model_load");
  TCase *tcase = tcase_create ("model_load");
  tcase_add_checked_fixture (tcase, set_up, tear_down);
  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, models_of_strangers_load);
  tcase_add_test (tcase, names_and_options_are_kept);
  tcase_add_test (tcase, rmw_is_what_the_model_takes_it_for);
  tcase_add_test (tcase, includes_are_found_and_recorded);
  tcase_add_test (tcase, builtin_files_are_read);
  tcase_add_test (tcase, models_are_looked_for);
  tcase_add_test (tcase, variants_choose);
  tcase_add_test (tcase, long_chains_of_functions);
  tcase_add_test (tcase, includes_have_an_end);
  suite_add_tcase (suite, tcase);
  return suite;
}
