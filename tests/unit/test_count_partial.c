/* Counts of partial orders: against known numbers, and against all relations of four elements. */
#include "enumerator/bounded/internal.h"

#include <check.h>

Suite *count_partial_suite (void);

enum {
  FEW = 4 /* elements: 4,096 relations */
};

/* Partially ordered labelled sets: https://oeis.org/A001035 */
START_TEST (test_free) {
  static const guint64 numbers[] = { 1, 1, 3, 19, 219, 4231, 130023, 6129859, 431723379 };
  RspCount count;
  PartialOrders orders = { .n = (guint) _i };
  for (guint i = 0; i < orders.n; i++)
    orders.most[i] = (guint16) (((1u << orders.n) - 1) & ~(1u << i));
  ck_assert (count_partial (&orders, NULL, &count));
  ck_assert (count == numbers[_i]);
}
END_TEST

static guint16 random_row (GRand *random, guint i, gdouble density) {
  guint16 row = 0;
  for (guint j = 0; j < FEW; j++)
    if (j != i && g_rand_double (random) < density)
      row |= (guint16) (1u << j);
  return row;
}

static gboolean is_counted (const PartialOrders *orders, const guint16 *after) {
  for (guint i = 0; i < FEW; i++) {
    guint16 related = after[i];
    if ((after[i] & ~orders->most[i]) || (orders->least[i] & ~after[i]))
      return FALSE;
    for (guint j = 0; j < FEW; j++) {
      if ((after[i] >> j & 1) && (after[j] & ~after[i]))
        return FALSE;
      related |= (guint16) ((after[j] >> i & 1) << j);
    }
    if (orders->related[i] & ~related)
      return FALSE;
  }
  return TRUE;
}

static guint count_listed (const PartialOrders *orders) {
  guint n = 0;
  for (guint32 relation = 0; relation < 1u << (FEW * (FEW - 1)); relation++) {
    guint16 after[FEW];
    for (guint i = 0; i < FEW; i++) {
      guint row = relation >> (i * (FEW - 1)) & ((1u << (FEW - 1)) - 1);
      after[i] = (guint16) ((row & ((1u << i) - 1)) | row >> i << (i + 1));
    }
    n += is_counted (orders, after);
  }
  return n;
}

START_TEST (test_random) {
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i);
  PartialOrders orders = { .n = FEW };
  gdouble density = g_rand_double_range (random, 0, 0.3), most = g_rand_double (random) + 0.4;
  RspCount count;
  for (guint i = 0; i < FEW; i++) {
    orders.least[i] = random_row (random, i, density);
    orders.most[i] = orders.least[i] | random_row (random, i, most);
  }
  for (guint i = 0; i < FEW; i++)
    for (guint j = 0; j < i; j++)
      if (g_rand_double (random) < density) {
        orders.related[i] |= (guint16) (1u << j);
        orders.related[j] |= (guint16) (1u << i);
      }
  ck_assert (count_partial (&orders, NULL, &count));
  ck_assert_uint_eq ((guint) count, count_listed (&orders));
}
END_TEST

START_TEST (test_exhausted) {
  RspBudget budget = { .deadline = 1 };
  RspCount count;
  PartialOrders orders = { .n = 2, .most = { 2, 1 } };
  ck_assert (!count_partial (&orders, &budget, &count));
}
END_TEST

Suite *count_partial_suite (void) {
  Suite *suite = suite_create ("count_partial");
  TCase *tests = tcase_create ("count_partial");
  tcase_add_loop_test (tests, test_free, 0, 9);
  tcase_add_loop_test (tests, test_random, 0, 200);
  tcase_add_test (tests, test_exhausted);
  suite_add_tcase (suite, tests);
  return suite;
}
