/* Repairs: executions that rule out versions of a test without a check of their own. */
#include "model/load.h"
#include "parser/litmus/parse.h"
#include "synth/edits/repair.h"
#include "tests/unit/litmus_fixture.h"

Suite *witness_suite (void);

#define LOCK                                                                                       \
  "  while (atomic_exchange_explicit (l, 1, memory_order_acquire, memory_scope_device)) { }\n"     \
  "  int t = *x; *x = t + 1;\n  atomic_store_explicit (l, 0, memory_order_"
#define THREAD(order)                                                                              \
  "(global atomic_int* l, global int* x) {\n" LOCK order ", memory_scope_device);\n}\n"
#define TREE "scopeTree (device (work_group P0) (work_group P1))\n"

/* Programs, and how many versions, at most, are not ruled out by others' executions. */
static const struct
{
  const char *text, *model;
  guint most;         /* edits */
  guint repairs;      /* minimal sets of edits */
  guint64 all, asked; /* versions: at least, and at most */
} cases[] = {
  /* One thread's release is missing. */
  { "OpenCL A\n{ [l]=0; [x]=0; }\nP0 " THREAD ("relaxed") "P1 " THREAD ("release") TREE
    "exists (x=1)\n",
    "opencl.cat", 1, 2, 37, 4 },
  /* Both are, so that each repair has two edits. */
  { "OpenCL B\n{ [l]=0; [x]=0; }\nP0 " THREAD ("relaxed") "P1 " THREAD ("relaxed") TREE
    "exists (x=1)\n",
    "opencl.cat", 2, 4, 760, 8 },
  /* Plain reads see only what happens before them: an execution of a stronger version may be none of the test. */
  { "OpenCL C\n{ [x]=0; [y]=0; }\n"
    "P0 (global int* x, global atomic_int* y) {\n  *x = 1;\n"
    "  atomic_store_explicit (y, 1, memory_order_relaxed, memory_scope_device);\n}\n"
    "P1 (global int* x, global atomic_int* y) {\n"
    "  if (atomic_load_explicit (y, memory_order_relaxed, memory_scope_device)) { int r = *x; "
    "}\n}\n" TREE "exists (x=1)\n",
    "opencl.cat", 2, 3, 63, 6 },
};

START_TEST (most_versions_are_ruled_out)
{
  static const char *const directories[] = { "cat", NULL };
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = rsp_model_load (cases[_i].model, directories, NULL, diagnostics);
  g_autoptr (RspProgram) program = litmus_parse ("%s", cases[_i].text);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  SynthTask task = { .program = program,
                     .model = model,
                     .check = &options,
                     .most = cases[_i].most,
                     .costs = { 1, 1, 1, 1, 1, 1 } };
  ck_assert (rsp_synth_repair (&task, diagnostics));
  ck_assert_uint_eq (task.found->len, cases[_i].repairs);
  ck_assert_uint_ge (task.checks, cases[_i].all);
  ck_assert_uint_le (task.checks - task.ruled_out, cases[_i].asked);
  rsp_synth_task_clear (&task);
}
END_TEST

Suite *
witness_suite (void)
{
  Suite *suite = suite_create ("witness");
  TCase *test_case = tcase_create ("witness");
  tcase_add_loop_test (test_case, most_versions_are_ruled_out, 0, G_N_ELEMENTS (cases));
  suite_add_tcase (suite, test_case);
  return suite;
}
