/* Bindings: old ones do not change when new ones share their parts. */
#include "base/base.h"

#include <check.h>

Suite *bindings_suite (void);

enum { NAMES = 40, VERSIONS = 300 };

START_TEST (test_old_bindings_stay) {
  static const char values[VERSIONS];
  GRand *random = g_rand_new_with_seed (1);
  RspArena *arena = rsp_arena_new ();
  const RspBindings *versions[VERSIONS] = { NULL };
  gconstpointer expected[VERSIONS][NAMES] = { { NULL } };
  for (guint i = 1; i < VERSIONS; i++) {
    guint from = (guint) g_rand_int_range (random, 0, (gint32) i);
    guint name = (guint) g_rand_int_range (random, 0, NAMES);
    for (guint j = 0; j < NAMES; j++)
      expected[i][j] = expected[from][j];
    expected[i][name] = &values[i];
    versions[i] = rsp_bindings_add (arena, versions[from], name, &values[i]);
  }
  for (guint i = 0; i < VERSIONS; i++)
    for (guint name = 0; name < NAMES; name++)
      ck_assert_ptr_eq (rsp_bindings_look_up (versions[i], name), expected[i][name]);
  rsp_arena_free (arena);
  g_rand_free (random);
}
END_TEST

START_TEST (test_symbols) {
  g_autoptr (GHashTable) symbols = g_hash_table_new (g_str_hash, g_str_equal);
  RspArena *arena = rsp_arena_new ();
  char name[] = "po";
  guint first, second, again;
  const char *symbol = rsp_symbol (symbols, arena, name, &first);
  ck_assert_ptr_ne (symbol, name);
  rsp_symbol (symbols, NULL, "rf", &second);
  ck_assert_ptr_eq (rsp_symbol (symbols, arena, "po", &again), symbol);
  ck_assert_uint_eq (first, 0);
  ck_assert_uint_eq (second, 1);
  ck_assert_uint_eq (again, 0);
  rsp_arena_free (arena);
}
END_TEST

Suite *bindings_suite (void) {
  Suite *suite = suite_create ("bindings");
  TCase *tests = tcase_create ("bindings");
  tcase_add_test (tests, test_old_bindings_stay);
  tcase_add_test (tests, test_symbols);
  suite_add_tcase (suite, tests);
  return suite;
}
