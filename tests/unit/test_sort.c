/* The order of states: keys against a comparison column by column. */
#include "enumerator/terms/terms.h"
#include "enumerator/search/search.h"
#include "enumerator/search/internal.h"

#include <check.h>

Suite *order_suite (void);

enum { MAX_STATES = 300, MAX_WIDTH = 12 };

/* Mostly small numbers of both signs, now and then the ends of the range or an undetermined one. */
static RspValue random_value (GRand *random, guint kind) {
  gint32 small = g_rand_int_range (random, -2, 3);
  if (kind == 0)
    return (RspValue){ .bits = small };
  if (kind == 1)
    return (RspValue){ .bits = small % 2 ? G_MININT64 : G_MAXINT64 };
  if (kind == 2)
    return (RspValue){ .bits = small, .unknown = (guint) g_rand_int_range (random, 0, 3) };
  return (RspValue){ .bits = small * ((gint64) 1 << 40) + (gint64) g_rand_int (random) };
}

typedef struct States {
  RspValue values[MAX_STATES * MAX_WIDTH];    /* some more than once */
  guint32 numbers[MAX_STATES][MAX_WIDTH + 1]; /* those after the width do not count */
} States;

static int compare_rows (const States *states, guint a, guint b, guint width) {
  int order = 0;
  for (guint i = 0; i < width && !order; i++)
    order = rsp_value_compare (states->values[states->numbers[a][i]],
                               states->values[states->numbers[b][i]]);
  return order;
}

START_TEST (test_random) {
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i);
  g_autofree States *states = g_new0 (States, 1);
  guint n = (guint) g_rand_int_range (random, 0, MAX_STATES);
  guint width = (guint) g_rand_int_range (random, 0, MAX_WIDTH);
  guint order[MAX_STATES], kind[MAX_WIDTH], n_values = 0;
  for (guint c = 0; c < width; c++)
    kind[c] = (guint) g_rand_int_range (random, 0, 4);
  for (guint i = 0; i < n; i++) {
    order[i] = i;
    states->numbers[i][width] = (guint32) g_rand_int (random);
    for (guint c = 0; c < width; c++) {
      states->numbers[i][c] = n_values;
      states->values[n_values++] = random_value (random, kind[c]);
    }
  }
  StateRows rows = { states->numbers[0], n, width, MAX_WIDTH + 1, states->values, n_values };
  ck_assert (states_sort (&rows, NULL, order));
  for (guint i = 1; i < n; i++) {
    int before = compare_rows (states, order[i - 1], order[i], width);
    ck_assert_int_le (before, 0);
    ck_assert (before < 0 || order[i - 1] < order[i]); /* equal ones keep their order */
  }
}
END_TEST

START_TEST (test_exhausted) {
  RspBudget budget = { .deadline = 1 };
  RspValue value = { .bits = 1 };
  guint32 numbers[] = { 0, 0 };
  guint order[] = { 0, 1 };
  StateRows rows = { numbers, 2, 1, 1, &value, 1 };
  ck_assert (!states_sort (&rows, &budget, order));
  ck_assert_int_eq (rsp_budget_stop (&budget), RSPCHECK_STOP_TIMEOUT);
}
END_TEST

Suite *order_suite (void) {
  Suite *suite = suite_create ("order");
  TCase *tests = tcase_create ("order");
  tcase_add_loop_test (tests, test_random, 0, 50);
  tcase_add_test (tests, test_exhausted);
  suite_add_tcase (suite, tests);
  return suite;
}
