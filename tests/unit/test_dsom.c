/* Parts of the machine dsom: ranges of affine references, and segment tables, each against bytes;
 * damaged and large programs. */
#include "extra/dsom/dsom.h"
#include "extra/dsom/program.h"

#include <check.h>
#include <string.h>

Suite *dsom_suite (void);

enum {
  N_FUNCTIONS = 20000,
  SPAN = 4096 /* bytes around 0 that a random function may reach */
};

/* ---- Ranges ---- */

static RspAffine draw_affine (GRand *rand) {
  RspAffine affine = { .n = (guint) g_rand_int_range (rand, 0, 5) };
  affine.value.constant = g_rand_int_range (rand, -20, 20);
  for (guint i = 0; i < affine.n; i++) {
    affine.value.coefficients[i] = g_rand_int_range (rand, -12, 13);
    affine.low[i] = g_rand_int_range (rand, -3, 4);
    affine.high[i]
        = affine.low[i] + g_rand_int_range (rand, g_rand_int_range (rand, 0, 20) ? 0 : -1, 5);
  }
  return affine;
}

/* Marks what variables i, i + 1, … add to the value. */
static void mark (const RspAffine *affine, guint element, guint i, gint64 *x, guint8 *bytes) {
  if (i < affine->n) {
    for (x[i] = affine->low[i]; x[i] <= affine->high[i]; x[i]++)
      mark (affine, element, i + 1, x, bytes);
    return;
  }
  if (rsp_affine_allows (affine, x))
    memset (bytes + SPAN + rsp_linear_at (&affine->value, affine->n, x) * element, 1, element);
}

/* The ranges are these bytes, sorted, apart, and not empty. */
static void check_ranges (const GArray *ranges, const guint8 *bytes) {
  guint8 own[2 * SPAN] = { 0 };
  gint64 next = G_MININT64;
  for (guint i = 0; i < ranges->len; i++) {
    const RspDsomRange *range = &g_array_index (ranges, RspDsomRange, i);
    ck_assert_int_gt (range->size, 0);
    ck_assert_int_gt (range->offset, next);
    next = range->offset + range->size;
    memset (own + SPAN + range->offset, 1, (gsize) range->size);
  }
  ck_assert_mem_eq (own, bytes, sizeof own);
}

START_TEST (both_algorithms_give_the_bytes) {
  static const guint elements[] = { 1, 2, 4, 8 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (17);
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (RspDsomRange));
  for (guint k = 0; k < N_FUNCTIONS; k++) {
    gint64 x[RSP_AFFINE_VARIABLES] = { 0 };
    guint8 bytes[2 * SPAN] = { 0 };
    RspAffine affine = draw_affine (rand);
    guint element = elements[g_rand_int_range (rand, 0, 4)];
    mark (&affine, element, 0, x, bytes);
    ck_assert (rsp_ranges_naive (&affine, element, ranges));
    check_ranges (ranges, bytes);
    ck_assert (rsp_ranges_fast (&affine, element, ranges));
    check_ranges (ranges, bytes);
  }
}
END_TEST

START_TEST (constraints_are_kept) {
  g_autoptr (GRand) rand = g_rand_new_with_seed (18);
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (RspDsomRange));
  for (guint k = 0; k < N_FUNCTIONS / 10; k++) {
    gint64 x[RSP_AFFINE_VARIABLES] = { 0 };
    guint8 bytes[2 * SPAN] = { 0 };
    RspAffine affine = draw_affine (rand);
    RspLinearConstraint constraint
        = { { .constant = g_rand_int_range (rand, -4, 5) },
            (RspOperator) g_rand_int_range (rand, RSP_OP_EQ, RSP_OP_GE + 1) };
    for (guint i = 0; i < affine.n; i++)
      constraint.linear.coefficients[i] = g_rand_int_range (rand, -2, 3);
    affine.constraints = &constraint;
    affine.n_constraints = 1;
    mark (&affine, 2, 0, x, bytes);
    ck_assert (rsp_ranges_of (&affine, 2, ranges));
    check_ranges (ranges, bytes);
  }
}
END_TEST

/* The fast one is fast: a million points are one range, and points beyond all counting are one too.
 */
START_TEST (absorbed_variables_cost_nothing) {
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (RspDsomRange));
  RspAffine affine = { .value = { 5, { 1, 1000, -1000000 } }, .n = 3, .high = { 999, 999, 999 } };
  ck_assert (!rsp_ranges_naive (&affine, 4, ranges));
  ck_assert (rsp_ranges_fast (&affine, 4, ranges));
  ck_assert_uint_eq (ranges->len, 1);
  ck_assert_int_eq (g_array_index (ranges, RspDsomRange, 0).size, G_GINT64_CONSTANT (4000000000));
  affine.value.coefficients[0] = 2;
  affine.high[1] = affine.high[2] = 1 << 20;
  ck_assert (!rsp_ranges_fast (&affine, 1, ranges));
}
END_TEST

/* The paper's stencil: rows of 4 in a grid of 6. */
START_TEST (rows_of_the_stencil) {
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (RspDsomRange));
  RspAffine affine = { .value = { 7, { 6, 1 } }, .n = 2, .high = { 1, 3 } };
  ck_assert (rsp_ranges_fast (&affine, 1, ranges));
  ck_assert_uint_eq (ranges->len, 2);
  for (guint i = 0; i < 2; i++) {
    const RspDsomRange *range = &g_array_index (ranges, RspDsomRange, i);
    ck_assert_int_eq (range->offset, i ? 13 : 7);
    ck_assert_int_eq (range->size, 4);
  }
}
END_TEST

/* ---- Tables ---- */

enum { SIZE = 24 };

START_TEST (tables_are_bytes) {
  g_autoptr (GRand) rand = g_rand_new_with_seed (19);
  g_autoptr (GArray) table = g_array_new (FALSE, FALSE, sizeof (DsomSegment));
  for (guint k = 0; k < 2000; k++) {
    guint8 tags[SIZE];
    memset (tags, DSOM_HOST, sizeof tags);
    dsom_table_init (table, SIZE, DSOM_HOST);
    for (guint step = 0; step < 12; step++) {
      guint offset = (guint) g_rand_int_range (rand, 0, SIZE);
      guint size = (guint) g_rand_int_range (rand, 0, (gint) (SIZE - offset) + 1);
      gboolean owns = g_rand_boolean (rand);
      guint8 bit = (guint8) (1u << g_rand_int_range (rand, 0, 4));
      for (guint i = offset; i < offset + size; i++)
        tags[i] = owns ? bit : tags[i] | bit | DSOM_HOST;
      dsom_table_update (table, offset, size, owns ? 0 : 0xff, owns ? bit : bit | DSOM_HOST);
      for (guint i = 0; i < SIZE; i++)
        if (dsom_table_tag (table, i) != tags[i]) /* each ck_assert calls write */
          ck_abort_msg ("tag %u: expected %u", i, (guint) tags[i]);
      ck_assert_ptr_null (dsom_table_violated (table, SIZE));
    }
  }
}
END_TEST

START_TEST (invariants_of_tables_are_noticed) {
  static const struct {
    DsomSegment segments[2];
    const char *violated;
  } wrong[] = {
    { { { 0, 4, 1 }, { 4, 4, 0 } }, "I1" }, { { { 0, 4, 1 }, { 4, 4, 6 } }, "I2" },
    { { { 0, 4, 1 }, { 5, 3, 2 } }, "I4" }, { { { 0, 4, 1 }, { 3, 5, 2 } }, "I4" },
    { { { 0, 4, 1 }, { 4, 3, 2 } }, "I4" }, { { { 0, 8, 1 }, { 8, 0, 2 } }, "I4" },
    { { { 0, 4, 3 }, { 4, 4, 3 } }, "I5" }, { { { 0, 4, 3 }, { 4, 4, 4 } }, NULL },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GArray) table = g_array_new (FALSE, FALSE, sizeof (DsomSegment));
    g_array_append_vals (table, wrong[i].segments, 2);
    ck_assert_pstr_eq (dsom_table_violated (table, 8), wrong[i].violated);
  }
}
END_TEST

/* ---- Programs ---- */

static gboolean passes (const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  RspSource *source = rsp_source_new ("t", text, strlen (text));
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspDsomProgram) program = rsp_dsom_parse (source, diagnostics);
  ck_assert ((program == NULL) == (rsp_diagnostics_count_errors (diagnostics) > 0));
  rsp_source_unref (source);
  return program != NULL;
}

/* Every prefix, every byte left out, every byte with another before it. */
START_TEST (damaged_programs_never_crash) {
  g_autofree char *text = NULL;
  gsize length;
  ck_assert (g_file_get_contents ("litmus/dsom/stencil.litmus", &text, &length, NULL));
  ck_assert (passes ("%s", text));
  for (gsize i = 0; i + 1 < length; i++) {
    passes ("%.*s", (int) i, text);
    passes ("%.*s%s", (int) i, text, text + i + 1);
    passes ("%.*s%c%s", (int) i, text, "(){};,@*9\x7f[."[i % 12], text + i);
  }
}
END_TEST

/* Neither recursion nor repetition has a depth or length that the text alone decides. */
START_TEST (large_programs_end) {
  g_autoptr (GString) sum = g_string_new ("1");
  for (guint i = 0; i < 100000; i++)
    g_string_append (sum, "+1");
  ck_assert (
      !passes ("DSOM t\nkernel k { r = %s; }\nhost { run k on 0; }\nexists (r=1)", sum->str));
  ck_assert (
      passes ("DSOM t\nhost { repeat 2000000000 { repeat 2000000000 { } } }\nexists (true)"));
  ck_assert (!passes ("DSOM t\nkernel k { %s }\nhost { run k on 0; }\nexists (true)",
                      "for i in 0..67000000, j in 0..67000000, k in 0..67000000 ;"));
}
END_TEST

Suite *dsom_suite (void) {
  Suite *suite = suite_create ("dsom");
  TCase *tcase = tcase_create ("dsom");
  tcase_set_timeout (tcase, 60);
  tcase_add_test (tcase, both_algorithms_give_the_bytes);
  tcase_add_test (tcase, constraints_are_kept);
  tcase_add_test (tcase, absorbed_variables_cost_nothing);
  tcase_add_test (tcase, rows_of_the_stencil);
  tcase_add_test (tcase, tables_are_bytes);
  tcase_add_test (tcase, invariants_of_tables_are_noticed);
  tcase_add_test (tcase, damaged_programs_never_crash);
  tcase_add_test (tcase, large_programs_end);
  suite_add_tcase (suite, tcase);
  return suite;
}
