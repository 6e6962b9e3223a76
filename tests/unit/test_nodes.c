/* The size of searches: each feature of the bounded engine keeps some family of tests small, and
 * its loss shows. Steps are counted, not time. */
#include "parser/litmus/litmus.h"
#include "enumerator/search/search.h"
#include "model/model.h"
#include "tests/unit/litmus_fixture.h"

#include <string.h>

Suite *nodes_suite (void);

#define DEVICE "memory_scope_device"

/* ---- Families ---- */

static void begin (GString *text) { g_string_assign (text, "OpenCL T\n{ [x]=0; [y]=0; }\n"); }

static void add_thread (GString *text, guint i, const char *body) {
  g_string_append_printf (text, "P%u (global atomic_int* x, global atomic_int* y) {\n%s}\n", i,
                          body);
}

static void end (GString *text, guint threads, const char *condition) {
  g_string_append (text, "scopeTree (device");
  for (guint i = 0; i < threads; i++)
    g_string_append_printf (text, " (work_group P%u)", i);
  g_string_append_printf (text, ")\n%s\n", condition);
}

#define LOAD(r, x)  "  int " r " = atomic_load_explicit (" x ", memory_order_relaxed, " DEVICE ");\n"
#define STORE(x, v) "  atomic_store_explicit (" x ", " v ", memory_order_relaxed, " DEVICE ");\n"

/* n threads add one. */
static void fetch_add (guint n, GString *text) {
  begin (text);
  for (guint i = 0; i < n; i++)
    add_thread (text, i, "  atomic_fetch_add_explicit (x, 1, memory_order_acq_rel, " DEVICE ");\n");
  end (text, n, "exists (x=1)");
}

/* n threads add one, three times each: none has a choice of paths. */
static void fetch_add_thrice (guint n, GString *text) {
  static const char once[]
      = "  atomic_fetch_add_explicit (x, 1, memory_order_relaxed, " DEVICE ");\n";
  begin (text);
  for (guint i = 0; i < n; i++) {
    g_autofree char *body = g_strconcat (once, once, once, NULL);
    add_thread (text, i, body);
  }
  end (text, n, "exists (x=1)");
}

/* n threads try a lock once; the winner adds one to y and leaves. */
static void lock (guint n, GString *text) {
  begin (text);
  for (guint i = 0; i < n; i++)
    add_thread (text, i,
                "  int e = 0;\n"
                "  int r = atomic_compare_exchange_strong_explicit (x, &e, 1, memory_order_acquire,"
                " memory_order_acquire, " DEVICE ");\n"
                "  if (r) {\n" LOAD ("t", "y") STORE ("y", "t + 1") "  atomic_store_explicit (x, 0,"
                                                                    " memory_order_release, " DEVICE
                                                                    ");\n  }\n");
  end (text, n, "exists (0:r=1)");
}

/* n writers and two readers of n reads. */
static void coherence (guint n, GString *text) {
  begin (text);
  for (guint i = 0; i < n; i++) {
    g_autofree char *body = g_strdup_printf (STORE ("x", "%u"), i + 1);
    add_thread (text, i, body);
  }
  g_autoptr (GString) reads = g_string_new (NULL);
  for (guint j = 0; j < n; j++)
    g_string_append_printf (reads, LOAD ("r%u", "x"), j);
  add_thread (text, n, reads->str);
  add_thread (text, n + 1, reads->str);
  g_autofree char *condition = g_strdup_printf ("exists (%u:r0=1 /\\ %u:r%u=2)", n, n + 1, n - 1);
  end (text, n + 2, condition);
}

/* n writers that nobody reads. */
static void writers (guint n, GString *text) {
  begin (text);
  for (guint i = 0; i < n; i++) {
    g_autofree char *body = g_strdup_printf (STORE ("x", "%u"), i + 1);
    add_thread (text, i, body);
  }
  end (text, n, "exists (x=1)");
}

/* Each thread passes the message on, through a location of its own, only if it got it. */
static void chain (guint n, GString *text) {
  g_string_assign (text, "OpenCL T\n{");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, " [f%u]=0;", i);
  g_string_append (text, " }\nP0 (global atomic_int* f0) {\n" STORE ("f0", "1") "}\n");
  for (guint i = 1; i < n; i++) {
    g_autofree char *from = g_strdup_printf ("f%u", i - 1), *to = g_strdup_printf ("f%u", i);
    g_string_append_printf (
        text,
        "P%u (global atomic_int* %s, global atomic_int* %s) {\n  int r = "
        "atomic_load_explicit (%s, memory_order_relaxed, " DEVICE ");\n  if (r) {\n"
        "  atomic_store_explicit (%s, 1, memory_order_relaxed, " DEVICE ");\n  }\n}\n",
        i, from, to, from, to);
  }
  end (text, n, "exists (1:r=1)");
}

/* n threads take a spin lock: a path per number of rounds. */
static void spin_lock (guint n, GString *text) {
  begin (text);
  for (guint i = 0; i < n; i++)
    add_thread (text, i,
                "  while (atomic_exchange_explicit (x, 1, memory_order_acquire, " DEVICE ")) { }\n"
                "  atomic_store_explicit (x, 0, memory_order_release, " DEVICE ");\n");
  end (text, n, "exists (x=1)");
}

/* The same, with two additions, in two work-groups: not all threads are exchangeable. */
static void two_groups (guint n, GString *text) {
  spin_lock (n, text);
  char *tree = strstr (text->str, ") (work_group");
  memset (tree, ' ', strlen (") (work_group"));
}

/* n threads test a lock before they try to take it. */
static void test_and_set (guint n, GString *text) {
  begin (text);
  for (guint i = 0; i < n; i++)
    add_thread (text, i,
                "  do {\n    while (atomic_load_explicit (x, memory_order_relaxed, " DEVICE
                ")) { }\n  } while (atomic_exchange_explicit (x, 1, memory_order_acquire, " DEVICE
                "));\n  atomic_store_explicit (x, 0, memory_order_release, " DEVICE ");\n");
  end (text, n, "exists (x=1)");
}

/* Two threads go n rounds of x = x + y and y = x + y; a third reads x and y. What a
 * round has read demands no more of the third thread than what it read from, so the keys lack it:
 * 7,400 steps if not. */
static void sums (guint n, GString *text) {
  begin (text);
  for (guint t = 0; t < 2; t++) {
    g_autoptr (GString) body = g_string_new (NULL);
    for (guint i = 0; i < n; i++)
      g_string_append_printf (
          body,
          "  int a%u = atomic_load_explicit (x, memory_order_acquire, " DEVICE ");\n"
          "  int b%u = atomic_load_explicit (y, memory_order_acquire, " DEVICE ");\n"
          "  atomic_store_explicit (%s, a%u + b%u + 1, memory_order_release, " DEVICE ");\n",
          i, i, t ? "y" : "x", i, i);
    add_thread (text, t, body->str);
  }
  add_thread (text, 2,
              "  int r = atomic_load_explicit (x, memory_order_acquire, " DEVICE ");\n"
              "  int s = atomic_load_explicit (y, memory_order_acquire, " DEVICE ");\n");
  end (text, 3, "exists (2:r=1)");
}

/* n threads draw a ticket and wait for their turn. */
static void tickets (guint n, GString *text) {
  begin (text);
  for (guint i = 0; i < n; i++)
    add_thread (text, i,
                "  int k = atomic_fetch_add_explicit (x, 1, memory_order_relaxed, " DEVICE ");\n"
                "  while (atomic_load_explicit (y, memory_order_acquire, " DEVICE ") != k) { }\n"
                "  atomic_store_explicit (y, k + 1, memory_order_release, " DEVICE ");\n");
  end (text, n, "exists (x=1)");
}

/* ---- Features ---- */

/* A family that a feature keeps small: bounds with room, for the steps with it and without, which
 * the loss of the feature would pass. A better search lowers both: then choose a larger test. */
typedef struct Need {
  const char *feature;
  guint bit;
  void (*make) (guint n, GString *text);
  guint n;
  guint64 most;   /* with all features */
  guint64 least;  /* with this one off: several times as many */
  guint also_off; /* features that are off in both runs: they would make up for it */
} Need;

static const Need needs[] = {
  { "forced pairs", RSP_FEATURE_FORCE, lock, 3, 60, 3000, 0 },
  { "the memo", RSP_FEATURE_MEMO, coherence, 3, 600, 3000, 0 },
  { "counting", RSP_FEATURE_COUNT, writers, 7, 4, 200, 0 },
  { "the next write first", RSP_FEATURE_BRANCH, fetch_add, 7, 16, 60, 0 },
  { "read-modify-writes first", RSP_FEATURE_UPDATES, tickets, 4, 400, 20000, 0 },
  { "values", RSP_FEATURE_VALUES, lock, 5, 350, 520, RSP_FEATURE_SHARE },
  { "twins", RSP_FEATURE_SYMMETRY, fetch_add, 5, 12, 100, RSP_FEATURE_SHARE },
  { "symmetry of combinations", RSP_FEATURE_SYMMETRY, lock, 4, 140, 300, RSP_FEATURE_SHARE },
  { "sharing between combinations", RSP_FEATURE_SHARE, spin_lock, 4, 400, 700, 0 },
  { "sharing between like threads", RSP_FEATURE_SHARE, two_groups, 4, 600, 4000,
    RSP_FEATURE_SYMMETRY },
  { "sharing between like threads of one path", RSP_FEATURE_SHARE, fetch_add_thrice, 4, 200, 600,
    0 },
  { "feasibility", RSP_FEATURE_FEASIBLE, chain, 8, 32, 100, 0 },
  { "demand", RSP_FEATURE_DEMAND, sums, 4, 2700, 5000, 0 },
  { "screening", RSP_FEATURE_SCREEN, test_and_set, 3, 1200, 3000, 0 },
  { "updates next to what they read", RSP_FEATURE_SCREEN, spin_lock, 4, 850, 950,
    RSP_FEATURE_SHARE },
  { "templates", RSP_FEATURE_TEMPLATE, chain, 8, 170, 200, RSP_FEATURE_FEASIBLE },
};

static RspStatistics statistics (const RspProgram *program, const RspModel *model,
                                 const RspCheckOptions *options) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, options, diagnostics);
  ck_assert_int_eq (outcome->stop, RSPCHECK_STOP_COMPLETE);
  return outcome->statistics;
}

static guint64 steps (const RspProgram *program, const RspModel *model,
                      const RspCheckOptions *options) {
  RspStatistics s = statistics (program, model, options);
  return s.nodes + s.prunings + s.pre_executions + s.texts;
}

START_TEST (each_feature_keeps_a_family_small) {
  static const char *const directories[] = { "cat", NULL };
  const Need *need = &needs[_i];
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = rsp_model_load ("opencl_rem.cat", directories, NULL, diagnostics);
  need->make (need->n, text);
  g_autoptr (RspProgram) program = litmus_parse ("%s", text->str);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.disabled = need->also_off;
  guint64 with = steps (program, model, &options);
  options.disabled |= need->bit;
  guint64 without = steps (program, model, &options);
  ck_assert_msg (with <= need->most, "%s: %" G_GUINT64_FORMAT " steps", need->feature, with);
  ck_assert_msg (without >= need->least, "without %s: %" G_GUINT64_FORMAT " steps", need->feature,
                 without);
}
END_TEST

/* The whole search is one combination: other threads can only help inside it. */
START_TEST (a_large_search_calls_for_help_and_a_small_one_does_not) {
  static const char *const directories[] = { "cat", NULL };
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = rsp_model_load ("opencl_rem.cat", directories, NULL, diagnostics);
  for (guint n = 2; n <= 3; n++) {
    g_autoptr (GString) text = g_string_new (NULL);
    coherence (n, text);
    g_autoptr (RspProgram) program = litmus_parse ("%s", text->str);
    RspCheckOptions options;
    rsp_check_options_init (&options);
    options.jobs = 3;
    g_autoptr (RspOutcome) outcome = rsp_check (program, model, &options, diagnostics);
    ck_assert_uint_eq (outcome->statistics.pre_executions, 1);
    ck_assert_uint_eq (outcome->statistics.helpers, n == 3 ? 2 : 0);
  }
}
END_TEST

/* Where counts are optional, the solver is asked after some steps, unless most of them were known
 * problems: it counts each state once. If it takes longer than its first turn, both go on in
 * turn; of counters it soon knows the sums. */
START_TEST (a_search_of_known_problems_goes_on) {
  static const char *const directories[] = { "cat", NULL };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = rsp_model_load ("opencl_rem.cat", directories, NULL, diagnostics);
  fetch_add_thrice (6, text);
  g_autoptr (RspProgram) program = litmus_parse ("%s", text->str);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.counts_optional = TRUE;
  options.solver_after = 200;
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &options, diagnostics);
  ck_assert (outcome->negative == G_GUINT64_CONSTANT (137225088000));
  options.solver_after = options.solver_conflicts = 1;
  g_autoptr (RspOutcome) in_turn = rsp_check (program, model, &options, diagnostics);
  ck_assert (in_turn->uncounted && in_turn->n_states == outcome->n_states);
  ck_assert_uint_gt (in_turn->statistics.nodes, 2); /* the search's first turn is one step */
  ck_assert_uint_lt (in_turn->statistics.nodes, outcome->statistics.nodes);
}
END_TEST

/* Of many combinations, few may be possible: a brief search sees that before the solver gets all
 * paths. Of a lock's, many are. */
START_TEST (a_brief_search_comes_before_the_solver) {
  static const struct {
    void (*make) (guint n, GString *text);
    guint n;
    gboolean solved;
  } tests[] = { { chain, 10, FALSE }, { test_and_set, 4, TRUE } };
  static const char *const directories[] = { "cat", NULL };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = rsp_model_load ("opencl_rem.cat", directories, NULL, diagnostics);
  tests[_i].make (tests[_i].n, text);
  g_autoptr (RspProgram) program = litmus_parse ("%s", text->str);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.engine = RSPCHECK_ENGINE_AUTO;
  options.speedcheck = RSPCHECK_SPEED_TRUE;
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &options, diagnostics);
  ck_assert_int_eq (outcome->stop, RSPCHECK_STOP_COMPLETE);
  ck_assert_int_eq (outcome->uncounted, tests[_i].solved);
}
END_TEST

/* Several waits for one thread, and one for another: with rounds that acquire, which go case by
 * case. */
START_TEST (waits_keep_their_last_round) {
  static const char *const directories[] = { "cat", NULL };
  static const char *const orders[] = { "relaxed", "acquire" };
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = rsp_model_load ("opencl_rem.cat", directories, NULL, diagnostics);
  g_autoptr (RspProgram) program = litmus_parse (
      "OpenCL T\n{ [x]=0; [y]=0; [z]=0; }\n"
      "P0 (global atomic_int* x, global int* z) {\n  *z = 1;\n"
      "  atomic_store_explicit (x, 1, memory_order_release, " DEVICE ");\n}\n"
      "P1 (global atomic_int* x, global atomic_int* y) {\n"
      "  while (atomic_load_explicit (x, memory_order_%s, " DEVICE ") != 1) { }\n"
      "  atomic_store_explicit (y, 1, memory_order_release, " DEVICE ");\n}\n"
      "P2 (global atomic_int* y, global int* z) {\n"
      "  while (atomic_load_explicit (y, memory_order_%s, " DEVICE ") != 1) { }\n"
      "  int r = *z;\n}\n"
      "scopeTree (device (work_group P0) (work_group P1) (work_group P2))\nexists (2:r=1)\n",
      orders[_i], orders[_i]);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.unroll = 10;
  guint64 all = steps (program, model, &options);
  options.spin = RSPCHECK_SPIN_LAST;
  guint64 last = steps (program, model, &options);
  ck_assert_msg (last <= 12, "%" G_GUINT64_FORMAT " steps", last);
  ck_assert_msg (all >= 200, "all rounds: %" G_GUINT64_FORMAT " steps", all);
}
END_TEST

/* Also where the solver is asked at once whether rounds may go: a model may see which writes are
 * final. */
START_TEST (rounds_keep_flags_of_final_writes) {
  static const char take[]
      = "{ int r0 = 0; while (!atomic_compare_exchange_strong (x, &r0, 2)) { r0 = 0; } }";
  static const char *const directories[] = { "cat", NULL };
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model
      = rsp_model_load ("tests/random/final.cat", directories, NULL, diagnostics);
  g_autoptr (RspProgram) program = litmus_parse (
      "OpenCL T\n{ [x]=0; }\nP0 (global atomic_int* x) %s\nP1 (global atomic_int* x) %s\n"
      "scopeTree (device (work_group P0 P1))\nexists (x=2)\n",
      take, take);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  g_autoptr (RspOutcome) all = rsp_check (program, model, &options, diagnostics);
  options.spin = RSPCHECK_SPIN_LAST;
  options.spin_cases = 1;
  g_autoptr (RspOutcome) last = rsp_check (program, model, &options, diagnostics);
  ck_assert_uint_eq (all->n_flags, 1);
  ck_assert (all->flags[0].raised && last->flags[0].raised);
}
END_TEST

/* A round that acquires is needed, by a load that comes after the loop, and by a model that says
 * nothing of that load but as the reason for something else (lemmas.c puts it aside). */
START_TEST (rounds_keep_what_events_aside_have_acquired) {
  static const char *const directories[] = { "cat", NULL };
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model
      = rsp_model_load ("tests/random/behind.cat", directories, NULL, diagnostics);
  g_autoptr (RspProgram) program = litmus_parse (
      "OpenCL T\n{ [f]=0; [y]=0; [z]=0; }\n"
      "P0 (global atomic_int* f, global atomic_int* y, global int* z) {\n"
      "  while (atomic_load_explicit (f, memory_order_acquire, " DEVICE ") != 2) { }\n"
      "  atomic_load_explicit (y, memory_order_relaxed, " DEVICE ");\n  int r = *z;\n}\n"
      "P1 (global atomic_int* f, global atomic_int* y) {\n"
      "  atomic_store_explicit (y, 1, memory_order_seq_cst, " DEVICE ");\n"
      "  atomic_store_explicit (f, 1, memory_order_release, " DEVICE ");\n}\n"
      "P2 (global atomic_int* f) { atomic_store_explicit (f, 2, memory_order_relaxed, " DEVICE
      "); }\n"
      "scopeTree (device (work_group P0 P1 P2))\nexists (0:r=0)\n");
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.spin = RSPCHECK_SPIN_LAST;
  options.spin_cases = 1;
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &options, diagnostics);
  ck_assert_uint_eq (outcome->n_states, 1);
}
END_TEST

/* Also under -speedcheck, if the condition is about memory alone. */
START_TEST (threads_are_exchanged_unless_the_question_names_them) {
  static const char *const directories[] = { "cat", NULL };
  static const struct {
    const char *question;
    gboolean symmetric;
  } cases[] = {
    { "exists (x=1)", TRUE },
    { "filter (x=0) exists (x=1)", FALSE },
    { "exists (x=1 /\\ 0:r=0)", FALSE },
  };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = rsp_model_load ("opencl_rem.cat", directories, NULL, diagnostics);
  begin (text);
  for (guint i = 0; i < 4; i++)
    add_thread (text, i, "  int r = atomic_exchange (x, 1);\n  atomic_store (x, 0);\n");
  end (text, 4, cases[_i].question);
  g_autoptr (RspProgram) program = litmus_parse ("%s", text->str);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.speedcheck = RSPCHECK_SPEED_TRUE;
  options.disabled = RSP_FEATURE_MEMO;
  guint64 with = steps (program, model, &options);
  options.disabled |= RSP_FEATURE_SYMMETRY;
  guint64 without = steps (program, model, &options);
  ck_assert_msg ((2 * with < without) == cases[_i].symmetric,
                 "%" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT " steps", with, without);
}
END_TEST

Suite *nodes_suite (void) {
  Suite *suite = suite_create ("nodes");
  TCase *cases = tcase_create ("nodes");
  tcase_set_timeout (cases, 60);
  tcase_add_loop_test (cases, each_feature_keeps_a_family_small, 0, G_N_ELEMENTS (needs));
  tcase_add_test (cases, a_large_search_calls_for_help_and_a_small_one_does_not);
  tcase_add_test (cases, a_search_of_known_problems_goes_on);
  tcase_add_loop_test (cases, a_brief_search_comes_before_the_solver, 0, 2);
  tcase_add_loop_test (cases, waits_keep_their_last_round, 0, 2);
  tcase_add_test (cases, rounds_keep_flags_of_final_writes);
  tcase_add_test (cases, rounds_keep_what_events_aside_have_acquired);
  tcase_add_loop_test (cases, threads_are_exchanged_unless_the_question_names_them, 0, 3);
  suite_add_tcase (suite, cases);
  return suite;
}
