/* Queries against checks: the executions that answer a question are those that a check counts. */
#include "enumerator/query/query.h"
#include "enumerator/search/evidence.h"
#include "enumerator/values/values.h"
#include "explain/explain.h"
#include "model/model.h"
#include "parser/litmus/litmus.h"

#include "tests/diagnostics_text.h"
#include "tests/unit/litmus_fixture.h"

Suite *query_suite (void);

typedef struct Counting {
  guint64 all, positive;
  const RspProgram *program;
} Counting;

static gboolean count (gpointer data, const RspExecution *execution) {
  Counting *counting = data;
  counting->all++;
  counting->positive
      += rsp_state_truth (counting->program, counting->program->condition, execution->state)
         == RSP_HOLDS;
  return TRUE;
}

static RspModel *read_model (const char *path) {
  static const char *const directories[] = { "cat", NULL }, *const none[] = { NULL };
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspModel *model = rsp_model_load (path, directories, none, diagnostics);
  ck_assert_ptr_nonnull (model);
  return model;
}

static const struct {
  const char *test, *model;
} cases[] = {
  { "litmus/rsp/RSP_Test1.litmus", "opencl_rem.cat" },
  { "litmus/rsp/RSP_Test4.litmus", "opencl_rem.cat" },
  { "litmus/rsp/RSP_Test8.litmus", "opencl_rem.cat" },
  { "litmus/rsp/RSP_Test8.litmus", "opencl.cat" },
  { "litmus/rsp/RSP_Test11.litmus", "opencl.cat" },
  { "litmus/rsp/RSP_WSQ2.litmus", "opencl_rem.cat" },
  { "litmus/rsp/RSP_Test1.litmus", "opencl_total.cat" },
  { "litmus/rsp/RSP_Test2.litmus", "hrf_rsp.cat" },
};

/* Every execution that the model accepts, and those among them with the outcome, each once. */
START_TEST (each_as_many_as_checked) {
  g_autoptr (RspProgram) program = litmus_parse_file (cases[_i].test);
  g_autoptr (RspModel) model = read_model (cases[_i].model);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspCheckOptions options;
  rsp_check_options_init (&options);
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &options, diagnostics);
  g_autoptr (RspQuery) query = rsp_query_new (program, model, &options);
  Counting counting = { .program = program };
  rsp_query_each (query, &(RspQuestion){ 0 }, count, &counting);
  ck_assert_uint_eq (counting.all, (guint64) (outcome->positive + outcome->negative));
  ck_assert_uint_eq (counting.positive, (guint64) outcome->positive);
  counting.all = counting.positive = 0;
  rsp_query_each (query, &(RspQuestion){ .outcome = program->condition }, count, &counting);
  ck_assert_uint_eq (counting.all, (guint64) outcome->positive);
  ck_assert_int_eq (rsp_query_stop (query), RSPCHECK_STOP_COMPLETE);
}
END_TEST

/* Without its outcome-forbidding checks a model allows the outcome, as under -skipcheck, and the
 * execution that is found fails none but those. */
START_TEST (dropped_axioms_may_fail) {
  g_autoptr (RspProgram) program = litmus_parse_file ("litmus/rsp/RSP_Test2.litmus");
  g_autoptr (RspModel) model = read_model ("opencl_rem.cat");
  RspArena *arena = rsp_arena_new ();
  RspCheckOptions options;
  rsp_check_options_init (&options);
  g_autoptr (RspQuery) query = rsp_query_new (program, model, &options);
  RspQuestion any = { .outcome = program->condition, .any_others = TRUE };
  const RspExecution *candidate = rsp_query_find (query, &any, arena, NULL);
  ck_assert_ptr_nonnull (candidate);
  ck_assert_ptr_nonnull (candidate->failed[0]);
  RspQuestion dropped = { .outcome = program->condition, .dropped = candidate->failed };
  const RspExecution *again = rsp_query_find (query, &dropped, arena, NULL);
  ck_assert_ptr_nonnull (again);
  for (guint i = 0; again->failed[i]; i++)
    ck_assert (rsp_execution_fails (candidate, again->failed[i]));
  options.skipped_checks = again->failed;
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &options, diagnostics);
  ck_assert (outcome->positive > 0);
  ck_assert_ptr_null (
      rsp_query_find (query, &(RspQuestion){ .outcome = program->condition }, arena, NULL));
  rsp_arena_free (arena);
}
END_TEST

/* What must fail fails, what must be raised is raised. */
START_TEST (failing_and_raised) {
  g_autoptr (RspProgram) program = litmus_parse_file ("litmus/rsp/RSP_Test2.litmus");
  g_autoptr (RspModel) model = read_model ("opencl.cat");
  RspArena *arena = rsp_arena_new ();
  RspCheckOptions options;
  rsp_check_options_init (&options);
  g_autoptr (RspQuery) query = rsp_query_new (program, model, &options);
  const RspExecution *racy
      = rsp_query_find (query, &(RspQuestion){ .raised = "data_race" }, arena, NULL);
  ck_assert_ptr_nonnull (racy);
  ck_assert (rsp_execution_raises (racy, "data_race"));
  ck_assert_ptr_null (racy->failed[0]);
  g_autoptr (RspModel) promoting = read_model ("opencl_rem.cat");
  g_autoptr (RspQuery) forbidden = rsp_query_new (program, promoting, &options);
  const char *failing[] = { "global_coherence", NULL };
  RspQuestion question = { .failing = failing };
  const RspExecution *failed = rsp_query_find (forbidden, &question, arena, NULL);
  ck_assert_ptr_nonnull (failed);
  ck_assert (rsp_execution_fails (failed, "global_coherence"));
  ck_assert_ptr_null (failed->failed[1]);
  rsp_arena_free (arena);
}
END_TEST

/* Evidence, explanations and executions that are missing because a limit was reached are told from
 * what does not exist. */
START_TEST (evidence_has_limits) {
  g_autoptr (RspProgram) program = litmus_parse_file ("litmus/rsp/RSP_Test2.litmus");
  g_autoptr (RspModel) model = read_model ("opencl.cat");
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspCheckOptions options;
  rsp_check_options_init (&options);
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &options, diagnostics);
  RspcheckStop stop;
  for (guint i = 0; i < 4; i++) {
    options.timeout = i % 2 ? 1e-6 : 0;
    g_autoptr (GPtrArray) found
        = i < 2 ? rsp_evidence_find (model, &options, outcome, &stop)
                : rsp_evidence_find_every_line (model, &options, outcome, &stop);
    ck_assert_int_eq (stop, i % 2 ? RSPCHECK_STOP_TIMEOUT : RSPCHECK_STOP_COMPLETE);
    ck_assert_int_eq (found->len == 0, i % 2);
    g_autoptr (RspExplanations) all = rsp_explanations_new ();
    rsp_explain_flags (all, program, model, &options, outcome, diagnostics);
    ck_assert_uint_eq (all->n_flags, i % 2 ? 0 : 1);
    g_autoptr (GPtrArray) shown = g_ptr_array_new ();
    rsp_show (program, model, &options, RSPCHECK_SHOW_FLAG, 1, all->arena, shown, diagnostics);
    ck_assert_uint_eq (shown->len, i % 2 ? 0 : 1);
  }
  g_autofree char *said = diagnostics_text (diagnostics);
  ck_assert_ptr_nonnull (strstr (said, "not all flags are explained: the time ran out"));
  ck_assert_ptr_nonnull (strstr (said, "not all executions are shown: the time ran out"));
  ck_assert_uint_eq (rsp_diagnostics_count (diagnostics), 4); /* each twice */
}
END_TEST

static const struct {
  const char *test, *model;
} repeated[] = {
  { "litmus/rsp/RSP_Test2.litmus", "opencl_rem.cat" },
  { "litmus/rsp/RSP_WSQ2.litmus", "opencl_rem.cat" },
  { "litmus/steal/WSQ1-push-pop+steal+steal.litmus", "opencl_rem.cat" },
  { "litmus/rsp/RSP_Test1.litmus", "opencl_total.cat" },
  { "litmus/hrf/H2-flags.litmus", "hrf_rsp.cat" },
};

typedef struct Repeating {
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  RspQuery *query; /* that was asked before */
  RspArena *arena;
} Repeating;

/* A query that was asked before answers as a new one does. */
static void ask_again (const Repeating *r, RspQuestion question) {
  gboolean given_up, own_given_up;
  question.outcome = r->program->condition;
  question.max_steps = 500;
  g_autoptr (RspQuery) own = rsp_query_new (r->program, r->model, r->options);
  gboolean found = rsp_query_find (r->query, &question, r->arena, &given_up) != NULL;
  gboolean own_found = rsp_query_find (own, &question, r->arena, &own_given_up) != NULL;
  if (!given_up && !own_given_up)
    ck_assert_int_eq (found, own_found);
}

/* What one question shows is used for the next: it must not change an answer. */
START_TEST (asked_before) {
  g_autoptr (RspProgram) program = litmus_parse_file (repeated[_i].test);
  g_autoptr (RspModel) model = read_model (repeated[_i].model);
  g_autoptr (GPtrArray) ids = g_ptr_array_new (), variants = g_ptr_array_new ();
  RspCheckOptions options;
  rsp_check_options_init (&options);
  rsp_model_collect_names (model, ids, variants);
  g_autoptr (RspQuery) query = rsp_query_new (program, model, &options);
  Repeating r = { program, model, &options, query, rsp_arena_new () };
  ask_again (&r, (RspQuestion){ 0 });
  for (guint i = 0; i < ids->len; i++)
    for (guint k = 0; k <= i; k++) {
      const char *const names[] = { ids->pdata[i], ids->pdata[k], NULL };
      ask_again (&r, (RspQuestion){ .dropped = names });
      ask_again (&r, (RspQuestion){ .required = names, .any_others = TRUE });
      if (i == k)
        ask_again (&r, (RspQuestion){ .failing = names });
    }
  rsp_arena_free (r.arena);
}
END_TEST

/* Asks the solver alone, with so many steps that it may give up. */
static gboolean is_found_by_asking (const RspProgram *program, const RspModel *model,
                                    RspQuestion question, gboolean *given_up) {
  RspArena *arena = rsp_arena_new ();
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.engine = RSPCHECK_ENGINE_SAT;
  options.asks_only = TRUE;
  question.outcome = program->condition;
  question.max_steps = 1000;
  g_autoptr (RspQuery) query = rsp_query_new_consulting (program, model, &options);
  gboolean found = rsp_query_find (query, &question, arena, given_up) != NULL;
  rsp_arena_free (arena);
  return found;
}

/* Axioms that rule one outcome out need not rule out another. */
START_TEST (cores_are_of_one_outcome) {
  g_autoptr (RspProgram) program
      = litmus_parse ("OpenCL SB\n{ [x]=0; [y]=0; }\n"
                      "P0 (global atomic_int* x, global atomic_int* y) {"
                      " atomic_store (x, 1); int r0 = atomic_load (y); }\n"
                      "P1 (global atomic_int* x, global atomic_int* y) {"
                      " atomic_store (y, 1); int r0 = atomic_load (x); }\n"
                      "scopeTree (device (work_group P0 P1))\n"
                      "exists (0:r0=0 /\\ 1:r0=0)\n");
  g_autoptr (RspModel) model = read_model ("sc.cat");
  g_autoptr (RspArena) arena = rsp_arena_new ();
  RspProp negation = { .kind = RSP_PROP_NOT, .a = program->condition };
  RspCheckOptions options;
  rsp_check_options_init (&options);
  g_autoptr (RspQuery) query = rsp_query_new (program, model, &options);
  RspQuestion question = { .outcome = program->condition };
  ck_assert_ptr_null (rsp_query_find (query, &question, arena, NULL));
  question.outcome = &negation;
  ck_assert_ptr_nonnull (rsp_query_find (query, &question, arena, NULL));
}
END_TEST

/* Values that justify each other are no proof that there are none, unless an axiom forbids them. */
START_TEST (circles_are_not_denied) {
  g_autoptr (RspProgram) program
      = litmus_parse ("OpenCL Circle\n{ [x]=0; [y]=0; }\n"
                      "P0 (global atomic_int* x, global atomic_int* y) {"
                      " int r0 = atomic_load (x); atomic_store (y, r0); }\n"
                      "P1 (global atomic_int* x, global atomic_int* y) {"
                      " int r0 = atomic_load (y); atomic_store (x, r0); }\n"
                      "scopeTree (device (work_group P0 P1))\n"
                      "exists (not (0:r0=0))\n");
  g_autoptr (RspModel) model = read_model ("sc.cat");
  gboolean given_up;
  ck_assert (!is_found_by_asking (program, model, (RspQuestion){ 0 }, &given_up));
  ck_assert (!given_up);
  ck_assert (!is_found_by_asking (program, model, (RspQuestion){ .any_others = TRUE }, &given_up));
  ck_assert (given_up);
}
END_TEST

/* Threads that run the same code are not exchanged if the outcome tells them apart. */
START_TEST (outcomes_tell_threads_apart) {
  static const char *const orders[] = { "0:r0=0 /\\ 1:r0=1", "0:r0=1 /\\ 1:r0=0" };
  g_autoptr (RspProgram) program
      = litmus_parse ("OpenCL Apart\n{ [x]=0; }\n"
                      "P0 (global atomic_int* x) { int r0 = atomic_fetch_add (x, 1); }\n"
                      "P1 (global atomic_int* x) { int r0 = atomic_fetch_add (x, 1); }\n"
                      "scopeTree (device (work_group P0 P1))\n"
                      "exists (%s)\n",
                      orders[_i]);
  g_autoptr (RspModel) model = read_model ("opencl.cat");
  gboolean given_up;
  ck_assert (is_found_by_asking (program, model, (RspQuestion){ 0 }, &given_up));
}
END_TEST

/* An axiom that holds in one combination of paths may fail in another. That the first has no answer
 * says nothing about the second, with which it shares its memo. */
START_TEST (what_holds_in_one_combination_may_fail_in_another) {
  g_autoptr (RspProgram) program
      = litmus_parse ("OpenCL Kept\n{ [x]=0; [y]=0; [z]=0; }\n"
                      "P0 (global atomic_int* y, global atomic_int* z) {"
                      " atomic_store_explicit (z, 1, memory_order_seq_cst, memory_scope_device);"
                      " int e0 = 1; int r0 = atomic_compare_exchange_strong_explicit (z, &e0, 1,"
                      " memory_order_relaxed, memory_order_relaxed, memory_scope_device);"
                      " int r1 = atomic_fetch_add (y, 1); }\n"
                      "P1 (global atomic_int* x, global atomic_int* z) {"
                      " int e0 = 0; int r0 = atomic_compare_exchange_strong_explicit (z, &e0, 1,"
                      " memory_order_seq_cst, memory_order_relaxed, memory_scope_work_group);"
                      " int r1 = atomic_load (z);"
                      " atomic_store_explicit (x, r0 + r0, memory_order_relaxed,"
                      " memory_scope_work_group); }\n"
                      "scopeTree (device (work_group P0 P1))\n"
                      "exists (1:r1=1)\n");
  g_autoptr (RspModel) model = read_model ("opencl_total.cat");
  g_autoptr (RspArena) arena = rsp_arena_new ();
  RspCheckOptions options;
  rsp_check_options_init (&options);
  g_autoptr (RspQuery) query = rsp_query_new (program, model, &options);
  const char *failing[] = { "S_hb", NULL };
  RspQuestion question = { .outcome = program->condition, .failing = failing };
  ck_assert_ptr_nonnull (rsp_query_find (query, &question, arena, NULL));
}
END_TEST

Suite *query_suite (void) {
  Suite *suite = suite_create ("query");
  TCase *tc = tcase_create ("query");
  tcase_add_loop_test (tc, each_as_many_as_checked, 0, G_N_ELEMENTS (cases));
  tcase_add_test (tc, dropped_axioms_may_fail);
  tcase_add_test (tc, failing_and_raised);
  tcase_add_test (tc, evidence_has_limits);
  tcase_add_loop_test (tc, asked_before, 0, G_N_ELEMENTS (repeated));
  tcase_add_test (tc, circles_are_not_denied);
  tcase_add_test (tc, cores_are_of_one_outcome);
  tcase_add_test (tc, what_holds_in_one_combination_may_fail_in_another);
  tcase_add_loop_test (tc, outcomes_tell_threads_apart, 0, 2);
  suite_add_tcase (suite, tc);
  return suite;
}
