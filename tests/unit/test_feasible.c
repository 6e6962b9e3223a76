/* Which paths fit together. */
#include "enumerator/paths/paths.h"
#include "tests/unit/paths_of.h"

#include <check.h>
#include <string.h>

Suite *feasible_suite (void);

START_TEST (test_pruning) {
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

START_TEST (test_pruning_keeps_circles) {
  /* x and y may be ?1, which is not 0: both paths that require something else stay. */
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

START_TEST (test_pruning_keeps_load_buffering) {
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

START_TEST (test_counting_is_no_circle) {
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

START_TEST (test_reads_are_satisfied_together) {
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

START_TEST (test_feasible_choices) {
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

Suite *feasible_suite (void) {
  Suite *suite = suite_create ("feasible");
  TCase *tests = tcase_create ("feasible");
  tcase_add_test (tests, test_pruning);
  tcase_add_test (tests, test_pruning_keeps_circles);
  tcase_add_test (tests, test_pruning_keeps_load_buffering);
  tcase_add_test (tests, test_counting_is_no_circle);
  tcase_add_test (tests, test_reads_are_satisfied_together);
  tcase_add_test (tests, test_feasible_choices);
  suite_add_tcase (suite, tests);
  return suite;
}
