/* Checks that take their paths from an earlier check under another model find what they find
 * without. */
#include "enumerator/search/search.h"
#include "enumerator/search/internal.h"
#include "parser/litmus/litmus.h"
#include "tests/unit/litmus_fixture.h"
#include "tests/unit/model_fixture.h"

Suite *path_cache_suite (void);

typedef struct Found {
  guint states, combinations, diagnostics;
  guint64 executions;
} Found;

static Found find (const RspProgram *program, const char *name, RspPathCache *cache, guint unroll) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = model_load (name, diagnostics);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.unroll = unroll;
  options.path_cache = cache;
  guint before = rsp_diagnostics_count (diagnostics);
  g_autoptr (RspOutcome) outcome = rsp_check (program, model, &options, diagnostics);
  ck_assert_int_eq (outcome->stop, RSPCHECK_STOP_COMPLETE);
  return (Found){ .states = outcome->n_states,
                  .combinations = (guint) outcome->statistics.combinations,
                  .diagnostics = rsp_diagnostics_count (diagnostics) - before,
                  .executions = (guint64) (outcome->positive + outcome->negative) };
}

static void assert_same (const RspProgram *program, const char *model, RspPathCache *cache,
                         guint unroll) {
  Found with = find (program, model, cache, unroll), without = find (program, model, NULL, unroll);
  ck_assert_uint_eq (with.states, without.states);
  ck_assert_uint_eq (with.combinations, without.combinations);
  ck_assert_uint_eq (with.diagnostics, without.diagnostics);
  ck_assert_uint_eq (with.executions, without.executions);
}

/* Does the cache have the paths of the program with that many rounds per loop? They are dropped. */
static gboolean has_paths (const RspProgram *program, RspPathCache *cache, guint unroll) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = model_load ("sc.cat", diagnostics);
  RspCheckOptions options;
  rsp_check_options_init (&options);
  options.unroll = unroll;
  Check check = { .program = program, .model = model, .options = &options };
  gboolean has = path_cache_take (cache, &check);
  if (has)
    check_end_paths (&check);
  return has;
}

#define BRANCHES                                                                                   \
  "OpenCL T\n{ [x]=0; [y]=0; }\n"                                                                  \
  "P0 (global atomic_int* x, global atomic_int* y) {\n"                                            \
  "  int r = atomic_load_explicit (x, memory_order_relaxed, memory_scope_device);\n"               \
  "  if (r == 1) { atomic_store_explicit (y, 1, memory_order_relaxed, memory_scope_device); "      \
  "}\n}\n"                                                                                         \
  "P1 (global atomic_int* x, global atomic_int* y) {\n"                                            \
  "  int r = atomic_load_explicit (y, memory_order_relaxed, memory_scope_device);\n"               \
  "  if (r == 1) { atomic_store_explicit (x, 1, memory_order_relaxed, memory_scope_device); "      \
  "}\n}\n"                                                                                         \
  "P2 (global atomic_int* x, global atomic_int* y) {\n"                                            \
  "  atomic_store_explicit (x, 1, memory_order_relaxed, memory_scope_device);\n}\n"                \
  "exists (0:r=1 /\\ 1:r=1)\n"

#define LOOP                                                                                       \
  "OpenCL T\n{ [x]=0; }\n"                                                                         \
  "P0 (global atomic_int* x) {\n  int r = 0;\n"                                                    \
  "  while (r == 0) { r = atomic_load_explicit (x, memory_order_relaxed, memory_scope_device); "   \
  "}\n}\n"                                                                                         \
  "P1 (global atomic_int* x) {\n"                                                                  \
  "  atomic_store_explicit (x, 1, memory_order_relaxed, memory_scope_device);\n}\n"                \
  "exists (0:r=1)\n"

START_TEST (models_in_turn) {
  g_autoptr (RspProgram) program = litmus_parse (BRANCHES);
  g_autoptr (RspPathCache) cache = rsp_path_cache_new (program);
  static const char *const models[] = { "opencl.cat", "sc.cat", "opencl_rem.cat", "opencl.cat" };
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    assert_same (program, models[i], cache, 2);
  ck_assert (has_paths (program, cache, 2));
  ck_assert (!has_paths (program, cache, 2));
}
END_TEST

/* Paths depend on the number of rounds, and so does what a check says of loops that need more. */
START_TEST (loops_are_unrolled_as_asked) {
  g_autoptr (RspProgram) program = litmus_parse (LOOP);
  g_autoptr (RspPathCache) cache = rsp_path_cache_new (program);
  for (guint unroll = 1; unroll <= 3; unroll++)
    for (guint i = 0; i < 2; i++) {
      assert_same (program, i ? "sc.cat" : "opencl.cat", cache, unroll);
      ck_assert_uint_gt (find (program, "sc.cat", cache, unroll).diagnostics, 0);
    }
  ck_assert (!has_paths (program, cache, 3));
}
END_TEST

START_TEST (other_options_and_programs) {
  g_autoptr (RspProgram) program = litmus_parse (BRANCHES);
  g_autoptr (RspProgram) other = litmus_parse (BRANCHES);
  g_autoptr (RspPathCache) cache = rsp_path_cache_new (program);
  find (other, "sc.cat", cache, 2);
  ck_assert (!has_paths (other, cache, 2));
  find (program, "sc.cat", cache, 2);
  ck_assert (!has_paths (other, cache, 2));
  ck_assert (!has_paths (program, cache, 3));
  ck_assert (has_paths (program, cache, 2));
}
END_TEST

Suite *path_cache_suite (void) {
  Suite *suite = suite_create ("path cache");
  TCase *tests = tcase_create ("path cache");
  tcase_add_test (tests, models_in_turn);
  tcase_add_test (tests, loops_are_unrolled_as_asked);
  tcase_add_test (tests, other_options_and_programs);
  suite_add_tcase (suite, tests);
  return suite;
}
