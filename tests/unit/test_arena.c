/* Arenas: objects are zeroed, aligned and disjoint, and their memory counts. */
#include "base/base.h"

#include <check.h>
#include <string.h>

Suite *arena_suite (void);

static gboolean is_full_of (const guint8 *object, gsize size, guint8 value) {
  for (gsize i = 0; i < size; i++)
    if (object[i] != value)
      return FALSE;
  return TRUE;
}

START_TEST (test_objects_are_apart) {
  static const gsize sizes[] = { 0, 1, 15, 16, 17, 1000, 5000, 1 << 18, 3 << 20 };
  RspArena *arena = rsp_arena_new ();
  guint8 *objects[45];
  gsize sum = 0;
  for (guint i = 0; i < G_N_ELEMENTS (objects); i++) {
    gsize size = sizes[i % G_N_ELEMENTS (sizes)];
    objects[i] = rsp_arena_alloc (arena, size);
    ck_assert_uint_eq ((gsize) objects[i] % 16, 0);
    ck_assert (is_full_of (objects[i], size, 0));
    memset (objects[i], (int) i + 1, size);
    sum += size;
  }
  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    ck_assert (is_full_of (objects[i], sizes[i % G_N_ELEMENTS (sizes)], (guint8) (i + 1)));
  ck_assert_uint_ge (rsp_arena_size (arena), sum);
  ck_assert_uint_le (rsp_arena_size (arena), sum + sum / 2);
  rsp_arena_free (arena);
}
END_TEST

START_TEST (test_texts) {
  RspArena *arena = rsp_arena_new ();
  char *text = rsp_arena_printf (arena, "%s%d", "x", 12);
  ck_assert_str_eq (text, "x12");
  for (guint length = 254; length < 258; length++)
    ck_assert_uint_eq (strlen (rsp_arena_printf (arena, "%*s", (int) length, "x")), length);
  ck_assert_str_eq (rsp_arena_strdup (arena, ""), "");
  ck_assert_str_eq (rsp_arena_strndup (arena, "x12", 2), "x1");
  rsp_arena_free (arena);
  rsp_arena_free (NULL);
}
END_TEST

/* More than an int can hold: the system provides pages when they are written, so this takes none.
 * (The address sanitizer would write an eighth of it.) */
START_TEST (test_huge_objects) {
#ifndef __SANITIZE_ADDRESS__
  RspArena *arena = rsp_arena_new ();
  gsize size = (gsize) 5 << 30;
  guint8 *object = rsp_arena_alloc (arena, size);
  object[0] = object[size - 1] = 1;
  guint8 *after = rsp_arena_alloc (arena, 8);
  ck_assert (after >= object + size || after + 8 <= object);
  ck_assert_uint_ge (rsp_arena_size (arena), size);
  rsp_arena_free (arena);
#endif
}
END_TEST

START_TEST (test_budget) {
  RspBudget budget = { .max_memory = 1 << 20 };
  RspArena *first = rsp_arena_new_within (&budget), *second = rsp_arena_new_within (&budget);
  rsp_arena_alloc (first, 300000);
  rsp_arena_alloc (second, 300000);
  ck_assert (!rsp_budget_is_exhausted (&budget));
  ck_assert_uint_ge (GPOINTER_TO_SIZE (budget.held), 600000);
  ck_assert_uint_le (GPOINTER_TO_SIZE (budget.held), 700000);
  ck_assert (rsp_budget_affords (&budget, 300000));
  rsp_arena_free (second);
  ck_assert (rsp_budget_affords (&budget, 600000));
  ck_assert (!rsp_budget_affords (&budget, 800000));
  ck_assert (rsp_budget_stop (&budget) == RSPCHECK_STOP_MEMORY);
  budget.stop = RSPCHECK_STOP_COMPLETE;
  rsp_arena_alloc (first, 800000);
  ck_assert (rsp_budget_is_exhausted (&budget));
  ck_assert (rsp_budget_stop (&budget) == RSPCHECK_STOP_MEMORY);
  rsp_arena_free (first);
  ck_assert_uint_eq (GPOINTER_TO_SIZE (budget.held), 0);
}
END_TEST

/* Chunks of an arena that was freed serve the next ones. */
START_TEST (test_reuse) {
  for (guint round = 0; round < 3; round++) {
    RspBudget budget = { 0 };
    RspArena *arenas[20];
    for (guint i = 0; i < G_N_ELEMENTS (arenas); i++) {
      arenas[i] = i % 2 ? rsp_arena_new () : rsp_arena_new_within (&budget);
      for (guint k = 0; k < 50; k++) {
        guint8 *object = rsp_arena_alloc (arenas[i], 1000);
        ck_assert (is_full_of (object, 1000, 0));
        memset (object, 0xff, 1000);
      }
    }
    for (guint i = 0; i < G_N_ELEMENTS (arenas); i++)
      rsp_arena_free (arenas[i]);
    ck_assert_uint_eq (GPOINTER_TO_SIZE (budget.held), 0);
  }
}
END_TEST

Suite *arena_suite (void) {
  Suite *suite = suite_create ("arena");
  TCase *tests = tcase_create ("arena");
  tcase_add_test (tests, test_objects_are_apart);
  tcase_add_test (tests, test_texts);
  tcase_add_test (tests, test_huge_objects);
  tcase_add_test (tests, test_budget);
  tcase_add_test (tests, test_reuse);
  suite_add_tcase (suite, tests);
  return suite;
}
