/* Hangs: the solver, asked about each promise after one step of the search, changes no answer. */
#include "enumerator/search/hang.h"
#include "model/model.h"
#include "parser/litmus/litmus.h"
#include "tests/unit/litmus_fixture.h"

Suite *hangs_suite (void);

static const struct {
  const char *file, *model;
} cases[] = {
  { "alone", "sc.cat" },         { "gives-back", "sc.cat" },    { "in-line", "sc.cat" },
  { "livelock", "sc.cat" },      { "lock", "sc.cat" },          { "lock-and-below", "sc.cat" },
  { "nobody-waits", "sc.cat" },  { "waits-above", "sc.cat" },   { "waits-below", "sc.cat" },
  { "waits-below", "rc11.cat" }, { "waits-above", "rc11.cat" }, { "lock", "rc11.cat" },
  { "barrier", "opencl.cat" },
};

static RspHangs *find_hangs (const RspProgram *program, const RspModel *model, guint solver_after,
                             const GArray *promises, RspDiagnostics *diagnostics) {
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.solver_after = solver_after;
  return rsp_hangs_find (program, model, &options, (const RspProgress *) promises->data,
                         promises->len, NULL, diagnostics);
}

START_TEST (solver_changes_nothing) {
  static const char *const directories[] = { "cat", NULL };
  g_autofree char *path = g_strdup_printf ("litmus/progress/%s.litmus", cases[_i].file);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = rsp_model_load (cases[_i].model, directories, NULL, diagnostics);
  g_autoptr (RspProgram) program = litmus_parse_file (path);
  g_autoptr (GArray) promises = g_array_new (FALSE, FALSE, sizeof (RspProgress));
  rsp_progress_append_all (promises);
  RspHangs *searched = find_hangs (program, model, 0, promises, diagnostics);
  RspHangs *asked = find_hangs (program, model, 1, promises, diagnostics);
  for (guint i = 0; i < promises->len; i++)
    ck_assert_msg (searched->items[i].hangs == asked->items[i].hangs, "%s: promise %u",
                   cases[_i].file, i);
  ck_assert_int_eq (searched->stop, asked->stop);
  ck_assert_int_eq (searched->bounded, asked->bounded);
  rsp_hangs_free (searched);
  rsp_hangs_free (asked);
}
END_TEST

Suite *hangs_suite (void) {
  Suite *suite = suite_create ("hangs");
  TCase *test_case = tcase_create ("hangs");
  tcase_add_loop_test (test_case, solver_changes_nothing, 0, G_N_ELEMENTS (cases));
  suite_add_tcase (suite, test_case);
  return suite;
}
