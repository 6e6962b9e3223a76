/* The messages for wrong models: tests/errors/cat/. */
#include "model/load.h"
#include "model/model.h"
#include "tests/diagnostics_text.h"
#include "tests/unit/complaints.h"

#include <check.h>

Suite *cat_errors_suite (void);

static char *complain_of_model (const char *path) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspModel *model = rsp_model_load (path, NULL, NULL, diagnostics);
  ck_assert_msg (!model, "%s passes", path);
  return diagnostics_text (diagnostics);
}

static const Complaints wrong_files = { "tests/errors/cat", ".cat", complain_of_model };

START_TEST (wrong_models_are_explained) { complaints_check (&wrong_files, _i); }
END_TEST

Suite *cat_errors_suite (void) {
  Suite *suite = suite_create ("cat_errors");
  TCase *tcase = tcase_create ("cat_errors");
  tcase_add_loop_test (tcase, wrong_models_are_explained, 0, complaints_count (&wrong_files));
  suite_add_tcase (suite, tcase);
  return suite;
}
