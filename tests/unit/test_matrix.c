/* Every matrix operation against the same on plain boolean arrays, on random inputs of widths on
 * both sides of a word's end. */
#include "model/matrix.h"

#include <check.h>

Suite *matrix_suite (void);

static const guint widths[] = { 1, 2, 63, 64, 65, 130, 200 };

/* A square of booleans, or (sets) its first row. */
typedef struct Plain {
  guint n, rows;
  gboolean *cell;
} Plain;

static RspArena *arena;
static GRand *dice;

static void set_up (void) {
  arena = rsp_arena_new ();
  dice = g_rand_new_with_seed (20140301);
}

static void tear_down (void) {
  g_rand_free (dice);
  rsp_arena_free (arena);
}

static Plain plain_new (guint n, gboolean is_set) {
  guint rows = is_set ? 1 : n;
  return (Plain){ n, rows, rsp_arena_new0 (arena, gboolean, n * rows) };
}

#define AT(p, i, j) ((p).cell[(i) * (p).n + (j)])

static Plain plain_random (guint n, gboolean is_set, double density) {
  Plain p = plain_new (n, is_set);
  for (guint i = 0; i < p.rows; i++)
    for (guint j = 0; j < n; j++)
      AT (p, i, j) = g_rand_double (dice) < density;
  return p;
}

static RspMatrix *matrix_of (Plain p) {
  RspMatrix *m = p.rows == 1 ? rsp_set_new (arena, p.n) : rsp_relation_new (arena, p.n);
  for (guint i = 0; i < p.rows; i++)
    for (guint j = 0; j < p.n; j++)
      if (AT (p, i, j))
        rsp_matrix_add (m, i, j);
  return m;
}

static RspMatrix *fresh_like (const RspMatrix *m) {
  RspMatrix *fresh = rsp_matrix_copy (arena, m);
  rsp_matrix_fill (fresh); /* results must not depend on what was there */
  return fresh;
}

/* Equal cell by cell, and no bit beyond the universe. */
static void assert_same (const RspMatrix *m, Plain p) {
  guint count = 0;
  ck_assert_uint_eq (m->rows, p.rows);
  for (guint i = 0; i < p.rows; i++)
    for (guint j = 0; j < p.n; j++) {
      count += AT (p, i, j);
      if (rsp_matrix_get (m, i, j) != AT (p, i, j)) /* each ck_assert calls write */
        ck_abort_msg ("row %u, column %u: expected %d", i, j, AT (p, i, j));
    }
  ck_assert_uint_eq (rsp_matrix_count (m), count);
}

static double random_density (void) {
  static const double densities[] = { 0, 0.02, 0.1, 0.5, 1 };
  return densities[g_rand_int_range (dice, 0, G_N_ELEMENTS (densities))];
}

typedef void (*Operation) (RspMatrix *, const RspMatrix *, const RspMatrix *);

static gboolean plain_or (gboolean a, gboolean b) { return a || b; }

static gboolean plain_and (gboolean a, gboolean b) { return a && b; }

static gboolean plain_minus (gboolean a, gboolean b) { return a && !b; }

static const struct {
  Operation operation;
  gboolean (*plain) (gboolean, gboolean);
} cell_wise[] = { { rsp_matrix_union, plain_or },
                  { rsp_matrix_intersect, plain_and },
                  { rsp_matrix_difference, plain_minus } };

static void try_cell_wise (guint n, gboolean is_set, guint which) {
  Plain a = plain_random (n, is_set, random_density ());
  Plain b = plain_random (n, is_set, random_density ());
  Plain expected = plain_new (n, is_set);
  for (guint i = 0; i < n * expected.rows; i++)
    expected.cell[i] = cell_wise[which].plain (a.cell[i], b.cell[i]);
  RspMatrix *ma = matrix_of (a), *mb = matrix_of (b), *out = fresh_like (ma);
  cell_wise[which].operation (out, ma, mb);
  assert_same (out, expected);
  RspMatrix *over_a = rsp_matrix_copy (arena, ma), *over_b = rsp_matrix_copy (arena, mb);
  cell_wise[which].operation (over_a, over_a, mb);
  assert_same (over_a, expected);
  cell_wise[which].operation (over_b, ma, over_b);
  assert_same (over_b, expected);
}

START_TEST (cell_wise_operations) {
  guint n = widths[_i];
  for (guint round = 0; round < 6; round++)
    for (guint which = 0; which < G_N_ELEMENTS (cell_wise); which++) {
      try_cell_wise (n, TRUE, which);
      try_cell_wise (n, FALSE, which);
    }
}
END_TEST

START_TEST (comparisons) {
  guint n = widths[_i];
  for (guint round = 0; round < 8; round++) {
    gboolean is_set = round % 2;
    Plain p = plain_random (n, is_set, random_density ());
    RspMatrix *a = matrix_of (p), *b = rsp_matrix_copy (arena, a);
    ck_assert (rsp_matrix_equal (a, b) && rsp_matrix_subset (a, b));
    ck_assert_uint_eq (rsp_matrix_hash (a), rsp_matrix_hash (b));
    guint row = (guint) g_rand_int_range (dice, 0, (gint32) p.rows);
    guint column = (guint) g_rand_int_range (dice, 0, (gint32) n);
    rsp_matrix_add (a, row, column);
    rsp_matrix_remove (b, row, column);
    ck_assert (!rsp_matrix_equal (a, b));
    ck_assert (rsp_matrix_subset (b, a) && !rsp_matrix_subset (a, b));
    ck_assert (!rsp_matrix_is_empty (a));
    rsp_matrix_assign (b, a);
    ck_assert (rsp_matrix_equal (a, b));
    rsp_matrix_clear (a);
    ck_assert (rsp_matrix_is_empty (a));
    rsp_matrix_fill (a);
    ck_assert_uint_eq (rsp_matrix_count (a), n * p.rows);
  }
}
END_TEST

START_TEST (identity_and_product) {
  guint n = widths[_i];
  Plain a = plain_random (n, TRUE, 0.4), b = plain_random (n, TRUE, 0.4);
  Plain identity = plain_new (n, FALSE), product = plain_new (n, FALSE);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++) {
      AT (identity, i, j) = i == j && AT (a, 0, i);
      AT (product, i, j) = AT (a, 0, i) && AT (b, 0, j);
    }
  RspMatrix *out = fresh_like (rsp_relation_new (arena, n));
  rsp_relation_identity (out, matrix_of (a));
  assert_same (out, identity);
  rsp_matrix_fill (out);
  rsp_relation_product (out, matrix_of (a), matrix_of (b));
  assert_same (out, product);
}
END_TEST

static Plain plain_compose (Plain a, Plain b) {
  Plain out = plain_new (a.n, FALSE);
  for (guint i = 0; i < a.n; i++)
    for (guint k = 0; k < a.n; k++)
      for (guint j = 0; AT (a, i, k) && j < a.n; j++)
        AT (out, i, j) |= AT (b, k, j);
  return out;
}

START_TEST (composition_inverse_domain) {
  guint n = widths[_i];
  Plain a = plain_random (n, FALSE, random_density ());
  Plain b = plain_random (n, FALSE, 1.5 / n);
  RspMatrix *ma = matrix_of (a), *out = fresh_like (ma);
  rsp_relation_compose (out, ma, matrix_of (b));
  assert_same (out, plain_compose (a, b));
  Plain inverse = plain_new (n, FALSE), domain = plain_new (n, TRUE);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++) {
      AT (inverse, j, i) = AT (b, i, j);
      AT (domain, 0, i) |= AT (b, i, j);
    }
  rsp_relation_inverse (out, matrix_of (b));
  assert_same (out, inverse);
  RspMatrix *set = fresh_like (rsp_set_new (arena, n));
  rsp_relation_domain (set, matrix_of (b));
  assert_same (set, domain);
}
END_TEST

/* Transitive closure the slow way: paths from each event by depth-first search. */
static void plain_reach (Plain a, Plain out, guint from, guint at) {
  for (guint next = 0; next < a.n; next++)
    if (AT (a, at, next) && !AT (out, from, next)) {
      AT (out, from, next) = TRUE;
      plain_reach (a, out, from, next);
    }
}

START_TEST (closure_irreflexivity_acyclicity) {
  guint n = widths[_i];
  for (guint round = 0; round < 4; round++) {
    Plain a = plain_random (n, FALSE, (round + 0.5) / 2 / n), closed = plain_new (n, FALSE);
    gboolean loop = FALSE, cycle = FALSE;
    for (guint i = 0; i < n; i++) {
      plain_reach (a, closed, i, i);
      loop |= AT (a, i, i);
      cycle |= AT (closed, i, i);
    }
    RspMatrix *m = matrix_of (a);
    ck_assert_int_eq (rsp_relation_is_irreflexive (m), !loop);
    ck_assert_int_eq (rsp_relation_is_acyclic (m), !cycle);
    rsp_relation_close (m);
    assert_same (m, closed);
  }
}
END_TEST

START_TEST (a_total_order_is_acyclic_and_a_back_edge_ends_that) {
  guint n = widths[_i];
  RspMatrix *order = rsp_relation_new (arena, n);
  for (guint i = 0; i < n; i++)
    for (guint j = i + 1; j < n; j++)
      rsp_matrix_add (order, i, j);
  ck_assert (rsp_relation_is_acyclic (order));
  rsp_matrix_add (order, n - 1, 0);
  ck_assert (!rsp_relation_is_acyclic (order));
}
END_TEST

START_TEST (bits_are_visited_in_order) {
  guint n = widths[_i];
  Plain p = plain_random (n, TRUE, 0.3);
  RspMatrix *m = matrix_of (p);
  guint expected = 0;
  for (all_bits (e, m->bits, m->words)) {
    while (expected < n && !AT (p, 0, expected))
      expected++;
    ck_assert_uint_eq (e, expected);
    expected++;
  }
  while (expected < n)
    ck_assert (!AT (p, 0, expected++));
}
END_TEST

START_TEST (words_are_those_the_header_promises) {
  static const guint expected[][2]
      = { { 0, 1 },   { 1, 1 },   { 64, 1 },  { 65, 2 },  { 128, 2 },
          { 129, 3 }, { 192, 3 }, { 256, 4 }, { 257, 5 }, { 640, 10 } };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    ck_assert_uint_eq (rsp_words_for (expected[i][0]), expected[i][1]);
  RspMatrix *none = rsp_relation_new (arena, 0);
  rsp_matrix_fill (none);
  ck_assert (rsp_matrix_is_empty (none) && rsp_relation_is_acyclic (none));
}
END_TEST

Suite *matrix_suite (void) {
  Suite *suite = suite_create ("matrix");
  TCase *tests = tcase_create ("matrix");
  tcase_add_checked_fixture (tests, set_up, tear_down);
  tcase_set_timeout (tests, 60);
  tcase_add_loop_test (tests, cell_wise_operations, 0, G_N_ELEMENTS (widths));
  tcase_add_loop_test (tests, comparisons, 0, G_N_ELEMENTS (widths));
  tcase_add_loop_test (tests, identity_and_product, 0, G_N_ELEMENTS (widths));
  tcase_add_loop_test (tests, composition_inverse_domain, 0, G_N_ELEMENTS (widths));
  tcase_add_loop_test (tests, closure_irreflexivity_acyclicity, 0, G_N_ELEMENTS (widths));
  tcase_add_loop_test (tests, a_total_order_is_acyclic_and_a_back_edge_ends_that, 1,
                       G_N_ELEMENTS (widths));
  tcase_add_loop_test (tests, bits_are_visited_in_order, 0, G_N_ELEMENTS (widths));
  tcase_add_test (tests, words_are_those_the_header_promises);
  suite_add_tcase (suite, tests);
  return suite;
}
