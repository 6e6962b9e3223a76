/* Pruning against brute force, on random programs: paths that values exist for, under some
 * reads-from, are kept, alone and together. */
#include "enumerator/paths/paths.h"
#include "enumerator/execution.h"
#include "enumerator/terms/terms.h"
#include "enumerator/values/values.h"
#include "tests/unit/paths_of.h"

#include <check.h>

Suite *feasible_random_suite (void);

/* ---- Random programs ---- */

static const char *pick (GRand *random, const char *const *words, guint n) {
  return words[g_rand_int_range (random, 0, (gint32) n)];
}

static void add_statement (GRand *random, guint depth, GString *out) {
  static const char *const locations[] = { "x", "y", "z" };
  static const char *const values[]
      = { "1", "2", "r", "s", "r + 1", "s - 1", "r + s", "r * 2", "r & 1", "r ^ s", "r == s", "3" };
  static const char *const conditions[]
      = { "r", "r == 1", "s == 2", "r < s", "r != s", "r + s == 3", "s > 1", "r == 1 && s == 0" };
  const char *location = pick (random, locations, G_N_ELEMENTS (locations));
  const char *value = pick (random, values, G_N_ELEMENTS (values));
  switch (g_rand_int_range (random, 0, depth ? 7 : 4)) {
  case 0:
    g_string_append_printf (out, "r = atomic_load(%s); ", location);
    return;
  case 1:
    g_string_append_printf (out, "s = atomic_load(%s); ", location);
    return;
  case 2:
    g_string_append_printf (out, "atomic_store(%s, %s); ", location, value);
    return;
  case 3:
    g_string_append_printf (out, "r = atomic_fetch_add(%s, %s); ", location, value);
    return;
  case 4:
    g_string_append_printf (out, "r = atomic_compare_exchange_strong(%s, &s, %s); ", location,
                            value);
    return;
  default:
    g_string_append_printf (out, "if (%s) { ",
                            pick (random, conditions, G_N_ELEMENTS (conditions)));
    add_statement (random, depth - 1, out);
    g_string_append (out, "} ");
    if (g_rand_boolean (random)) {
      g_string_append (out, "else { ");
      add_statement (random, depth - 1, out);
      g_string_append (out, "} ");
    }
  }
}

static char *random_program (GRand *random) {
  GString *out = g_string_new ("OpenCL T\n{ x=0; y=0; z=1; }\n");
  int n_threads = g_rand_int_range (random, 1, 4);
  for (int t = 0; t < n_threads; t++) {
    g_string_append_printf (
        out,
        "P%d (global atomic_int *x, global atomic_int *y, global atomic_int *z) {\n"
        "  int r = 0; int s = 0; ",
        t);
    int n = g_rand_int_range (random, 1, 4);
    for (int i = 0; i < n; i++)
      add_statement (random, 2, out);
    g_string_append (out, "\n}\n");
  }
  g_string_append (out, "exists (x=0)\n");
  return g_string_free (out, FALSE);
}

/* ---- Brute force ---- */

enum {
  MAX_EVENTS = 40,
  MAX_SOLVED = 5000 /* reads-from relations tried for one program */
};

typedef struct Brute {
  PathsOf *p;
  const RspPath *chosen[4];
  RspFeasibility *feasibility;
  guint *numbers;
  guint8 *possible[4]; /* per thread and path */
  guint n_solved;
  const char *text;
} Brute;

/* Every read returns what its source writes, and every write writes what its term says. */
static void check_values (const Brute *brute, const RspPreExecution *pre, const guint *source,
                          const RspValue *values, const RspValue *written, gboolean thin_air) {
  for (guint e = 0; e < pre->n; e++) {
    const RspEvent *event = pre->events[e];
    RspValue value;
    ck_assert_msg (!event->read || rsp_value_equal (values[e], written[source[e]]),
                   "%s\nread %u from %u", brute->text, e, source[e]);
    if (!event->written || thin_air)
      continue;
    guint first = event->thread == RSP_NO_THREAD ? 0 : pre->first[event->thread];
    ck_assert (rsp_term_evaluate (event->written, values + first, &value, NULL));
    ck_assert_msg (rsp_value_equal (value, written[e]), "%s\nwrite %u", brute->text, e);
  }
}

/* Does some reads-from, from read number `index` on, have values? */
static gboolean some_values (Brute *brute, const RspPreExecution *pre, guint *source, guint index) {
  RspValue values[MAX_EVENTS], written[MAX_EVENTS], state[MAX_EVENTS];
  RspThinAir thin_air;
  if (brute->n_solved > MAX_SOLVED)
    return FALSE;
  if (index == pre->n_reads) {
    brute->n_solved++;
    if (!rsp_values_solve (pre, source, values, written, state, &thin_air))
      return FALSE;
    check_values (brute, pre, source, values, written, thin_air);
    return TRUE;
  }
  guint read = pre->reads[index];
  for (all_bits (write, rsp_matrix_row (pre->candidates, read), pre->candidates->words)) {
    source[read] = write;
    if (some_values (brute, pre, source, index + 1))
      return TRUE;
  }
  return FALSE;
}

static void check_combination (Brute *brute) {
  RspArena *arena = rsp_arena_new ();
  RspPreExecution *pre = rsp_pre_execution_new (brute->p->program, brute->chosen, arena);
  guint source[MAX_EVENTS] = { 0 };
  if (pre->n <= MAX_EVENTS && some_values (brute, pre, source, 0)) {
    ck_assert_msg (paths_fit (brute->feasibility, brute->p->program->n_threads, brute->chosen),
                   "%s\npaths %u %u %u have values, but are taken for infeasible", brute->text,
                   brute->numbers[0], brute->numbers[1], brute->numbers[2]);
    for (guint t = 0; t < brute->p->program->n_threads; t++)
      brute->possible[t][brute->numbers[t]] = TRUE;
  }
  rsp_arena_free (arena);
}

static void choose (Brute *brute, guint thread) {
  if (thread == brute->p->program->n_threads) {
    check_combination (brute);
    return;
  }
  for (guint i = 0; i < brute->p->paths[thread]->len; i++) {
    brute->numbers[thread] = i;
    brute->chosen[thread] = path_number (brute->p, thread, i);
    choose (brute, thread + 1);
  }
}

static gboolean is_kept (const PathsOf *p, guint thread, const RspPath *path) {
  return g_ptr_array_find (p->paths[thread], path, NULL);
}

static void check_program (const char *text) {
  g_autoptr (PathsOf) p = paths_of (text, 2);
  ck_assert (p->complete);
  guint numbers[4] = { 0 };
  Brute brute = { .p = p, .numbers = numbers, .text = text };
  brute.feasibility = rsp_feasibility_new (p->program, p->paths, 0);
  for (guint t = 0; t < p->program->n_threads; t++)
    brute.possible[t] = rsp_arena_new0 (p->arena, guint8, p->paths[t]->len);
  choose (&brute, 0);
  rsp_feasibility_free (brute.feasibility);
  GPtrArray *all[4] = { NULL };
  for (guint t = 0; t < p->program->n_threads; t++)
    all[t] = g_ptr_array_copy (p->paths[t], NULL, NULL);
  rsp_paths_prune (p->program, p->paths, 0);
  for (guint t = 0; t < p->program->n_threads; t++) {
    for (guint i = 0; i < all[t]->len; i++)
      ck_assert_msg (!brute.possible[t][i] || is_kept (p, t, all[t]->pdata[i]),
                     "%s\npath %u of thread %u is pruned", text, i, t);
    g_ptr_array_unref (all[t]);
  }
}

START_TEST (test_random_programs) {
  const char *seed = g_getenv ("RSP_PATH_SEED"), *rounds = g_getenv ("RSP_PATH_ROUNDS");
  GRand *random = g_rand_new_with_seed (seed ? (guint32) g_ascii_strtoull (seed, NULL, 10) : 7);
  guint n = rounds ? (guint) g_ascii_strtoull (rounds, NULL, 10) : 1000;
  for (guint round = 0; round < n; round++) {
    g_autofree char *text = random_program (random);
    check_program (text);
  }
  g_rand_free (random);
}
END_TEST

Suite *feasible_random_suite (void) {
  Suite *suite = suite_create ("feasible-random");
  TCase *tests = tcase_create ("feasible-random");
  tcase_set_timeout (tests, 250);
  tcase_add_test (tests, test_random_programs);
  suite_add_tcase (suite, tests);
  return suite;
}
