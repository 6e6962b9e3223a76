/* Threads whose places in the scope tree make no difference; answers without counts. */
#include "enumerator/search/search.h"
#include "enumerator/sat/internal.h"
#include "enumerator/sat/sat.h"
#include "parser/litmus/litmus.h"
#include "tests/unit/litmus_fixture.h"
#include "tests/unit/model_fixture.h"
#include "tests/unit/paths_of.h"

Suite *places_suite (void);

#define THREAD  "(global atomic_int* x, global int* y) {\n"
#define ORDER   "\"Order\"\nacyclic po | rf | co as order\n"
#define RELEASE "  atomic_store_explicit (x, 1, memory_order_release, memory_scope_"

/* Four threads of the same code in two work-groups: the classes under the model, as digits. */
static const struct {
  const char *body, *model, *classes;
} cases[] = {
  { "  *y = 1;\n" RELEASE "device);\n", "opencl.cat", "0000" },
  { "  *y = 1;\n" RELEASE "work_group);\n", "opencl.cat", "0022" },
  { "  int r = 0;\n  if (*y == 1) { r = 1; }\n" RELEASE "device);\n", "opencl.cat", "0000" },
  /* a scope that only one path has */
  { "  int r = *y;\n  if (r == 1) {\n" RELEASE "work_group);\n  } else {\n" RELEASE
    "device);\n  }\n",
    "opencl.cat", "0022" },
  { RELEASE "device);\n  barrier (CLK_GLOBAL_MEM_FENCE);\n", "opencl.cat", "0022" },
  /* barriers are one work-group's, also for a model that knows none */
  { "  atomic_load (x);\n  barrier (CLK_GLOBAL_MEM_FENCE);\n", ORDER, "0022" },
  { "  atomic_load (x);\n", ORDER, "0000" },
  { RELEASE "device);\n", "opencl_rem.cat", "0000" },
  /* what a closure makes of steps that places decide */
  { "  *y = 1;\n  atomic_load (x);\n" RELEASE "device);\n",
    "\"Ends\"\nempty [na] ; (po | wg & (W * R))+ ; [atomicloc & W] as ends\n", "0022" },
  /* what is true of a work-group is true of its device, whose places are all alike, unless more of
   * it counts */
  { RELEASE "device);\n", "\"Nested\"\nempty (([W]; co) & wg) | (([W]; co) & dev) as nested\n",
    "0000" },
  { RELEASE "device);\n", "\"Apart\"\nempty (([W]; co) & dev) | (([W]; (co | po)) & wg) as apart\n",
    "0022" },
  { RELEASE "device);\n", "\"Wider\"\nempty (([W]; co) & sg) | (([W]; co) & wg) as wider\n",
    "0022" },
  /* a model that looks into classes, which are known for one execution at a time: the tree decides
   */
  { RELEASE "device);\n", "hrf_direct.cat", "0022" },
};

START_TEST (places_that_make_no_difference) {
  g_autoptr (GString) text = g_string_new ("OpenCL T\n{ [x]=0; [y]=0; }\n");
  for (guint i = 0; i < 4; i++)
    g_string_append_printf (text, "P%u " THREAD "%s}\n", i, cases[_i].body);
  g_string_append (text,
                   "scopeTree (device (work_group P0 P1) (work_group P2 P3))\nexists (x=1)\n");
  g_autoptr (PathsOf) p = paths_of (text->str, 2);
  g_autoptr (RspModel) model = model_load (cases[_i].model, p->diagnostics);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  RspBudget budget = { 0 };
  guint class[4];
  char classes[] = "....";
  ck_assert (places_find_classes (p->program, model, p->paths, &budget, class));
  for (guint i = 0; i < 4; i++)
    classes[i] = (char) ('0' + class[i]);
  ck_assert_str_eq (classes, cases[_i].classes);
}
END_TEST

typedef struct Defined {
  Circuit *circuit;
  Lit reason;
  guint n_forward;
} Defined;

static void define_by_reason (gpointer data, G_GNUC_UNUSED guint i, G_GNUC_UNUSED guint j, Lit lit,
                              gboolean forward) {
  Defined *own = data;
  own->n_forward += forward;
  circuit_imply (own->circuit, forward ? lit : own->reason, forward ? own->reason : lit);
}

/* A gate that must not hold need not be justified, nor must one that holds follow. */
START_TEST (gates_are_defined_in_the_direction_that_counts) {
  RspBudget budget = { 0 };
  SatSolver *solver = sat_solver_new (&budget);
  if (!solver)
    return;
  for (guint forward = 0; forward < 2; forward++) {
    Circuit *circuit = circuit_new (solver, &budget);
    Defined own = { .circuit = circuit, .reason = circuit_input (circuit) };
    const Lit gate = circuit_defined (circuit, define_by_reason, &own, 0, 0),
              demanded = forward ? gate : lit_not (gate),
              reason = forward ? own.reason : lit_not (own.reason);
    circuit_require (circuit, demanded);
    ck_assert_uint_eq (own.n_forward, forward);
    ck_assert_int_eq (circuit_solve (circuit, &reason, 1), SAT_YES);
    ck_assert_int_eq (circuit_solve (circuit, &(Lit){ lit_not (reason) }, 1), SAT_NO);
    ck_assert_int_eq (circuit_solve (circuit, &(Lit){ lit_not (demanded) }, 1), SAT_NO);
    ck_assert_uint_eq (own.n_forward, TRUE);
    circuit_free (circuit);
  }
  sat_solver_free (solver);
}
END_TEST

static RspProgram *three_additions (void) {
  return litmus_parse ("OpenCL T\n{ [x]=0; }\n"
                       "P0 (global atomic_int* x) { int r = atomic_fetch_add (x, 1); }\n"
                       "P1 (global atomic_int* x) { int r = atomic_fetch_add (x, 2); }\n"
                       "P2 (global atomic_int* x) { int r = atomic_fetch_add (x, 4); }\n"
                       "exists (0:r=2 /\\ 1:r=0)\n");
}

/* After one step of the search the solver is asked, if counts are optional: the states are the
 * same. */
START_TEST (counts_are_optional) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = model_load ("opencl.cat", diagnostics);
  g_autoptr (RspProgram) program = three_additions ();
  RspCheckOptions options;
  rsp_check_options_init (&options);
  g_autoptr (RspOutcome) counted = rsp_check (program, model, &options, diagnostics);
  ck_assert (!counted->uncounted);
  options.counts_optional = TRUE;
  g_autoptr (RspOutcome) quick = rsp_check (program, model, &options, diagnostics);
  ck_assert (!quick->uncounted);
  options.solver_after = 1;
  g_autoptr (RspOutcome) decided = rsp_check (program, model, &options, diagnostics);
  RspBudget budget = { 0 };
  SatSolver *solver = sat_solver_new (&budget); /* NULL: rspcheck is built without one */
  ck_assert_int_eq (decided->uncounted, solver != NULL);
  sat_solver_free (solver);
  ck_assert_uint_eq (decided->n_states, counted->n_states);
  ck_assert_int_eq (decided->positive > 0, counted->positive > 0);
  ck_assert_int_eq (decided->stop, RSPCHECK_STOP_COMPLETE);
}
END_TEST

/* The user's limit of executions ends the check, also if it is reached in the last step before the
 * solver would be asked. */
START_TEST (a_limit_of_executions_leaves_nothing_to_the_solver) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = model_load ("opencl.cat", diagnostics);
  g_autoptr (RspProgram) program = three_additions ();
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.max_executions = 1;
  g_autoptr (RspOutcome) counted = rsp_check (program, model, &options, diagnostics);
  options.counts_optional = TRUE;
  options.solver_after = (guint) counted->statistics.nodes;
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &options, diagnostics);
  ck_assert_int_eq (counted->stop, RSPCHECK_STOP_EXECUTIONS);
  ck_assert_int_eq (outcome->stop, RSPCHECK_STOP_EXECUTIONS);
  ck_assert_int_eq (outcome->uncounted, FALSE);
}
END_TEST

Suite *places_suite (void) {
  Suite *suite = suite_create ("places");
  TCase *cases_of = tcase_create ("places");
  tcase_add_loop_test (cases_of, places_that_make_no_difference, 0, G_N_ELEMENTS (cases));
  tcase_add_test (cases_of, gates_are_defined_in_the_direction_that_counts);
  tcase_add_test (cases_of, counts_are_optional);
  tcase_add_test (cases_of, a_limit_of_executions_leaves_nothing_to_the_solver);
  suite_add_tcase (suite, cases_of);
  return suite;
}
