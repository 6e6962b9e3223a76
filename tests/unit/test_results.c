/* Tables of results: rows that are added in batches, or one by one, against a search of all rows.
 */
#include "enumerator/search/search.h"

#include <check.h>
#include <string.h>

Suite *results_suite (void);

enum {
  MAX_WIDTH = 4,
  MAX_ROWS = 300,
  N_VALUES = 4 /* different ones in a column */
};

typedef struct Row {
  guint32 values[MAX_WIDTH + 1];
  guint64 executions;
} Row;

typedef struct World {
  GRand *random;
  guint width;
  RspResults *results;
  Row rows[MAX_ROWS]; /* what the results should have */
  guint n;
} World;

static gboolean same_values (const World *world, const guint32 *a, const guint32 *b) {
  return memcmp (a, b, sizeof (guint32) * world->width) == 0;
}

static guint find (const World *world, const guint32 *values) {
  guint i = 0;
  while (i < world->n && !same_values (world, world->rows[i].values, values))
    i++;
  return i;
}

static void note (World *world, const guint32 *values, guint64 executions) {
  guint i = find (world, values);
  if (i == world->n) {
    memcpy (world->rows[i].values, values, sizeof (guint32) * world->width);
    world->rows[world->n++].executions = 0;
  }
  world->rows[i].executions += executions;
}

/* Sets those that are not known. */
static void draw (const World *world, const guint32 *known, guint32 *values) {
  for (guint i = 0; i < world->width; i++)
    values[i] = known[i] == G_MAXUINT32 ? (guint32) g_rand_int_range (world->random, 0, N_VALUES)
                                        : known[i];
}

/* A batch of different rows, some of whose columns have one value. */
static void add_batch (World *world) {
  guint32 known[MAX_WIDTH + 1], values[MAX_WIDTH + 1];
  World batch = { .width = world->width };
  for (guint i = 0; i < world->width; i++)
    known[i] = g_rand_boolean (world->random)
                   ? (guint32) g_rand_int_range (world->random, 0, N_VALUES)
                   : G_MAXUINT32;
  gboolean differ = rsp_results_begin_batch (world->results, known);
  guint before = world->n;
  for (gint n = g_rand_int_range (world->random, 0, 20); n > 0; n--) {
    draw (world, known, values);
    if (find (&batch, values) < batch.n)
      continue;
    note (&batch, values, 1);
    ck_assert (!differ || find (world, values) >= before);
    note (world, values, 3);
    guint row = differ ? rsp_results_append (world->results, values)
                       : rsp_results_obtain (world->results, values);
    rsp_results_count (world->results, row, 3, 0, 0);
  }
  rsp_results_end_batch (world->results);
}

static void add_one (World *world) {
  guint32 any[MAX_WIDTH + 1], values[MAX_WIDTH + 1];
  memset (any, 0xff, sizeof any);
  draw (world, any, values);
  note (world, values, 5);
  rsp_results_add (world->results, values, 5, 0, 0);
}

static void compare (const World *world) {
  const RspResults *results = world->results;
  ck_assert_uint_eq (results->n, world->n);
  for (guint i = 0; i < world->n; i++) {
    ck_assert (results->executions[i] == world->rows[i].executions);
    ck_assert (!world->width
               || same_values (world, results->values + (gsize) i * results->width,
                               world->rows[i].values));
  }
}

START_TEST (test_random) {
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) _i);
  g_autofree World *world = g_new0 (World, 1);
  world->random = random;
  world->width = (guint) g_rand_int_range (random, 0, MAX_WIDTH + 1);
  world->results = rsp_results_new (world->width);
  for (gint n = g_rand_int_range (random, 0, 30); n > 0; n--)
    if (g_rand_int_range (random, 0, 4))
      add_batch (world);
    else
      add_one (world);
  compare (world);
  rsp_results_unref (world->results);
}
END_TEST

/* Both values of a read: neither half of the rows is looked for in the other. */
START_TEST (test_halves) {
  static const guint32 first[] = { G_MAXUINT32, 0 }, second[] = { G_MAXUINT32, 1 },
                       row[] = { 7, 0 };
  g_autoptr (RspResults) results = rsp_results_new (2);
  ck_assert (rsp_results_begin_batch (results, first));
  rsp_results_append (results, row);
  rsp_results_end_batch (results);
  ck_assert (rsp_results_begin_batch (results, second));
  rsp_results_end_batch (results);
  ck_assert (!rsp_results_begin_batch (results, first));
}
END_TEST

START_TEST (test_undefined) {
  static const guint32 rows[] = { 0, 1, 2, 3, 4, 5 };
  g_autoptr (RspResults) results = rsp_results_new (1);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    rsp_results_add (results, &rows[i], 2, i == 3, 0);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    ck_assert_uint_eq (rsp_results_n_undefined (results, i), i == 3);
}
END_TEST

Suite *results_suite (void) {
  Suite *suite = suite_create ("results");
  TCase *tests = tcase_create ("results");
  tcase_add_loop_test (tests, test_random, 0, 50);
  tcase_add_test (tests, test_halves);
  tcase_add_test (tests, test_undefined);
  suite_add_tcase (suite, tests);
  return suite;
}
