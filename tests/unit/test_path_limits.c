/* Limits of symbolic execution: too many paths, events, operations or steps, levels of statements,
 * the deadline. */
#include "tests/unit/paths_of.h"

#include <check.h>
#include <string.h>

Suite *path_limits_suite (void);

static void expect_gives_up (const char *body, guint unroll, const char *reason) {
  g_autoptr (PathsOf) p = paths_of_body_with (body, "0:s=0", unroll, FALSE);
  ck_assert (!p->complete);
  ck_assert_uint_eq (rsp_diagnostics_count_errors (p->diagnostics), 1);
  const char *message = rsp_diagnostics_get (p->diagnostics, 0)->message;
  ck_assert_msg (strstr (message, reason) != NULL, "%s", message);
}

START_TEST (test_limits) {
  expect_gives_up ("int s = 0; for (int i = 0; i < 40; i++) if (atomic_load(x)) s = 2 * s + 1; "
                   "else s = 2 * s;",
                   40, "paths");
  expect_gives_up ("int s = 0; while (1) { *z = s++; *z = s++; *z = s++; *z = s++; *z = s++; *z = "
                   "s++; *z = s++; "
                   "*z = s++; *z = s++; *z = s++; *z = s++; }",
                   1000, "events");
  expect_gives_up ("int s = *z; for (int i = 0; i < 100; i++) s = s * s;", 200, "operations");
  expect_gives_up ("int s = 0; for (int i = 0; i < 1000; i++) for (int j = 0; j < 1000; j++) "
                   "for (int k = 0; k < 1000; k++) s++;",
                   1000, "steps");
}
END_TEST

START_TEST (test_deadline) {
  g_autoptr (PathsOf) p = paths_of_body ("int r = *z;", "0:r=0");
  RspBudget budget = { .deadline = 1 };
  RspPathOptions exhausted = { .unroll = 2, .budget = &budget };
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  ck_assert (
      !rsp_paths_enumerate (p->program, 0, &exhausted, p->terms, p->arena, paths, p->diagnostics));
  ck_assert_uint_eq (rsp_diagnostics_count (p->diagnostics), 0);
  ck_assert_int_eq (rsp_budget_stop (&budget), RSPCHECK_STOP_TIMEOUT);
}
END_TEST

/* A pointer is read in so many blocks that the whole body has no room within the limit of levels
 * below them. */
START_TEST (test_pointer_in_many_blocks) {
  g_autofree char *opening = g_strnfill (1500, '{'), *closing = g_strnfill (1500, '}');
  g_autofree char *body
      = g_strdup_printf ("global atomic_int *q = *p; %s atomic_store(q, 1); %s", opening, closing);
  g_autoptr (PathsOf) p = paths_of_body (body, "x=0");
  ck_assert (p->complete);
  ck_assert_uint_eq (p->paths[0]->len, 2);
}
END_TEST

Suite *path_limits_suite (void) {
  Suite *suite = suite_create ("path_limits");
  TCase *tests = tcase_create ("path_limits");
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_limits);
  tcase_add_test (tests, test_deadline);
  tcase_add_test (tests, test_pointer_in_many_blocks);
  suite_add_tcase (suite, tests);
  return suite;
}
