/* Repairs: executions that rule out versions of a test without a check of their own. */
#include "parser/litmus/litmus.h"
#include "extra/edits/edits.h"
#include "tests/unit/litmus_fixture.h"
#include "tests/unit/model_fixture.h"

Suite *witness_suite (void);

#define LOCK                                                                                       \
  "  while (atomic_exchange_explicit (l, 1, memory_order_acquire, memory_scope_device)) { }\n"     \
  "  int t = *x; *x = t + 1;\n  atomic_store_explicit (l, 0, memory_order_"
#define THREAD(order)                                                                              \
  "(global atomic_int* l, global int* x) {\n" LOCK order ", memory_scope_device);\n}\n"
#define TREE "scopeTree (device (work_group P0) (work_group P1))\n"

#define MESSAGE                                                                                    \
  "P0 (global atomic_int* x, global atomic_int* y) {\n"                                            \
  "  atomic_store_explicit (x, 1, memory_order_release, memory_scope_device);\n"                   \
  "  atomic_store_explicit (y, 1, memory_order_relaxed, memory_scope_device);\n}\n"                \
  "P1 (global atomic_int* y) {\n"                                                                  \
  "  int r = atomic_load_explicit (y, memory_order_relaxed, memory_scope_device);\n}\n"

/* Programs, and how many versions, at most, are not ruled out by others' executions. */
static const struct {
  const char *text, *model; /* the name of a model, or its text */
  guint most;               /* edits */
  guint repairs;            /* minimal sets of edits */
  guint64 all, asked;       /* versions: at least, and at most */
  gboolean forbid;          /* the outcome, too */
} cases[] = {
  /* One thread's release is missing. */
  { "OpenCL A\n{ [l]=0; [x]=0; }\nP0 " THREAD ("relaxed") "P1 " THREAD ("release") TREE
    "exists (x=1)\n",
    "opencl.cat", 1, 2, 37, 4, FALSE },
  /* Both are, so that each repair has two edits. */
  { "OpenCL B\n{ [l]=0; [x]=0; }\nP0 " THREAD ("relaxed") "P1 " THREAD ("relaxed") TREE
    "exists (x=1)\n",
    "opencl.cat", 2, 4, 760, 6, FALSE },
  /* Plain reads see only what happens before them: an execution of a stronger version may be none
     of the test. */
  { "OpenCL C\n{ [x]=0; [y]=0; }\n"
    "P0 (global int* x, global atomic_int* y) {\n  *x = 1;\n"
    "  atomic_store_explicit (y, 1, memory_order_relaxed, memory_scope_device);\n}\n"
    "P1 (global int* x, global atomic_int* y) {\n"
    "  if (atomic_load_explicit (y, memory_order_relaxed, memory_scope_device)) { int r = *x; "
    "}\n}\n" TREE "exists (x=1)\n",
    "opencl.cat", 2, 3, 63, 4, FALSE },
  /* The test has a fence of its own. */
  { "OpenCL D\n{ [x]=0; [y]=0; }\n"
    "P0 (global int* x, global atomic_int* y) {\n  *x = 1;\n"
    "  atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);\n"
    "  atomic_store_explicit (y, 1, memory_order_relaxed, memory_scope_device);\n}\n"
    "P1 (global int* x, global atomic_int* y) {\n"
    "  if (atomic_load_explicit (y, memory_order_relaxed, memory_scope_device)) { int r = *x; "
    "}\n}\n" TREE "exists (x=1)\n",
    "opencl.cat", 1, 1, 19, 2, FALSE },
  /* A model in which more edits forbid more, and allow more. */
  { "OpenCL E\n{ [x]=0; [y]=0; [z]=0; }\n"
    "P0 (global int* x, global int* y, global atomic_int* z) {\n  *x = 1;\n  *y = 1;\n"
    "  atomic_store_explicit (z, 1, memory_order_relaxed, memory_scope_device);\n}\n"
    "P1 (global atomic_int* z) {\n"
    "  int r = atomic_load_explicit (z, memory_order_relaxed, memory_scope_device);\n}\n" TREE
    "exists (1:r=1)\n",
    "\"E\"\n"
    "undefined_unless empty ([na & M] ; po ; [na & M]) \\ (po ; [F] ; po) as plain\n"
    "undefined_unless empty ([F] ; po ; [memory_order_relaxed]) as fenced\n"
    "acyclic (po & loc) | rf | co as order\n"
    "empty [memory_order_release] ; (rf & ext) ; [memory_order_relaxed] as half\n",
    2, 4, 115, 6, TRUE },
  /* A flag that is raised only where an edit is made: what comes after a fence is read. */
  { "OpenCL F\n{ [x]=0; [y]=0; }\n" MESSAGE TREE "exists (1:r=1)\n",
    "\"F\"\nacyclic (po & loc) | rf | co as order\nlet after = ([F] ; po)^-1 ; ([F] ; po)\n"
    "undefined_unless empty [memory_order_relaxed & W] \\ after as weak\n"
    "undefined_unless empty after ; (rf & ext) ; [memory_order_relaxed] as half\n",
    2, 1, 12, 3, FALSE },
};

START_TEST (most_versions_are_ruled_out) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = model_load (cases[_i].model, diagnostics);
  g_autoptr (RspProgram) program = litmus_parse ("%s", cases[_i].text);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  SynthTask task = { .program = program,
                     .model = model,
                     .check = &options,
                     .most = cases[_i].most,
                     .forbid = cases[_i].forbid,
                     .costs = { 1, 1, 1, 1, 1, 1 } };
  ck_assert (rsp_synth_repair (&task, diagnostics));
  ck_assert_uint_eq (task.found->len, cases[_i].repairs);
  ck_assert_uint_ge (task.checks, cases[_i].all);
  ck_assert_uint_le (task.checks - task.ruled_out, cases[_i].asked);
  rsp_synth_task_clear (&task);
}
END_TEST

Suite *witness_suite (void) {
  Suite *suite = suite_create ("witness");
  TCase *test_case = tcase_create ("witness");
  tcase_add_loop_test (test_case, most_versions_are_ruled_out, 0, G_N_ELEMENTS (cases));
  suite_add_tcase (suite, test_case);
  return suite;
}
