/* Pre-executions: numbering, base sets and relations; values, final states; which paths fit
 * together. */
#include "enumerator/paths/feasible/feasible.h"
#include "enumerator/pre_execution.h"
#include "enumerator/values/final_state.h"
#include "enumerator/values/values.h"
#include "tests/unit/paths_of.h"

#include <check.h>
#include <string.h>

Suite *pre_execution_suite (void);

/* One path of each thread, by number; the rest of the threads take their first. */
static RspPreExecution *
pre_of (PathsOf *p, const char *numbers)
{
  const RspPath **chosen = rsp_arena_new0 (p->arena, const RspPath *, p->program->n_threads);
  gsize given = strlen (numbers);
  ck_assert (p->complete);
  for (guint t = 0; t < p->program->n_threads; t++)
    chosen[t] = path_number (p, t, t < given ? (guint) (numbers[t] - '0') : 0);
  return rsp_pre_execution_new (p->program, chosen, p->arena);
}

static const char *
set_of (PathsOf *p, const RspPreExecution *pre, RspBaseSet set)
{
  g_autoptr (GString) out = g_string_new (NULL);
  for (guint e = 0; e < pre->n; e++)
    if (rsp_set_has (pre->base->sets[set], e))
      g_string_append_printf (out, "%s%u", out->len ? " " : "", e);
  return rsp_arena_strdup (p->arena, out->str);
}

#define assert_set(id, expected) ck_assert_str_eq (set_of (p, pre, RSP_BASE_SET_##id), expected)
#define assert_relation(id, expected)                                                              \
  ck_assert_str_eq (describe_relation (p, pre->base->relations[RSP_BASE_RELATION_##id]), expected)

/* ---- Numbering ---- */

START_TEST (test_numbering)
{
  g_autoptr (PathsOf) p = paths_of ("OpenCL T\n{ x=1; y=2; unused=3; }\n"
                                    "P0 (global atomic_int *x, global atomic_int *y) {\n"
                                    "  int r = atomic_load(y); atomic_store(x, 5); }\n"
                                    "P1 (global atomic_int *y) { atomic_fetch_add(y, 1); }\n"
                                    "P2 (global atomic_int *x) { int r = 0; }\n"
                                    "exists (0:r=1)\n",
                                    2);
  RspPreExecution *pre = pre_of (p, "");
  ck_assert_uint_eq (pre->n, 5);
  ck_assert_uint_eq (pre->first[0], 2);
  ck_assert_uint_eq (pre->first[1], 4);
  ck_assert_uint_eq (pre->first[2], 5);
  ck_assert_uint_eq (pre->first[3], 5);
  const RspEvent *initial = pre->events[0];
  ck_assert_uint_eq (initial->thread, RSP_NO_THREAD);
  ck_assert (initial->order == RSP_ORDER_NA && initial->scope == RSP_SCOPE_WORK_ITEM);
  for (guint l = 0; l < p->program->n_locations; l++)
    if (g_str_equal (p->program->locations[l].name, "unused"))
      ck_assert_uint_eq (pre->initial[l], G_MAXUINT);
    else
      ck_assert_uint_lt (pre->initial[l], 2);
  ck_assert_uint_eq (pre->n_reads, 2);
  ck_assert_uint_eq (pre->reads[0], 2);
  ck_assert_uint_eq (pre->reads[1], 4);
  guint y = pre->initial[pre->events[2]->location];
  g_autofree char *expected = g_strdup_printf ("2%u 24 4%u", y, y);
  ck_assert_str_eq (describe_relation (p, pre->candidates), expected);
  ck_assert_int_eq (pre->events[y]->written->constant, 2);
}
END_TEST

/* ---- Sets ---- */

static const char *const everything
    = "OpenCL T\n{ x=0; l=0; n=0; g=0; }\n"
      "P0 (global atomic_int *x, local atomic_int *l, global int *n, global_fga atomic_int *g) {\n"
      "  atomic_store_explicit(x, 1, memory_order_release, memory_scope_work_group);\n"
      "  int e = 3;\n"
      "  int r = atomic_compare_exchange_strong_explicit(l, &e, 1, memory_order_acq_rel,\n"
      "      memory_order_acquire, memory_scope_sub_group);\n"
      "  *n = 7;\n"
      "  atomic_fetch_add_explicit_remote(g, 1, memory_order_seq_cst, memory_scope_device);\n"
      "  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE|CLK_LOCAL_MEM_FENCE, memory_order_acq_rel,\n"
      "      memory_scope_all_svm_devices);\n"
      "  B: barrier(CLK_LOCAL_MEM_FENCE);\n"
      "}\n"
      "P1 (global int *n) { int r = *n; }\n"
      "scopeTree (device (work_group (sub_group P0) (sub_group P1)))\n"
      "exists (0:r=1)\n";

START_TEST (test_sets)
{
  g_autoptr (PathsOf) p = paths_of (everything, 2);
  /* The compare-exchange fails. 0 … 3: initial x, l, n, g; 4 store; 5 failed load; 6 *n; 7 RMW; 8
   * fence; 9, 10 barrier; 11 the read of P1. */
  RspPreExecution *pre = pre_of (p, "1");
  ck_assert_uint_eq (pre->n, 12);
  assert_set (R, "5 7 11");
  assert_set (W, "0 1 2 3 4 6 7");
  assert_set (M, "0 1 2 3 4 5 6 7 11");
  assert_set (F, "8 9 10");
  assert_set (I, "0 1 2 3");
  assert_set (RMW, "7");
  assert_set (BRMW, "");
  assert_set (FAILED_RMW, "5");
  assert_set (REMOTE, "7");
  assert_set (A, "4 5 7");
  assert_set (NA, "0 1 2 3 6 11");
  assert_set (ENTRY_FENCE, "9");
  assert_set (EXIT_FENCE, "10");
  assert_set (DIVERGENT_FENCE, "9");
  assert_set (L, "1 5 8 9 10");
  assert_set (G, "0 2 3 4 6 7 8 11");
  assert_set (FGA, "3 7");
  assert_set (ATOMICLOC, "0 1 3 4 5 7");
  assert_set (NONATOMICLOC, "2 6 11");
  assert_set (RLX, "");
  assert_set (ACQ, "5 10"); /* the barrier's exit */
  assert_set (REL, "4 9");  /* … and entry */
  assert_set (ACQ_REL, "8");
  assert_set (SC, "7");
  assert_set (WORK_ITEM_SCOPE, "0 1 2 3 6 11");
  assert_set (SUB_GROUP_SCOPE, "5");
  assert_set (WORK_GROUP_SCOPE, "4 9 10");
  assert_set (DEVICE_SCOPE, "7");
  assert_set (ALL_SCOPE, "8");
}
END_TEST

/* ---- Relations ---- */

START_TEST (test_scope_tree)
{
  g_autoptr (PathsOf) p = paths_of (
      "OpenCL T\n{ x=0; }\n"
      "P0 (global int *x) { int r = *x; }\nP1 (global int *x) { int r = *x; }\n"
      "P2 (global int *x) { int r = *x; }\nP3 (global int *x) { *x = 1; *x = 2; }\n"
      "scopeTree (device (work_group (sub_group P0 P1) (sub_group P2))) (device (work_group P3))\n"
      "exists (0:r=1)\n",
      2);
  RspPreExecution *pre = pre_of (p, "");
  assert_relation (ID, "00 11 22 33 44 55");
  assert_relation (INT, "00 11 22 33 44 45 54 55");
  assert_relation (WI, "00 11 22 33 44 45 54 55");
  assert_relation (SG, "00 11 12 21 22 33 44 45 54 55");
  assert_relation (WG, "00 11 12 13 21 22 23 31 32 33 44 45 54 55");
  assert_relation (DEV, "00 11 12 13 21 22 23 31 32 33 44 45 54 55");
  assert_relation (EXT, "01 02 03 04 05 10 12 13 14 15 20 21 23 24 25 30 31 32 34 35 "
                        "40 41 42 43 50 51 52 53");
  assert_relation (EXT_WI, "12 13 14 15 21 23 24 25 31 32 34 35 41 42 43 51 52 53");
  assert_relation (EXT_SG, "13 14 15 23 24 25 31 32 34 35 41 42 43 51 52 53");
  assert_relation (EXT_WG, "14 15 24 25 34 35 41 42 43 51 52 53");
  assert_relation (EXT_DEV, "14 15 24 25 34 35 41 42 43 51 52 53");
  assert_relation (PO, "45");
  assert_relation (PO_LOC, "45");
  assert_relation (ASW, "01 02 03 04 05");
  assert_relation (CO0, "04 05");
  ck_assert_uint_eq (rsp_matrix_count (pre->base->relations[RSP_BASE_RELATION_LOC]), 36);
}
END_TEST

START_TEST (test_dependencies_and_places)
{
  g_autoptr (PathsOf) p = paths_of ("OpenCL T\n{ x=0; y=0; }\n"
                                    "P0 (global int *x) { *x = 1; }\n"
                                    "P1 (global int *x, global int *y) {\n"
                                    "  int r = *x; if (r) *y = r; }\n"
                                    "exists (1:r=1)\n",
                                    2);
  RspPreExecution *pre = pre_of (p, "00");
  assert_relation (DATA, "34");
  assert_relation (CTRL, "34");
  assert_relation (ADDR, "");
  assert_relation (PO, "34");
  assert_relation (PO_LOC, "");
  assert_relation (LOC, "00 02 03 11 14 20 22 23 30 32 33 41 44");
  pre = pre_of (p, "01");
  ck_assert_uint_eq (pre->n, 3);
  assert_relation (DATA, "");
}
END_TEST

START_TEST (test_barriers)
{
  g_autoptr (PathsOf) p = paths_of (
      "OpenCL T\n{ x=0; }\n"
      "P0 (global int *x) { B: barrier(CLK_GLOBAL_MEM_FENCE); barrier(CLK_GLOBAL_MEM_FENCE); }\n"
      "P1 (global int *x) { B: barrier(CLK_GLOBAL_MEM_FENCE); B: barrier(CLK_GLOBAL_MEM_FENCE); }\n"
      "P2 (global int *x) { B: barrier(CLK_GLOBAL_MEM_FENCE); }\n"
      "scopeTree (device (work_group P0 P1) (work_group P2))\n"
      "exists (x=0)\n",
      2);
  RspPreExecution *pre = pre_of (p, "");
  ck_assert_uint_eq (pre->n, 10);
  assert_relation (SAME_B, "00 01 04 05 08 09 10 11 14 15 18 19 22 23 32 33 40 41 44 45 48 49 "
                           "50 51 54 55 58 59 66 67 76 77 80 81 84 85 88 89 90 91 94 95 98 99");
  assert_set (DIVERGENT_FENCE, "2 6");
}
END_TEST

/* ---- Values ---- */

typedef struct Solution
{
  RspValue values[32], written[32], state[8];
  gboolean solved, thin_air;
} Solution;

/* sources: per read, in order, the number of its source. co-last writes are the last events. */
static Solution
solve (const RspPreExecution *pre, const guint *sources)
{
  Solution s = { 0 };
  guint source[32] = { 0 }, last[8];
  ck_assert_uint_le (pre->n, 32);
  ck_assert_uint_le (pre->program->n_locations, 8);
  for (guint i = 0; i < pre->n_reads; i++)
    source[pre->reads[i]] = sources[i];
  s.solved = rsp_values_solve (pre, source, s.values, s.written, s.state, &s.thin_air);
  for (guint l = 0; l < pre->program->n_locations; l++)
    last[l] = pre->initial[l];
  for (guint e = 0; e < pre->n; e++)
    if (pre->events[e]->written)
      last[pre->events[e]->location] = e;
  if (s.solved)
    rsp_final_state (pre, s.written, last, s.state);
  return s;
}

static void
assert_value (RspValue value, gint64 bits, guint unknown)
{
  ck_assert_int_eq (value.bits, bits);
  ck_assert_uint_eq (value.unknown, unknown);
}

START_TEST (test_values_flow)
{
  /* 0 x, 1 y; P0: 2 Wx; P1: 3 Rx, 4 Wy; P2: 5 Ry. Observables: 1:r, 2:s, y. */
  g_autoptr (PathsOf) p
      = paths_of ("OpenCL T\n{ x=10; y=20; }\n"
                  "P0 (global int *x) { *x = 1; }\n"
                  "P1 (global int *x, global int *y) { int r = *x; *y = r + 2; }\n"
                  "P2 (global int *y) { int s = *y * 2; }\n"
                  "exists (1:r=1 /\\ 2:s=6 /\\ y=3)\n",
                  2);
  RspPreExecution *pre = pre_of (p, "");
  Solution s = solve (pre, (guint[]){ 2, 4 });
  ck_assert (s.solved && !s.thin_air);
  assert_value (s.values[3], 1, 0);
  assert_value (s.written[4], 3, 0);
  assert_value (s.values[5], 3, 0);
  assert_value (s.state[0], 1, 0);
  assert_value (s.state[1], 6, 0);
  assert_value (s.state[2], 3, 0);
  ck_assert (rsp_prop_holds (p->program->condition, s.state));
  s = solve (pre, (guint[]){ 0, 1 });
  assert_value (s.state[0], 10, 0);
  assert_value (s.state[1], 40, 0);
  ck_assert (!rsp_prop_holds (p->program->condition, s.state));
}
END_TEST

START_TEST (test_constraints_decide)
{
  g_autoptr (PathsOf) p = paths_of ("OpenCL T\n{ x=0; }\n"
                                    "P0 (global int *x) { *x = 1; }\n"
                                    "P1 (global int *x) { int r = *x; if (r == 1) r = 5; }\n"
                                    "exists (1:r=5)\n",
                                    2);
  /* 0 x; 1 Wx; 2 Rx */
  ck_assert (solve (pre_of (p, "00"), (guint[]){ 1 }).solved);
  ck_assert (!solve (pre_of (p, "00"), (guint[]){ 0 }).solved);
  ck_assert (!solve (pre_of (p, "01"), (guint[]){ 1 }).solved);
  ck_assert (solve (pre_of (p, "01"), (guint[]){ 0 }).solved);
}
END_TEST

/* Load buffering: P0 reads x and writes `first` to y, P1 reads y and writes `second` to x; r and s
 * are the registers read, and u is `more`, computed in P1 from s. Events: 0 x, 1 y, 2 Rx, 3 Wy, 4
 * Ry, 5 Wx; each read takes the other's write. */
static Solution
load_buffering (const char *first, const char *second, const char *more, guint path)
{
  g_autofree char *litmus
      = g_strdup_printf ("OpenCL T\n{ x=0; y=0; }\n"
                         "P0 (global int *x, global int *y) { int r = *x; *y = %s; }\n"
                         "P1 (global int *x, global int *y) { int s = *y; *x = %s; int u = %s; }\n"
                         "exists (0:r=0 /\\ 1:s=0 /\\ 1:u=0)\n",
                         first, second, more);
  g_autoptr (PathsOf) p = paths_of (litmus, 2);
  char numbers[] = { '0', (char) ('0' + path), 0 };
  return solve (pre_of (p, numbers), (guint[]){ 5, 3 });
}

START_TEST (test_thin_air)
{
  Solution s = load_buffering ("r", "s", "s + 4", 0);
  ck_assert (s.solved && s.thin_air);
  assert_value (s.values[2], 0, 1);
  assert_value (s.written[3], 0, 1);
  assert_value (s.values[4], 0, 1);
  assert_value (s.state[2], 4, 1);
  s = load_buffering ("r + 1", "s - 1", "0", 0);
  ck_assert (s.solved && s.thin_air);
  assert_value (s.values[2], 0, 1);
  assert_value (s.values[4], 1, 1);
  ck_assert (!load_buffering ("r + 1", "s", "0", 0).solved);
  ck_assert (!load_buffering ("r + 1", "s + 1", "0", 0).solved);
}
END_TEST

START_TEST (test_circles_that_collapse)
{
  Solution s = load_buffering ("r ^ r", "s", "0", 0);
  ck_assert (s.solved && !s.thin_air);
  assert_value (s.values[2], 0, 0);
  s = load_buffering ("r * 0 + 7", "s", "0", 0);
  ck_assert (s.solved && !s.thin_air);
  assert_value (s.values[4], 7, 0);
}
END_TEST

/* Equal operations on equal values are equal, whoever does them: what is written and what is in a
 * register, in the thread of a write and in another. */
START_TEST (test_operations_on_thin_air)
{
  static const struct
  {
    const char *first, *second, *more;
    guint same; /* 1:u has the number of 0:r (1), of 1:s (2), one of its own (3), or is 0 (0) */
  } cases[] = {
    { "r", "s", "s + s", 3 },
    { "r", "s", "s - s", 0 },
    { "r", "s", "(s * s) ^ (s * s)", 0 },
    { "r", "s", "s % 1", 0 },
    { "r", "s", "s / 2", 3 },
    { "r + r", "s", "s", 2 },
    { "r + r", "s", "s + s", 1 }, /* s = r + r and r = s */
    { "r * 3", "s * 3", "s * 3", 1 },
    { "r * 3", "s * 3", "s * 3 * 3", 2 },
    { "r * 3", "s * 3", "s * 5", 3 },
    { "(r | 1) + 1", "s - 1", "s | 1", 3 },
    { "(r | 1) + 1", "s - 1", "(s - 1) | 1", 1 },
    { "r * 2", "s | 1", "s | 1", 1 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Solution s = load_buffering (cases[i].first, cases[i].second, cases[i].more, 0);
      ck_assert_msg (s.solved && s.thin_air, "case %u", i);
      guint numbers[] = { 0, s.state[0].unknown, s.state[1].unknown, s.state[2].unknown };
      ck_assert_msg (numbers[3] == numbers[cases[i].same], "case %u", i);
      ck_assert_msg (cases[i].same != 3 || (numbers[3] != numbers[1] && numbers[3] != numbers[2]),
                     "case %u", i);
    }
}
END_TEST

/* Two reads of one write, and two writes of equal values, link what is made of them. */
START_TEST (test_links_in_circles)
{
  /* 0 x, 1 y; P0: 2 Rx, 3 Rx, 4 Wy; P1: 5 Ry, 6 Wx. */
  static const struct
  {
    const char *written;
    gboolean solved, thin_air;
  } cases[] = { { "r - s", TRUE, FALSE }, /* both are what was read from x: 0 */
                { "r - s + 1", TRUE, FALSE },
                { "r + s", TRUE, TRUE },
                { "(r == s) + 3", TRUE, FALSE },
                { "(r | 1) - (s | 1) + 4", TRUE, FALSE } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *litmus = g_strdup_printf (
          "OpenCL T\n{ x=0; y=0; }\n"
          "P0 (global int *x, global int *y) { int r = *x; int s = *x; *y = %s; }\n"
          "P1 (global int *x, global int *y) { int t = *y; *x = t; }\n"
          "exists (0:r=0 /\\ 0:s=0 /\\ 1:t=0)\n",
          cases[i].written);
      g_autoptr (PathsOf) p = paths_of (litmus, 2);
      Solution s = solve (pre_of (p, "00"), (guint[]){ 6, 6, 4 });
      ck_assert_msg (s.solved == cases[i].solved && s.thin_air == cases[i].thin_air, "case %u", i);
      ck_assert_msg (rsp_value_equal (s.state[0], s.state[1]), "case %u", i);
    }
}
END_TEST

START_TEST (test_circles_not_solved)
{
  Solution s = load_buffering ("r | 1", "s", "0", 0);
  ck_assert (s.solved && s.thin_air);
  ck_assert (s.values[2].unknown && s.values[4].unknown);
  ck_assert (rsp_value_equal (s.values[2], s.written[5]));
  ck_assert (rsp_value_equal (s.values[4], s.written[3]));
  s = load_buffering ("r * 2", "s * 3", "s / 2", 0);
  ck_assert (s.solved && s.thin_air);
  ck_assert_uint_ne (s.values[2].unknown, s.values[4].unknown);
  ck_assert_uint_gt (s.state[2].unknown, 2);
  /* x = !x has no solution; x = x == 5 has one, but nothing to stand on. */
  ck_assert (!load_buffering ("!r", "s", "0", 0).solved);
  ck_assert (load_buffering ("r == 5", "s", "0", 0).thin_air);
  ck_assert (!load_buffering ("(r & 3) + 1", "s & 3", "0", 0).solved
             || load_buffering ("(r & 3) + 1", "s & 3", "0", 0).thin_air);
}
END_TEST

START_TEST (test_constraints_on_thin_air)
{
  /* Exactly one of the paths: an undetermined value equals no constant. */
  ck_assert (!load_buffering ("r", "s", "s == 1 ? 3 : 2", 0).solved);
  ck_assert (load_buffering ("r", "s", "s == 1 ? 3 : 2", 1).solved);
  for (guint i = 0; i < 4; i++)
    {
      static const char *const conditions[] = { "s < 1", "s >= 1", "s > 1", "(s & 1)" };
      g_autofree char *more = g_strdup_printf ("%s ? 3 : 2", conditions[i]);
      gboolean yes = load_buffering ("r", "s", more, 0).solved;
      gboolean no = load_buffering ("r", "s", more, 1).solved;
      ck_assert_msg (yes != no, "%s", conditions[i]);
    }
}
END_TEST

START_TEST (test_narrow_circles)
{
  g_autoptr (PathsOf) p = paths_of ("OpenCL T\n{ uchar x=0; uchar y=0; }\n"
                                    "P0 (global uchar *x, global uchar *y) { *y = *x + 200; }\n"
                                    "P1 (global uchar *x, global uchar *y) { *x = *y + 56; }\n"
                                    "P2 (global uchar *x, global uchar *y) { *x = *y + 57; }\n"
                                    "exists (x=0)\n",
                                    2);
  /* 0 x, 1 y, 2 Rx, 3 Wy, 4 Ry, 5 Wx, 6 Ry, 7 Wx: 200 + 56 is 0 modulo 2^8. */
  RspPreExecution *pre = pre_of (p, "");
  Solution s = solve (pre, (guint[]){ 5, 3, 3 });
  ck_assert (s.solved && s.thin_air);
  assert_value (s.values[2], 0, 1);
  assert_value (s.values[4], 200, 1);
  ck_assert (!solve (pre, (guint[]){ 7, 3, 3 }).solved);
}
END_TEST

START_TEST (test_two_circles_have_two_numbers)
{
  g_autoptr (PathsOf) p
      = paths_of ("OpenCL T\n{ x=0; y=0; }\n"
                  "P0 (global int *x, global int *y) { int r = *y; *y = r; int s = *x; *x = s; }\n"
                  "P1 (global int *x) { int t = *x; }\n"
                  "exists (0:r=0 /\\ 0:s=0 /\\ 1:t=0)\n",
                  2);
  /* 2 Ry 3 Wy 4 Rx 5 Wx 6 Rx: both read their own writes. */
  Solution s = solve (pre_of (p, ""), (guint[]){ 3, 5, 5 });
  ck_assert (s.solved && s.thin_air);
  assert_value (s.state[0], 0, 1);
  assert_value (s.state[1], 0, 2);
  assert_value (s.state[2], 0, 2);
  ck_assert (!rsp_value_equal (s.state[0], s.state[1]));
}
END_TEST

START_TEST (test_propositions)
{
  static const struct
  {
    const char *condition;
    gboolean holds;
  } cases[] = { { "x=1", TRUE },           { "x=2", FALSE },          { "x!=2", TRUE },
                { "~(x=2)", TRUE },        { "x=1 /\\ 0:r=1", TRUE }, { "x=1 /\\ 0:r=2", FALSE },
                { "x=2 \\/ 0:r=1", TRUE }, { "x=2 => 0:r=5", TRUE },  { "x=1 => 0:r=5", FALSE },
                { "true", TRUE },          { "false", FALSE },        { "x=0x1", TRUE } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text
          = g_strdup_printf ("OpenCL T\n{ x=0; }\nP0 (global int *x) { *x = 1; int r = *x; }\n"
                             "locations [x; 0:r;]\nexists (%s)\n",
                             cases[i].condition);
      g_autoptr (PathsOf) p = paths_of (text, 2);
      Solution s = solve (pre_of (p, ""), (guint[]){ 1 });
      ck_assert_msg (rsp_prop_holds (p->program->condition, s.state) == cases[i].holds, "%s",
                     cases[i].condition);
    }
}
END_TEST

/* ---- Which paths fit together ---- */

START_TEST (test_pruning)
{
  g_autoptr (PathsOf) p
      = paths_of ("OpenCL T\n{ x=0; y=0; }\n"
                  "P0 (global int *x, global int *y) { int r = *x; if (r == 1) *y = r + 1;\n"
                  "  else if (r == 7) *y = 9; }\n"
                  "P1 (global int *x, global int *y) { int s = *y; if (s == 2) *x = 3;\n"
                  "  if (s == 9) *x = 8; }\n"
                  "P2 (global int *x) { *x = 1; }\n"
                  "exists (0:r=1)\n",
                  2);
  ck_assert_uint_eq (p->paths[0]->len, 3);
  ck_assert_uint_eq (p->paths[1]->len, 3);
  rsp_paths_prune (p->program, p->paths, 0);
  ck_assert_str_eq (describe_paths (p, 0), "Rx Wy=(r0 + 1) | (r0 == 1)\nRx | (r0 != 1), (r0 != 7)");
  ck_assert_str_eq (describe_paths (p, 1), "Ry Wx=3 | (r0 == 2)\nRy | (r0 != 2), (r0 != 9)");
}
END_TEST

START_TEST (test_pruning_keeps_circles)
{
  /* x and y may be ?1, which is not 0: both paths that ask for something else stay. */
  g_autoptr (PathsOf) p
      = paths_of ("OpenCL T\n{ x=0; y=0; z=0; }\n"
                  "P0 (global int *x, global int *y, global int *z) { int r = *x; *y = r;\n"
                  "  if (r != 0) *z = 1; }\n"
                  "P1 (global int *x, global int *y) { *x = *y; }\n"
                  "P2 (global int *z) { int t = *z; if (t == 2) *z = 3; }\n"
                  "exists (0:r=1 /\\ 2:t=0)\n",
                  2);
  rsp_paths_prune (p->program, p->paths, 0);
  ck_assert_uint_eq (p->paths[0]->len, 2);
  ck_assert_uint_eq (p->paths[2]->len, 1);
}
END_TEST

START_TEST (test_pruning_keeps_load_buffering)
{
  /* The paths enable each other. */
  g_autoptr (PathsOf) p
      = paths_of ("OpenCL T\n{ x=0; y=0; }\n"
                  "P0 (global int *x, global int *y) { int r = *x; if (r == 1) *y = 1; }\n"
                  "P1 (global int *x, global int *y) { int s = *y; if (s == 1) *x = 1; }\n"
                  "exists (0:r=1)\n",
                  2);
  rsp_paths_prune (p->program, p->paths, 0);
  ck_assert_uint_eq (p->paths[0]->len, 2);
  ck_assert_uint_eq (p->paths[1]->len, 2);
}
END_TEST

START_TEST (test_counting_is_no_circle)
{
  /* Increments cannot justify each other, and two of them do not make 3. */
  g_autoptr (PathsOf) p
      = paths_of ("OpenCL T\n{ x=0; y=0; }\n"
                  "P0 (global atomic_int *x) { int r = atomic_fetch_add(x, 1); }\n"
                  "P1 (global atomic_int *x) { int r = atomic_fetch_add(x, 1); }\n"
                  "P2 (global atomic_int *x, global int *y) { int r = atomic_load(x);\n"
                  "  if (r < 0) *y = 1; if (r == 2) *y = 2; if (r == 3) *y = 3; }\n"
                  "exists (1:r=1)\n",
                  2);
  rsp_paths_prune (p->program, p->paths, 0);
  ck_assert_str_eq (describe_paths (p, 2),
                    "Rx Wy=2 | (0 <= r0), (r0 == 2)\nRx | (0 <= r0), (r0 != 2), (r0 != 3)");
  g_autoptr (PathsOf) q
      = paths_of ("OpenCL T\n{ x=0; y=0; }\n"
                  "P0 (global int *x, global int *y) { *x = *y & 1; }\n"
                  "P1 (global int *x, global int *y) { int r = *x; if (r == 2) *y = 1; }\n"
                  "exists (1:r=1)\n",
                  2);
  rsp_paths_prune (q->program, q->paths, 0);
  ck_assert_uint_eq (q->paths[1]->len, 1);
}
END_TEST

START_TEST (test_reads_are_satisfied_together)
{
  /* r < s, s < t and t < u take four values; x holds three. */
  g_autoptr (PathsOf) p = paths_of (
      "OpenCL T\n{ x=0; y=0; }\n"
      "P0 (global int *x) { *x = 1; *x = 2; }\n"
      "P1 (global int *x, global int *y) { int r = *x; int s = *x; int t = *x; int u = *x;\n"
      "  if (r < s) if (s < t) { *y = 1; if (t < u) *y = 2; } }\n"
      "exists (1:r=1)\n",
      2);
  ck_assert_uint_eq (p->paths[1]->len, 4);
  rsp_paths_prune (p->program, p->paths, 0);
  ck_assert_uint_eq (p->paths[1]->len, 3);
}
END_TEST

START_TEST (test_feasible_choices)
{
  /* A relay of three: each passes on what it saw. */
  g_autoptr (PathsOf) p
      = paths_of ("OpenCL T\n{ x=0; y=0; }\n"
                  "P0 (global int *x) { *x = 1; }\n"
                  "P1 (global int *x, global int *y) { int r = *x; if (r == 1) *y = 1; }\n"
                  "P2 (global int *y) { int s = *y; if (s == 1) s = 2; }\n"
                  "exists (2:s=2)\n",
                  2);
  g_autoptr (RspFeasibility) f = rsp_feasibility_new (p->program, p->paths, 0);
  const RspPath *chosen[3] = { NULL, NULL, NULL };
  ck_assert (paths_fit (f, 3, chosen));
  chosen[2] = path_number (p, 2, 0);
  ck_assert (paths_fit (f, 3, chosen));
  chosen[1] = path_number (p, 1, 1);
  ck_assert (!paths_fit (f, 3, chosen));
  chosen[2] = path_number (p, 2, 1);
  ck_assert (paths_fit (f, 3, chosen));
  chosen[1] = NULL;
  ck_assert (paths_fit (f, 3, chosen));
}
END_TEST

Suite *
pre_execution_suite (void)
{
  Suite *suite = suite_create ("pre-execution");
  TCase *tests = tcase_create ("pre-execution");
  tcase_add_test (tests, test_numbering);
  tcase_add_test (tests, test_sets);
  tcase_add_test (tests, test_scope_tree);
  tcase_add_test (tests, test_dependencies_and_places);
  tcase_add_test (tests, test_barriers);
  tcase_add_test (tests, test_values_flow);
  tcase_add_test (tests, test_constraints_decide);
  tcase_add_test (tests, test_thin_air);
  tcase_add_test (tests, test_circles_that_collapse);
  tcase_add_test (tests, test_circles_not_solved);
  tcase_add_test (tests, test_operations_on_thin_air);
  tcase_add_test (tests, test_links_in_circles);
  tcase_add_test (tests, test_constraints_on_thin_air);
  tcase_add_test (tests, test_narrow_circles);
  tcase_add_test (tests, test_two_circles_have_two_numbers);
  tcase_add_test (tests, test_propositions);
  tcase_add_test (tests, test_pruning);
  tcase_add_test (tests, test_pruning_keeps_circles);
  tcase_add_test (tests, test_pruning_keeps_load_buffering);
  tcase_add_test (tests, test_counting_is_no_circle);
  tcase_add_test (tests, test_reads_are_satisfied_together);
  tcase_add_test (tests, test_feasible_choices);
  suite_add_tcase (suite, tests);
  return suite;
}
