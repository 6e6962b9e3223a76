/* Values of a complete reads-from, and final states. */
#include "enumerator/values/values.h"
#include "tests/unit/paths_of.h"

#include <check.h>
#include <string.h>

Suite *values_suite (void);

typedef struct Solution {
  RspValue values[32], written[32], state[8];
  gboolean solved;
  RspThinAir thin_air;
} Solution;

/* sources: per read, in order, the number of its source. co-last writes are the last events. */
static Solution solve (const RspPreExecution *pre, const guint *sources) {
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

static void assert_value (RspValue value, gint64 bits, guint unknown) {
  ck_assert_int_eq (value.bits, bits);
  ck_assert_uint_eq (value.unknown, unknown);
}

START_TEST (test_values_flow) {
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
  ck_assert (rsp_state_truth (p->program, p->program->condition, s.state) == RSP_HOLDS);
  s = solve (pre, (guint[]){ 0, 1 });
  assert_value (s.state[0], 10, 0);
  assert_value (s.state[1], 40, 0);
  ck_assert (rsp_state_truth (p->program, p->program->condition, s.state) == RSP_FAILS);
}
END_TEST

START_TEST (test_constraints_decide) {
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
static Solution load_buffering (const char *first, const char *second, const char *more,
                                guint path) {
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

START_TEST (test_thin_air) {
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

START_TEST (test_circles_that_collapse) {
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
START_TEST (test_operations_on_thin_air) {
  static const struct {
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
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
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
START_TEST (test_links_in_circles) {
  /* 0 x, 1 y; P0: 2 Rx, 3 Rx, 4 Wy; P1: 5 Ry, 6 Wx. */
  static const struct {
    const char *written;
    gboolean solved, thin_air;
  } cases[] = { { "r - s", TRUE, FALSE }, /* both are what was read from x: 0 */
                { "r - s + 1", TRUE, FALSE },
                { "r + s", TRUE, TRUE },
                { "(r == s) + 3", TRUE, FALSE },
                { "(r | 1) - (s | 1) + 4", TRUE, FALSE } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *litmus = g_strdup_printf (
        "OpenCL T\n{ x=0; y=0; }\n"
        "P0 (global int *x, global int *y) { int r = *x; int s = *x; *y = %s; }\n"
        "P1 (global int *x, global int *y) { int t = *y; *x = t; }\n"
        "exists (0:r=0 /\\ 0:s=0 /\\ 1:t=0)\n",
        cases[i].written);
    g_autoptr (PathsOf) p = paths_of (litmus, 2);
    Solution s = solve (pre_of (p, "00"), (guint[]){ 6, 6, 4 });
    ck_assert_msg (s.solved == cases[i].solved
                       && (s.thin_air != RSP_NO_THIN_AIR) == cases[i].thin_air,
                   "case %u", i);
    ck_assert_msg (rsp_value_equal (s.state[0], s.state[1]), "case %u", i);
  }
}
END_TEST

START_TEST (test_circles_not_solved) {
  Solution s = load_buffering ("r | 1", "s", "0", 0);
  ck_assert (s.solved && s.thin_air);
  ck_assert (s.values[2].unknown && s.values[4].unknown);
  ck_assert (rsp_value_equal (s.values[2], s.written[5]));
  ck_assert (rsp_value_equal (s.values[4], s.written[3]));
  s = load_buffering ("r * 2", "s * 3", "s / 2", 0);
  ck_assert (s.solved && s.thin_air);
  ck_assert_uint_ne (s.values[2].unknown, s.values[4].unknown);
  ck_assert_uint_gt (s.state[2].unknown, 2);
  /* x = !x has no solution; x = x == 5 has one, but nothing grounds it. */
  ck_assert (!load_buffering ("!r", "s", "0", 0).solved);
  ck_assert (load_buffering ("r == 5", "s", "0", 0).thin_air);
  ck_assert (!load_buffering ("(r & 3) + 1", "s & 3", "0", 0).solved);
  /* Of the two possible values each gives the other; or one gives itself, but nothing grounds it.
   */
  ck_assert (!load_buffering ("(r != 7) + 6", "s", "0", 0).solved);
  ck_assert (load_buffering ("(r == 1) + 3", "s", "0", 0).thin_air);
}
END_TEST

START_TEST (test_constraints_on_thin_air) {
  /* A path's equation says what the value is, if the cycle's equations have that solution. */
  static const struct {
    const char *first, *second, *condition;
    gboolean solved;
    gint64 r, s;
  } equations[]
      = { { "r", "s", "s == 1", TRUE, 1, 1 },      { "r + 1", "s - 1", "s == 1", TRUE, 0, 1 },
          { "r | 1", "s", "s == 3", TRUE, 3, 3 },  { "r | 1", "s", "s == 2", FALSE, 0, 0 },
          { "r * 2", "s", "s == 0", TRUE, 0, 0 },  { "r * 2", "s", "s == 2", FALSE, 0, 0 },
          { "r", "s", "s + 3 == 1", TRUE, -2, -2 } };
  for (guint i = 0; i < G_N_ELEMENTS (equations); i++) {
    g_autofree char *more = g_strdup_printf ("%s ? 3 : 2", equations[i].condition);
    Solution s = load_buffering (equations[i].first, equations[i].second, more, 0);
    ck_assert_msg (s.solved == equations[i].solved, "equation %u", i);
    if (!s.solved)
      continue;
    ck_assert_msg (s.thin_air == RSP_THIN_AIR_DETERMINED, "equation %u", i);
    assert_value (s.values[2], equations[i].r, 0);
    assert_value (s.values[4], equations[i].s, 0);
  }
  /* Both paths: the condition holds of some values and of others not. */
  for (guint i = 0; i < 5; i++) {
    static const char *const conditions[] = { "s < 1", "s >= 1", "s > 1", "(s & 1)", "s != 1" };
    g_autofree char *more = g_strdup_printf ("%s ? 3 : 2", conditions[i]);
    ck_assert_msg (load_buffering ("r", "s", more, 0).thin_air, "%s", conditions[i]);
    ck_assert_msg (load_buffering ("r", "s", more, 1).thin_air, "%s", conditions[i]);
  }
}
END_TEST

/* The truth of a condition on undetermined values: of a path, of the equations of the cycle, by
 * cases. */
START_TEST (test_truth_on_thin_air) {
  static const struct {
    const char *first, *second, *condition;
    guint path; /* 1: s is not 1 */
    RspTruth truth;
  } cases[] = { { "r", "s", "0:r=42", 1, RSP_OPEN },
                { "r", "s", "0:r=1", 1, RSP_FAILS },
                { "r", "s", "0:r=1 \\/ 1:s=1", 1, RSP_FAILS },
                { "r", "s", "0:r=1:s", 1, RSP_HOLDS },
                { "r", "s", "~(0:r=1:s)", 1, RSP_FAILS },
                { "r", "s", "0:r=5 /\\ 1:s=6", 1, RSP_FAILS },
                { "r", "s", "0:r=5 => 1:s=5", 1, RSP_HOLDS },
                { "r", "s", "0:r=5 \\/ 0:r=6", 1, RSP_OPEN },
                { "r", "s", "0:r=5 \\/ ~(1:s=5)", 1, RSP_HOLDS },
                { "r", "s", "0:r=1099511627776", 1, RSP_FAILS },
                { "r", "s", "0:r=5 /\\ y=6", 1, RSP_FAILS },
                { "r", "s", "x=5 /\\ y=5", 1, RSP_OPEN },
                { "r + 1", "s - 1", "0:r=5 /\\ 1:s=5", 1, RSP_FAILS },
                { "r + 1", "s - 1", "0:r=5 /\\ 1:s=6", 1, RSP_OPEN },
                { "r + 1", "s - 1", "0:r=1:s", 1, RSP_FAILS },
                { "r | 1", "s", "0:r=2", 1, RSP_FAILS },
                { "r | 1", "s", "0:r=3", 1, RSP_OPEN },
                { "1 + (r & 128)", "s", "0:r=129", 1, RSP_OPEN },
                { "1 + (r & 128)", "s", "0:r=130", 1, RSP_FAILS },
                { "r", "s", "0:r=1", 0, RSP_HOLDS },
                { "r", "s", "0:r=2", 0, RSP_FAILS } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *litmus = g_strdup_printf (
        "OpenCL T\n{ x=0; y=0; }\n"
        "P0 (global int *x, global int *y) { int r = *x; *y = %s; }\n"
        "P1 (global int *x, global int *y) { int s = *y; *x = %s; int u = s == 1 ? 3 : 2; }\n"
        "locations [0:r; 1:s; 1:u; x; y;]\nexists (%s)\n",
        cases[i].first, cases[i].second, cases[i].condition);
    g_autoptr (PathsOf) p = paths_of (litmus, 2);
    char numbers[] = { '0', (char) ('0' + cases[i].path), 0 };
    RspPreExecution *pre = pre_of (p, numbers);
    Solution s = solve (pre, (guint[]){ 5, 3 });
    ck_assert_msg (s.solved, "case %u", i);
    rsp_final_state (pre, s.written, (guint[]){ 5, 3 }, s.state);
    ck_assert_msg (rsp_state_truth (p->program, p->program->condition, s.state) == cases[i].truth,
                   "case %u", i);
  }
}
END_TEST

START_TEST (test_narrow_circles) {
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

START_TEST (test_two_circles_have_two_numbers) {
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

START_TEST (test_propositions) {
  static const struct {
    const char *condition;
    gboolean holds;
  } cases[] = { { "x=1", TRUE },           { "x=2", FALSE },          { "x!=2", TRUE },
                { "~(x=2)", TRUE },        { "x=1 /\\ 0:r=1", TRUE }, { "x=1 /\\ 0:r=2", FALSE },
                { "x=2 \\/ 0:r=1", TRUE }, { "x=2 => 0:r=5", TRUE },  { "x=1 => 0:r=5", FALSE },
                { "true", TRUE },          { "false", FALSE },        { "x=0x1", TRUE } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text
        = g_strdup_printf ("OpenCL T\n{ x=0; }\nP0 (global int *x) { *x = 1; int r = *x; }\n"
                           "locations [x; 0:r;]\nexists (%s)\n",
                           cases[i].condition);
    g_autoptr (PathsOf) p = paths_of (text, 2);
    Solution s = solve (pre_of (p, ""), (guint[]){ 1 });
    ck_assert_msg (rsp_state_truth (p->program, p->program->condition, s.state)
                       == rsp_truth (cases[i].holds),
                   "%s", cases[i].condition);
  }
}
END_TEST

Suite *values_suite (void) {
  Suite *suite = suite_create ("values");
  TCase *tests = tcase_create ("values");
  tcase_add_test (tests, test_values_flow);
  tcase_add_test (tests, test_constraints_decide);
  tcase_add_test (tests, test_thin_air);
  tcase_add_test (tests, test_circles_that_collapse);
  tcase_add_test (tests, test_operations_on_thin_air);
  tcase_add_test (tests, test_links_in_circles);
  tcase_add_test (tests, test_circles_not_solved);
  tcase_add_test (tests, test_constraints_on_thin_air);
  tcase_add_test (tests, test_truth_on_thin_air);
  tcase_add_test (tests, test_narrow_circles);
  tcase_add_test (tests, test_two_circles_have_two_numbers);
  tcase_add_test (tests, test_propositions);
  suite_add_tcase (suite, tests);
  return suite;
}
