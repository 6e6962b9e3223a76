/* Symbolic execution: events, sequencing, dependencies, branches, loops, failures, merging. */
#include "enumerator/paths/paths.h"
#include "tests/unit/paths_of.h"
#include "tests/unit/term_text.h"

#include <check.h>
#include <string.h>

Suite *path_suite (void);

/* All paths of a body are as described, one per line. */
static void expect (const char *body, const char *observed, const char *expected) {
  g_autoptr (PathsOf) p = paths_of_body (body, observed);
  ck_assert_msg (p->complete, "%s", body);
  ck_assert_str_eq (describe_paths (p, 0), expected);
}

/* A relation of the first path is as described. */
#define expect_relation(body, observed, name, expected)                                            \
  do {                                                                                             \
    g_autoptr (PathsOf) p_ = paths_of_body (body, observed);                                       \
    ck_assert_str_eq (describe_relation (p_, path_number (p_, 0, 0)->name), expected);             \
  } while (0)

/* The final value of an observed register on a path. */
static const char *final_value (PathsOf *p, guint path, const char *name) {
  const RspThread *thread = &p->program->threads[0];
  for (guint i = 0; i < thread->n_registers; i++)
    if (g_str_equal (thread->registers[i].name, name)) {
      g_autoptr (GString) text = g_string_new (NULL);
      ck_assert_ptr_nonnull (path_number (p, 0, path)->finals[i]);
      term_format (path_number (p, 0, path)->finals[i], text);
      return rsp_arena_strdup (p->arena, text->str);
    }
  ck_abort_msg ("no register %s", name);
}

static void expect_final (const char *body, const char *name, const char *expected) {
  g_autofree char *observed = g_strdup_printf ("0:%s=0", name);
  g_autoptr (PathsOf) p = paths_of_body (body, observed);
  ck_assert_str_eq (final_value (p, 0, name), expected);
}

/* ---- Accesses ---- */

START_TEST (test_accesses) {
  expect ("int r0 = atomic_load(x); atomic_store(y, r0 + 1); *z = 3; a[2] = *z;", "0:r0=0",
          "Rx Wy=(r0 + 1) Wz=3 Rz Wa[2]=r3");
  expect ("int r0 = atomic_fetch_add(x, 2); int r1 = atomic_exchange(y, 5);", "0:r0=0",
          "Ux=(r0 + 2) Uy=5");
  expect ("atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, "
          "memory_scope_device);",
          "x=0", "F");
  expect_final ("int r0 = atomic_fetch_max(x, 7) + 1;", "r0", "(r0 + 1)");
}
END_TEST

START_TEST (test_event_fields) {
  g_autoptr (PathsOf) p = paths_of_body (
      "int r = atomic_load_explicit_remote(x, memory_order_acquire, "
      "memory_scope_all_svm_devices);\n"
      "*z = r; atomic_init(y, 1);"
      "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE, memory_order_release, memory_scope_work_group);",
      "x=0");
  const RspEvent *e = path_number (p, 0, 0)->events;
  ck_assert (e[0].order == RSP_ORDER_ACQUIRE && e[0].scope == RSP_SCOPE_ALL && e[0].words == 1);
  ck_assert (e[0].is_atomic && e[0].read && !e[0].written && e[0].thread == 0);
  ck_assert (e[1].order == RSP_ORDER_NA && e[1].scope == RSP_SCOPE_WORK_ITEM && !e[1].is_atomic);
  ck_assert (e[2].order == RSP_ORDER_NA && !e[2].is_atomic && e[2].kind == RSP_EVENT_WRITE);
  ck_assert (e[3].kind == RSP_EVENT_FENCE && e[3].location == RSP_NO_LOCATION);
  ck_assert (e[3].flags == RSP_FENCE_LOCAL && e[3].scope == RSP_SCOPE_WORK_GROUP);
}
END_TEST

START_TEST (test_flag) {
  g_autoptr (PathsOf) p
      = paths_of_body ("int r = atomic_flag_test_and_set(x); atomic_flag_clear(y);", "0:r=0");
  ck_assert_str_eq (describe_paths (p, 0), "Ux=1 Wy=0");
  ck_assert_str_eq (final_value (p, 0, "r"), "(r0 != 0)");
}
END_TEST

START_TEST (test_barrier) {
  g_autoptr (PathsOf) p
      = paths_of_body ("L: barrier(CLK_GLOBAL_MEM_FENCE); barrier(CLK_LOCAL_MEM_FENCE); *z = 1;\n"
                       "L: barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);",
                       "x=0");
  ck_assert_str_eq (describe_paths (p, 0), "entry exit entry exit Wz=1 entry exit");
  const RspEvent *e = path_number (p, 0, 0)->events;
  ck_assert_str_eq (e[0].barrier, "L");
  ck_assert_str_eq (e[2].barrier, "");
  ck_assert_uint_eq (e[0].barrier_count, 0);
  ck_assert_uint_eq (e[2].barrier_count, 0);
  ck_assert_uint_eq (e[5].barrier_count, 1);
  ck_assert_uint_eq (e[6].barrier_count, 1);
  ck_assert (e[0].order == RSP_ORDER_RELEASE && e[1].order == RSP_ORDER_ACQUIRE);
  ck_assert (e[0].flags == RSP_FENCE_GLOBAL);
  ck_assert (e[1].kind == RSP_EVENT_EXIT && e[2].flags == RSP_FENCE_LOCAL);
  ck_assert (e[0].scope == RSP_SCOPE_WORK_GROUP && e[5].scope == RSP_SCOPE_DEVICE);
}
END_TEST

/* ---- Sequencing ---- */

START_TEST (test_statements_are_sequenced) {
  expect_relation ("*z = 1; a[0] = 2; a[1] = 3;", "x=0", po, "01 02 12");
}
END_TEST

START_TEST (test_operands_are_unsequenced) {
  expect_relation ("int r = *z + a[1];", "x=0", po, "");
  expect_relation ("int r = atomic_load(x) + atomic_load(y);", "x=0", po, "");
  expect_relation ("*z = *z + 1;", "x=0", po, "01");
  expect_relation ("*z = (a[0] = 1);", "x=0", po, "");
  expect_relation ("int r = *z + (*z)++;", "x=0", po, "12");
  expect_relation ("*z += a[1];", "x=0", po, "02 12");
  expect_relation ("a[*z] = a[1];", "x=0", po, "02 12");
  expect_relation ("atomic_store(y, atomic_load(x) + *z);", "x=0", po, "02 12");
  expect_relation ("atomic_store(y, *z = 3);", "x=0", po, "01");
}
END_TEST

START_TEST (test_sequence_points) {
  expect_relation ("int r = (*z, a[1]);", "x=0", po, "01");
  expect_relation ("int r = (*z = 1, a[1]);", "x=0", po, "01");
  expect_relation ("int r = *z && a[1];", "0:r=0", po, "01");
  expect_relation ("int r = *z ? a[1] : a[2];", "0:r=0", po, "01");
  expect_relation ("int r = (*z, a[1]) + (a[2], a[3]);", "x=0", po, "01 23");
  expect_relation ("*z = (a[0] = 1, 2);", "x=0", po, "01");
}
END_TEST

/* ---- Dependencies ---- */

START_TEST (test_dependencies) {
  expect_relation ("int r0 = atomic_load(x); int r1 = r0 ^ r0; *z = r1;", "x=0", data, "01");
  expect_relation ("int r0 = atomic_load(x); a[r0 - r0] = 1;", "x=0", addr, "01");
  expect_relation ("int r0 = atomic_load(x); a[r0 - r0] = 1;", "x=0", data, "");
  expect_relation ("int r0 = atomic_load(x); if (r0) r0 = 0; *z = 1; a[0] = 1;", "x=0", ctrl,
                   "01 02");
  expect_relation ("int r0 = atomic_load(x); if (r0 == r0) { *z = 1; }", "x=0", ctrl, "01");
  expect_relation ("*z = 1; int r0 = atomic_load(x); if (r0) { } *z = 2;", "x=0", ctrl, "12");
  expect_relation ("atomic_fetch_add(x, *z);", "x=0", data, "01");
  expect_relation ("int r = *z + 1; r = a[r - r];", "x=0", addr, "01");
  expect_relation ("int r = *z; r = 5; a[1] = r;", "x=0", data, "");
  expect_relation ("int r = atomic_load(x) ? 1 : 1; *z = r;", "x=0", data, "01");
  /* Not through memory. */
  expect_relation ("*z = atomic_load(x); a[0] = *z;", "x=0", data, "01 23");
}
END_TEST

START_TEST (test_cas_dependencies) {
  const char *body = "int r = atomic_compare_exchange_strong(x, z, a[0]); atomic_store(y, r);";
  g_autoptr (PathsOf) p = paths_of_body (body, "x=0");
  ck_assert_str_eq (describe_paths (p, 0),
                    "Ra[0] Rz Ux=r0 Wy=1 | (r1 == r2)\nRa[0] Rz Rx Wy=0 | (r1 != r2)");
  ck_assert_str_eq (describe_relation (p, path_number (p, 0, 0)->data), "02 12 13 23");
  ck_assert_str_eq (describe_relation (p, path_number (p, 0, 1)->data), "13 23");
  ck_assert_str_eq (describe_relation (p, path_number (p, 0, 0)->po), "01 02 03 12 13 23");
}
END_TEST

/* ---- Compare-exchange ---- */

START_TEST (test_cas) {
  const char *body = "int e = 0; int r = atomic_compare_exchange_strong_explicit(x, &e, 1, "
                     "memory_order_acq_rel, memory_order_relaxed, memory_scope_device);";
  g_autoptr (PathsOf) p = paths_of_body (body, "0:r=0");
  ck_assert_str_eq (describe_paths (p, 0), "Ux=1 | (r0 == 0)\nRx | (r0 != 0)");
  ck_assert_str_eq (final_value (p, 0, "r"), "1");
  ck_assert_str_eq (final_value (p, 1, "r"), "0");
  const RspEvent *won = path_number (p, 0, 0)->events, *lost = path_number (p, 0, 1)->events;
  ck_assert (won->order == RSP_ORDER_ACQ_REL && !won->failed_rmw && won->is_atomic);
  ck_assert (lost->order == RSP_ORDER_RELAXED && lost->failed_rmw && lost->is_atomic);
  ck_assert (lost->scope == RSP_SCOPE_DEVICE && !lost->written);
}
END_TEST

START_TEST (test_weak_cas) {
  /* What fails, fails the same way whether or not the values agree. */
  expect ("int e = 0; int r = atomic_compare_exchange_weak(x, &e, 1);", "0:r=0",
          "Ux=1 | (r0 == 0)\nRx");
}
END_TEST

START_TEST (test_cas_writeback) {
  g_autoptr (PathsOf) p
      = paths_of_body_with ("int r = atomic_compare_exchange_strong(x, z, 1);", "0:r=0", 2, TRUE);
  ck_assert_str_eq (describe_paths (p, 0), "Rz Ux=1 | (r0 == r1)\nRz Rx Wz=r1 | (r0 != r1)");
  ck_assert_str_eq (describe_relation (p, path_number (p, 0, 1)->data), "12");
  ck_assert_str_eq (describe_relation (p, path_number (p, 0, 1)->po), "01 02 12");
  g_autoptr (PathsOf) q = paths_of_body_with (
      "int e = 0; int r = atomic_compare_exchange_strong(x, &e, 1);", "0:e=0", 2, TRUE);
  ck_assert_str_eq (final_value (q, 0, "e"), "0");
  ck_assert_str_eq (final_value (q, 1, "e"), "r0");
}
END_TEST

/* ---- Branches ---- */

START_TEST (test_if) {
  expect ("int r0 = atomic_load(x); if (r0 == 1) atomic_store(y, 1);", "x=0",
          "Rx Wy=1 | (r0 == 1)\nRx | (r0 != 1)");
  expect ("int r0 = atomic_load(x); if (r0 == 1) *z = 1; else *z = 2;", "x=0",
          "Rx Wz=1 | (r0 == 1)\nRx Wz=2 | (r0 != 1)");
  expect ("if (atomic_load(x)) *z = 1;", "x=0", "Rx Wz=1 | (r0 != 0)\nRx | (r0 == 0)");
  expect ("if (1 < 2) *z = 1; else *z = 2;", "x=0", "Wz=1");
  expect ("int r = *z; return; *z = 2;", "0:r=0", "Rz");
}
END_TEST

START_TEST (test_infeasible_branches) {
  expect ("int r = *z; if (r == 1) { if (r == 0) *z = 5; if (r + 1 == 2) *z = 6; }", "x=0",
          "Rz Wz=6 | (r0 == 1)\nRz | (r0 != 1)");
  expect ("int r = *z; if (r == 1) a[0] = 1; if (r != 1) a[1] = 1;", "x=0",
          "Rz Wa[0]=1 | (r0 == 1)\nRz Wa[1]=1 | (r0 != 1)");
}
END_TEST

/* Pairs of reads that do not concern each other: the last one's failure is found at once, not
 * for each of the others' many solutions (which would be more than are tried). */
START_TEST (test_unrelated_conditions) {
  g_autoptr (GString) body = g_string_new ("*z = 1; *z = 2; *z = 3; *z = 4;");
  for (guint i = 0; i < 6; i++)
    g_string_append_printf (body, "int a%u = *z; int b%u = *z; if (a%u > b%u) return;", i, i, i, i);
  g_string_append (body, "int c = *z; int d = *z; if (c + d == 9) *y = 1;");
  g_autoptr (PathsOf) p = paths_of_body (body->str, "x=0");
  ck_assert_uint_eq (p->paths[0]->len, 8);
  rsp_paths_prune (p->program, p->paths, 0);
  ck_assert_uint_eq (p->paths[0]->len, 7);
}
END_TEST

START_TEST (test_short_circuit) {
  expect ("int r = *z && a[1];", "0:r=0", "Rz Ra[1] | (r0 != 0)\nRz | (r0 == 0)");
  expect ("int r = *z || a[1];", "0:r=0", "Rz | (r0 != 0)\nRz Ra[1] | (r0 == 0)");
  expect_final ("int r = *z && a[1];", "r", "(r1 != 0)");
  expect_final ("int r = *z || a[1];", "r", "1");
  expect ("int r = 0 && a[1];", "0:r=0", "");
  expect ("int r = 1 || a[1];", "0:r=0", "");
  expect ("int r = *z ? a[1] : a[2];", "0:r=0", "Rz Ra[1] | (r0 != 0)\nRz Ra[2] | (r0 == 0)");
  /* Nothing happens on the right: no branch of its own. */
  expect ("int r0 = *z; int r1 = a[0]; if (r0 == 1 && r1 == 2) *z = 5;", "x=0",
          "Rz Ra[0] Wz=5 | ((r0 == 1) & (r1 == 2))\nRz Ra[0] | ((r0 != 1) | (r1 != 2))");
}
END_TEST

/* The lesser and the greater of two numbers need no branch. */
START_TEST (test_extremes) {
#define TWO "int r0 = *z; int r1 = a[0]; "
  expect (TWO "*z = r0 < r1 ? r0 : r1;", "x=0", "Rz Ra[0] Wz=(r0 min r1)");
  expect (TWO "*z = r0 <= r1 ? r1 : r0;", "x=0", "Rz Ra[0] Wz=(r0 max r1)");
  expect (TWO "*z = r0 > r1 ? r1 : r0;", "x=0", "Rz Ra[0] Wz=(r0 min r1)");
  expect (TWO "*z = !(r0 < r1) ? r0 : r1;", "x=0", "Rz Ra[0] Wz=(r0 max r1)");
  expect ("int r0 = *z; *z = r0 > 7 ? r0 : 7;", "x=0", "Rz Wz=(r0 max 7)");
  expect_relation (TWO "a[1] = r0 < r1 ? r0 : r1; *x = 1;", "x=0", data, "02 12");
  expect_relation (TWO "a[1] = r0 < r1 ? r0 : r1; *x = 1;", "x=0", ctrl, "02 03 12 13");
  /* Neither of the two, or one that depends on more. */
  expect (TWO "*z = r0 < r1 ? r0 : 7;", "x=0",
          "Rz Ra[0] Wz=r0 | (r0 < r1)\nRz Ra[0] Wz=7 | (r1 <= r0)");
  expect (TWO "*z = r0 < r1 ? a[0] : r1;", "x=0",
          "Rz Ra[0] Ra[0] Wz=r2 | (r0 < r1)\nRz Ra[0] Wz=r1 | (r1 <= r0)");
  expect (TWO "int s = a[1] ? r0 : r0; *z = r0 < r1 ? s : r1;", "x=0",
          "Rz Ra[0] Ra[1] Wz=r0 | (r0 < r1)\nRz Ra[0] Ra[1] Wz=r1 | (r1 <= r0)");
#undef TWO
}
END_TEST

START_TEST (test_dead_branches_are_merged) {
  const char *body = "int r5; int r0 = *z; if (r0) r5 = 1; else r5 = 2; a[0] = 1;";
  expect (body, "x=0", "Rz Wa[0]=1");
  expect (body, "0:r5=0", "Rz Wa[0]=1 | (r0 != 0)\nRz Wa[0]=1 | (r0 == 0)");
  expect ("int r5; int r0 = *z; if (r0) r5 = 1; else r5 = 2; a[0] = r5;", "x=0",
          "Rz Wa[0]=1 | (r0 != 0)\nRz Wa[0]=2 | (r0 == 0)");
  expect ("int r0 = *z; if (r0 == 1) a[0] = 1; else if (r0 == 2) a[0] = 1; else a[0] = 1;", "x=0",
          "Rz Wa[0]=1");
  /* Twenty of them: otherwise a million paths. */
  g_autoptr (GString) many = g_string_new ("int r5; int r0;\n");
  for (guint i = 0; i < 20; i++)
    g_string_append (many, "r0 = *z; if (r0) r5 = 1; else r5 = 2;\n");
  g_autoptr (PathsOf) p = paths_of_body (many->str, "x=0");
  ck_assert_uint_eq (p->paths[0]->len, 1);
}
END_TEST

START_TEST (test_a_break_keeps_what_lives_behind_the_loop) {
  expect ("int r = 0; int s = 7; int i; for (i = 0; i < 2; i++) "
          "{ r = *z; if (r == 5) { s = 1; break; } s = 0; }",
          "0:s=0", "Rz Rz | (r0 != 5), (r1 == 5)\nRz Rz | (r0 != 5), (r1 != 5)\nRz | (r0 == 5)");
}
END_TEST

/* ---- Loops ---- */

START_TEST (test_while) {
  expect ("while (atomic_load(x) == 0) ;", "x=0",
          "cut: Rx Rx Rx | (r0 == 0), (r1 == 0), (r2 == 0)\n"
          "Rx Rx Rx | (r0 == 0), (r1 == 0), (r2 != 0)\n"
          "Rx Rx | (r0 == 0), (r1 != 0)\n"
          "Rx | (r0 != 0)");
}
END_TEST

START_TEST (test_do_and_for) {
  expect ("do { *z = 1; } while (atomic_load(x));", "x=0",
          "cut: Wz=1 Rx Wz=1 Rx | (r1 != 0), (r3 != 0)\n"
          "Wz=1 Rx Wz=1 Rx | (r1 != 0), (r3 == 0)\n"
          "Wz=1 Rx | (r1 == 0)");
  expect ("for (int i = 0; i < 2; i++) a[i] = i;", "x=0", "Wa[0]=0 Wa[1]=1");
  expect ("for (int i = 0; i < 3; i++) a[i] = i;", "x=0", "cut: Wa[0]=0 Wa[1]=1");
  expect ("for (int i = 0; ; i++) { if (i == 1) continue; if (i == 2) break; a[i] = 1; }", "x=0",
          "cut: Wa[0]=1");
  expect ("for (int i = 0; i < 2; i++) { if (i == 0) continue; a[i] = 1; }", "x=0", "Wa[1]=1");
  expect ("while (1) { if (*z) break; }", "x=0",
          "cut: Rz Rz | (r0 == 0), (r1 == 0)\nRz Rz | (r0 == 0), (r1 != 0)\nRz | (r0 != 0)");
  /* Rounds are counted anew each time a loop is entered. */
  expect ("for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) a[2 * i + j] = 1;", "x=0",
          "Wa[0]=1 Wa[1]=1 Wa[2]=1 Wa[3]=1");
}
END_TEST

START_TEST (test_unroll) {
  for (guint unroll = 0; unroll < 6; unroll++) {
    g_autoptr (PathsOf) p
        = paths_of_body_with ("while (atomic_load(x) == 0) ;", "x=0", unroll, FALSE);
    ck_assert_uint_eq (p->paths[0]->len, unroll + 2);
  }
}
END_TEST

/* ---- Addresses ---- */

START_TEST (test_arrays) {
  expect ("a[*z] = 1;", "x=0",
          "Rz Wa[0]=1 | (r0 == 0)\nRz Wa[1]=1 | (r0 == 1)\nRz Wa[2]=1 | (r0 == 2)\n"
          "Rz Wa[3]=1 | (r0 == 3)\naccess through an address outside all objects: Rz | "
          "(r0 != 0), (r0 != 1), (r0 != 2), (r0 != 3)");
  expect ("a[4] = 1;", "x=0", "access to element 4 of 'a', which has 4:");
  expect ("a[-1] = 1;", "x=0", "access to element -1 of 'a', which has 4:");
  expect ("a[4294967296L] = 1;", "x=0", "access to an element far outside of 'a', which has 4:");
  expect ("uint r = 0; global int *q = a + 1; q[r - 1u] = 1;", "x=0",
          "access to an element far outside of 'a', which has 4:");
  expect ("global int *q = a; q += 4294967296L; *q = 1;", "x=0",
          "access to an element far outside of 'a', which has 4:");
  expect ("global int *q = a - 4294967296L; *q = 1;", "x=0",
          "access to an element far outside of 'a', which has 4:");
  expect ("int r = *(a + 3);", "0:r=0", "Ra[3]");
  expect ("global int *q = a - 1; q[2] = 5;", "x=0", "Wa[1]=5");
  expect ("global int *q = &a[1]; q++; *q = 5; q[-2] = 6;", "x=0", "Wa[2]=5 Wa[0]=6");
  expect ("int r = *z & 1; a[r] = 1;", "x=0",
          "Rz Wa[0]=1 | ((r0 & 1) == 0)\nRz Wa[1]=1 | ((r0 & 1) == 1)\n"
          "access through an address outside all objects: Rz | "
          "((r0 & 1) != 0), ((r0 & 1) != 1)");
  expect ("int r = *z; if (r == 2) { a[r] = 1; }", "x=0", "Rz Wa[2]=1 | (r0 == 2)\nRz | (r0 != 2)");
}
END_TEST

START_TEST (test_pointers) {
  expect ("int *q = NULL; *q = 1;", "x=0", "access through a null pointer:");
  expect ("int r = 3; int *q = &r; *q = *q + 2;", "0:r=0", "");
  expect_final ("int r = 3; int *q = &r; *q = *q + 2;", "r", "5");
  expect ("long r = &a[3] - a; int b = a < &a[1]; int c = &a[1] >= &a[2];", "0:r=0", "");
  expect_final ("long r = &a[1] - (a + 3);", "r", "-2");
  expect_final ("int r = a - 1 < a;", "r", "1");
  expect ("long r = x - y;", "0:r=0", "difference of pointers to different objects:");
  expect ("int r = *z && x < y;", "0:r=0",
          "order of pointers to different objects: Rz | (r0 != 0)\nRz | (r0 == 0)");
  g_autoptr (PathsOf) p = paths_of_body ("global atomic_int *q = *p; atomic_store(q, 1);", "x=0");
  /* No other address is ever a value. */
  ck_assert_uint_eq (p->paths[0]->len, 2);
  rsp_paths_prune (p->program, p->paths, 0);
  ck_assert_str_eq (describe_paths (p, 0), "Rp Wx=1 | (r0 == 4611686018427387904)");
  g_autoptr (PathsOf) q
      = paths_of_body ("*p = &y; global atomic_int *q = *p + 0 * *z; atomic_store(q, 1);", "x=0");
  ck_assert_uint_eq (q->paths[0]->len, 3);
}
END_TEST

/* ---- Failures ---- */

START_TEST (test_failures) {
  expect ("int r = 6 / *z;", "0:r=0", "Rz | (r0 != 0)\ndivision by zero: Rz | (r0 == 0)");
  expect ("int r = 6 % 0;", "0:r=0", "division by zero:");
  expect ("*z = 1 << 32; *z = 2;", "x=0",
          "shift by a negative amount, or by as many bits as the value has:");
  expect ("int r = 1 << *z;", "0:r=0",
          "Rz | ((u32) r0 <= 31)\nshift by a negative amount, or by as many bits as the value has: "
          "Rz | (31 < (u32) r0)");
  expect ("int r = *z; if (r) r = 6 / r;", "0:r=0", "Rz | (r0 != 0)\nRz | (r0 == 0)");
}
END_TEST

/* ---- C's integers ---- */

START_TEST (test_integers) {
  expect_final ("int r = 2147483647 + 1;", "r", "-2147483648");
  expect_final ("uint r = 0; r = r - 1;", "r", "4294967295");
  expect_final ("uchar r = 200; r = r + 100;", "r", "44");
  expect_final ("char r = 127; r++;", "r", "-128");
  expect_final ("int r = (uint)-1 < 1;", "r", "0");
  expect_final ("int r = -1 < 1;", "r", "1");
  expect_final ("bool b = 42; int r = b;", "r", "1");
  expect_final ("int r = -7 / 2;", "r", "-3");
  expect_final ("int r = -7 % 2;", "r", "-1");
  expect_final ("int r = -8 >> 1;", "r", "-4");
  expect_final ("uint s = 4294967288u; uint r = s >> 1;", "r", "2147483644");
  expect_final ("ulong s = 18446744073709551615ul; int r = s > 1;", "r", "1");
  expect_final ("int s = 5; int r = s++ + 1;", "r", "6");
  expect_final ("int s = 5; int r = ++s * 2;", "r", "12");
  expect_final ("int r = 1; r <<= 3; r |= 1; r ^= 3; r %= 7;", "r", "3");
  expect_final ("int r = (1, 2);", "r", "2");
  expect_final ("int r = !5 + ~0 + -3 + +1;", "r", "-3");
}
END_TEST

Suite *path_suite (void) {
  Suite *suite = suite_create ("path");
  TCase *tests = tcase_create ("path");
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_accesses);
  tcase_add_test (tests, test_event_fields);
  tcase_add_test (tests, test_flag);
  tcase_add_test (tests, test_barrier);
  tcase_add_test (tests, test_statements_are_sequenced);
  tcase_add_test (tests, test_operands_are_unsequenced);
  tcase_add_test (tests, test_sequence_points);
  tcase_add_test (tests, test_dependencies);
  tcase_add_test (tests, test_cas_dependencies);
  tcase_add_test (tests, test_cas);
  tcase_add_test (tests, test_weak_cas);
  tcase_add_test (tests, test_cas_writeback);
  tcase_add_test (tests, test_if);
  tcase_add_test (tests, test_infeasible_branches);
  tcase_add_test (tests, test_unrelated_conditions);
  tcase_add_test (tests, test_short_circuit);
  tcase_add_test (tests, test_extremes);
  tcase_add_test (tests, test_dead_branches_are_merged);
  tcase_add_test (tests, test_a_break_keeps_what_lives_behind_the_loop);
  tcase_add_test (tests, test_while);
  tcase_add_test (tests, test_do_and_for);
  tcase_add_test (tests, test_unroll);
  tcase_add_test (tests, test_arrays);
  tcase_add_test (tests, test_pointers);
  tcase_add_test (tests, test_failures);
  tcase_add_test (tests, test_integers);
  suite_add_tcase (suite, tests);
  return suite;
}
