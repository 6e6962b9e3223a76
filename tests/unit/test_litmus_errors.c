/* Messages for litmus tests that are accepted nevertheless, and damaged tests. Messages for wrong
 * ones: tests/errors. */
#include "tests/unit/litmus_fixture.h"

#include <string.h>

Suite *litmus_errors_suite (void);

/* The messages for a body of P0 with the parameters x and y; NULL text for nothing. */
static void check_body (const char *body, gboolean strict, gboolean good, const char *reports) {
  const char *test = "OpenCL T\n{ x=0; y=0; }\n"
                     "P0 (global atomic_int* x, global int* y) { %s }\n"
                     "scopeTree (device P0)\nexists ()";
  LitmusOutcome outcome = strict ? litmus_try_strict (test, body) : litmus_try (test, body);
  ck_assert_msg ((outcome.program != NULL) == good, "%s: %s", body, outcome.text);
  if (reports)
    ck_assert_msg (strstr (outcome.text, reports), "%s: %s", body, outcome.text);
  else
    ck_assert_str_eq (outcome.text, "");
  litmus_outcome_clear (&outcome);
}

START_TEST (orders_that_c11_forbids) {
  static const char *const wrong[] = {
    "atomic_store_explicit (x, 1, memory_order_acquire);",
    "atomic_store_explicit (x, 1, mo_acq_rel);",
    "int r = atomic_load_explicit (x, memory_order_release);",
    "int r = atomic_load_explicit_remote (x, mo_acq_rel, s_dev);",
    "atomic_flag_clear_explicit (x, memory_order_acq_rel);",
    "int e = 0; atomic_compare_exchange_strong_explicit (x, &e, 1, mo_rlx, mo_acq);",
    "int e = 0; atomic_compare_exchange_strong_explicit (x, &e, 1, mo_rel, mo_acq);",
    "int e = 0; atomic_compare_exchange_weak_explicit (x, &e, 1, mo_acq_rel, mo_sc);",
    "int e = 0; atomic_compare_exchange_weak_explicit (x, &e, 1, mo_sc, mo_rel);",
  };
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++) {
    check_body (wrong[i], FALSE, TRUE, "warning: `atomic_");
    check_body (wrong[i], TRUE, FALSE, "error: `atomic_");
  }
  static const char *const right[] = {
    "atomic_store_explicit (x, 1, memory_order_release);",
    "int r = atomic_load_explicit (x, memory_order_seq_cst);",
    "int r = atomic_exchange_explicit (x, 1, mo_acq_rel);",
    "int e = 0; atomic_compare_exchange_strong_explicit (x, &e, 1, mo_acq_rel, mo_acq);",
    "int e = 0; atomic_compare_exchange_strong_explicit (x, &e, 1, mo_sc, mo_sc);",
    "int e = 0; atomic_compare_exchange_strong_explicit (x, &e, 1, mo_rel, mo_rlx);",
    "atomic_work_item_fence (CLK_GLOBAL_MEM_FENCE, mo_acq_rel, s_wg);",
  };
  for (gsize i = 0; i < G_N_ELEMENTS (right); i++)
    check_body (right[i], TRUE, TRUE, NULL);
}
END_TEST

START_TEST (doubtful_code_is_warned_about) {
  check_body ("int r0 = x;", FALSE, TRUE, "its type is taken to be `atomic int*`");
  check_body ("if (x) { }", FALSE, TRUE, "warning: this is always true");
  check_body ("atomic_store (&x, 1);", FALSE, TRUE, "`&x` is taken as `x`");
  check_body ("atomic_store (y, 1);", FALSE, TRUE, "which nothing declares atomic");
  check_body ("atomic_init (y, 1);", FALSE, TRUE, NULL);
  check_body ("r0 = 1;", FALSE, TRUE, "`r0` is neither declared nor a parameter of P0");
}
END_TEST

/* Each undeclared name once. */
START_TEST (implicit_registers_are_warned_about_once) {
  LitmusOutcome outcome = litmus_try ("C T\n{ 0:r2=1 }\nP0 () { r0 = 1; r1 = r0; r0 = r2; }\n"
                                      "P1 () { r0 = r0 + 1; }\nexists ()");
  guint n = 0;
  for (const char *at = outcome.text; (at = strstr (at, "warning:")); at++)
    n++;
  ck_assert_uint_eq (n, 3);
  litmus_outcome_clear (&outcome);
}
END_TEST

START_TEST (a_misspelt_parameter_is_noticed) {
  LitmusOutcome outcome
      = litmus_try ("C T\n{ flag=0; data=0; }\nP0 (int* flga, int* data) { }\nexists ()");
  ck_assert_ptr_nonnull (strstr (outcome.text, "`flga` is not in the initial state"));
  ck_assert_ptr_nonnull (strstr (outcome.text, "did you mean `flag`?"));
  litmus_outcome_clear (&outcome);
  outcome = litmus_try ("C T\n{ x1=0; }\nP0 (int* x1, int* x2) { }\nexists ()");
  ck_assert_str_eq (outcome.text, "");
  litmus_outcome_clear (&outcome);
}
END_TEST

START_TEST (values_that_do_not_fit_are_noticed) {
  LitmusOutcome outcome = litmus_try ("C T\n{ char c = 300; char d = 200; uint e = -1; }\n"
                                      "P0 () { }\nexists (c=44)");
  ck_assert_ptr_nonnull (strstr (outcome.text, "2:12: warning: the value does not fit in `char`: "
                                               "it becomes 44"));
  ck_assert_ptr_null (strstr (outcome.text, "2:26"));
  litmus_outcome_clear (&outcome);
}
END_TEST

/* Truncated anywhere, and with any byte gone or doubled, a test gives a program or an error.
 * Truncated between its parts, it has no question, which is noticed. */
START_TEST (damaged_tests_never_crash) {
  g_autofree char *text = NULL;
  gsize length;
  ck_assert (g_file_get_contents ("litmus/rsp/RSP_Test1.litmus", &text, &length, NULL));
  for (gsize i = 0; i < length; i++) {
    LitmusOutcome outcome = litmus_try ("%.*s", (int) i, text);
    ck_assert_msg (!outcome.program || i + 1 == length
                       || strstr (outcome.text, "has neither a condition nor `locations`"),
                   "cut at %zu", i);
    litmus_outcome_clear (&outcome);
    outcome = litmus_try ("%.*s%s", (int) i, text, text + i + 1);
    litmus_outcome_clear (&outcome);
    outcome = litmus_try ("%.*s%c%s", (int) i, text, "(){};,@*\x7f\xc3"[i % 10], text + i);
    litmus_outcome_clear (&outcome);
  }
}
END_TEST

Suite *litmus_errors_suite (void) {
  Suite *suite = suite_create ("litmus_errors");
  TCase *tcase = tcase_create ("litmus_errors");
  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, orders_that_c11_forbids);
  tcase_add_test (tcase, doubtful_code_is_warned_about);
  tcase_add_test (tcase, implicit_registers_are_warned_about_once);
  tcase_add_test (tcase, a_misspelt_parameter_is_noticed);
  tcase_add_test (tcase, values_that_do_not_fit_are_noticed);
  tcase_add_test (tcase, damaged_tests_never_crash);
  suite_add_tcase (suite, tcase);
  return suite;
}
