/* Pre-executions: numbering, base sets and relations. */
#include "enumerator/execution.h"
#include "tests/unit/paths_of.h"

#include <check.h>
#include <string.h>

Suite *pre_execution_suite (void);

static const char *set_of (PathsOf *p, const RspPreExecution *pre, RspBaseSet set) {
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

START_TEST (test_numbering) {
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

START_TEST (test_sets) {
  g_autoptr (PathsOf) p = paths_of (everything, 2);
  /* The compare-exchange fails. 0 … 3: initial x, l, n, g; 4 store; 5 failed load; 6 *n; 7 RMW; 8
   * fence; 9, 10 barrier; 11 the read of P1. */
  p->program->words.bound[0] = 1; /* `remote` is a model's first word */
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
  assert_set (WORD_0, "7");
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

START_TEST (test_scope_tree) {
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
  assert_relation (CO_INITIAL, "04 05");
  ck_assert_uint_eq (rsp_matrix_count (pre->base->relations[RSP_BASE_RELATION_LOC]), 36);
}
END_TEST

START_TEST (test_dependencies_and_places) {
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

START_TEST (test_barriers) {
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
  assert_relation (SAME_B, "00 01 04 05 10 11 14 15 22 23 32 33 40 41 44 45 50 51 54 55 66 67 "
                           "76 77 88 89 98 99");
  assert_set (DIVERGENT_FENCE, "2 6");
}
END_TEST

Suite *pre_execution_suite (void) {
  Suite *suite = suite_create ("pre-execution");
  TCase *tests = tcase_create ("pre-execution");
  tcase_add_test (tests, test_numbering);
  tcase_add_test (tests, test_sets);
  tcase_add_test (tests, test_scope_tree);
  tcase_add_test (tests, test_dependencies_and_places);
  tcase_add_test (tests, test_barriers);
  suite_add_tcase (suite, tests);
  return suite;
}
