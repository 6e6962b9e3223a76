/* Terms: rules one by one, and undetermined values. */
#include "parser/program.h"
#include "enumerator/terms/terms.h"
#include "tests/unit/term_text.h"

#include <check.h>

Suite *term_suite (void);

static RspArena *arena;
static RspTerms *terms;

static void set_up (void) {
  arena = rsp_arena_new ();
  terms = rsp_terms_new (arena);
}

static void tear_down (void) {
  rsp_terms_free (terms);
  rsp_arena_free (arena);
}

static const RspTerm *integer (gint64 value) { return rsp_term_constant (terms, value, 32, TRUE); }

static const RspTerm *read_int (guint event) { return rsp_term_read (terms, event, 32, TRUE); }

static const RspTerm *binary (RspOperator op, const RspTerm *a, const RspTerm *b) {
  return rsp_term_binary (terms, op, a, b);
}

static void assert_format (const RspTerm *term, const char *expected) {
  GString *text = g_string_new (NULL);
  term_format (term, text);
  ck_assert_str_eq (text->str, expected);
  g_string_free (text, TRUE);
}

/* ---- Rules ---- */

START_TEST (test_equal_terms_are_one) {
  ck_assert_ptr_eq (read_int (3), read_int (3));
  ck_assert_ptr_ne (read_int (3), rsp_term_read (terms, 3, 32, FALSE));
  ck_assert_ptr_eq (binary (RSP_OP_ADD, read_int (0), read_int (1)),
                    binary (RSP_OP_ADD, read_int (1), read_int (0)));
  ck_assert_ptr_ne (binary (RSP_OP_SUB, read_int (0), read_int (1)),
                    binary (RSP_OP_SUB, read_int (1), read_int (0)));
}
END_TEST

START_TEST (test_constants_wrap) {
  ck_assert_int_eq (integer (G_GINT64_CONSTANT (0x80000000))->constant, G_MININT32);
  ck_assert_int_eq (rsp_term_constant (terms, -1, 32, FALSE)->constant, G_MAXUINT32);
  ck_assert_int_eq (rsp_term_constant (terms, 300, 8, FALSE)->constant, 44);
  ck_assert_int_eq (rsp_term_constant (terms, 300, 1, FALSE)->constant, 1);
  ck_assert_int_eq (binary (RSP_OP_ADD, integer (G_MAXINT32), integer (1))->constant, G_MININT32);
  ck_assert_int_eq (binary (RSP_OP_DIV, integer (G_MININT32), integer (-1))->constant, G_MININT32);
  const RspTerm *least = rsp_term_constant (terms, G_MININT64, 64, TRUE);
  ck_assert_int_eq (binary (RSP_OP_MOD, least, rsp_term_constant (terms, -1, 64, TRUE))->constant,
                    0);
}
END_TEST

/* a op b, for example "-4"; "none" where it is undefined. Newly allocated. */
static char *fold (RspOperator op, gint64 a, gint64 b, guint8 bits, gboolean is_signed) {
  gint64 result;
  return rsp_fold_binary (op, a, b, bits, is_signed, &result)
             ? g_strdup_printf ("%" G_GINT64_FORMAT, result)
             : g_strdup ("none");
}

static const struct {
  RspOperator op;
  gint64 a, b;
  guint8 bits;
  gboolean is_signed;
  const char *expected;
} shifts[] = {
  { RSP_OP_SHR, -8, 1, 32, TRUE, "-4" },
  { RSP_OP_SHR, 0xfffffff8, 1, 32, FALSE, "2147483644" },
  { RSP_OP_SHR, -1, 63, 64, FALSE, "1" },
  { RSP_OP_SHR, -1, 63, 64, TRUE, "-1" },
  { RSP_OP_SHL, 1, 31, 32, FALSE, "2147483648" },
  { RSP_OP_SHL, 3, 30, 32, TRUE, "-1073741824" },
  { RSP_OP_SHR, 1, 31, 32, TRUE, "0" },
  { RSP_OP_SHR, 1, 32, 32, TRUE, "none" },
  { RSP_OP_SHL, 1, 64, 64, FALSE, "none" },
  { RSP_OP_SHL, 1, -1, 32, TRUE, "none" },
};

START_TEST (test_shifts) {
  g_autofree char *result
      = fold (shifts[_i].op, shifts[_i].a, shifts[_i].b, shifts[_i].bits, shifts[_i].is_signed);
  ck_assert_str_eq (result, shifts[_i].expected);
}
END_TEST

START_TEST (test_what_cancels) {
  const RspTerm *x = read_int (0), *y = read_int (1);
  ck_assert_ptr_eq (binary (RSP_OP_XOR, x, x), integer (0));
  ck_assert_ptr_eq (binary (RSP_OP_SUB, x, x), integer (0));
  ck_assert_ptr_eq (binary (RSP_OP_MUL, x, integer (0)), integer (0));
  ck_assert_ptr_eq (binary (RSP_OP_AND, integer (0), x), integer (0));
  ck_assert_ptr_eq (binary (RSP_OP_ADD, binary (RSP_OP_SUB, x, y), y), x);
  ck_assert_ptr_eq (binary (RSP_OP_XOR, binary (RSP_OP_XOR, x, y), y), x);
  const RspTerm *plus = binary (RSP_OP_ADD, x, integer (3));
  ck_assert_ptr_eq (binary (RSP_OP_SUB, plus, integer (3)), x);
  ck_assert_ptr_eq (binary (RSP_OP_SUB, binary (RSP_OP_ADD, plus, integer (4)), x), integer (7));
  ck_assert_ptr_eq (rsp_term_unary (terms, RSP_OP_NEGATE, rsp_term_unary (terms, RSP_OP_NEGATE, x)),
                    x);
}
END_TEST

START_TEST (test_casts) {
  const RspTerm *x = read_int (0);
  ck_assert_ptr_eq (rsp_term_cast (terms, x, 32, TRUE), x);
  ck_assert_ptr_eq (rsp_term_cast (terms, rsp_term_cast (terms, x, 64, TRUE), 32, TRUE), x);
  const RspTerm *byte = rsp_term_cast (terms, x, 8, FALSE);
  ck_assert_ptr_ne (rsp_term_cast (terms, byte, 32, TRUE), x);
  ck_assert_ptr_eq (rsp_term_cast (terms, rsp_term_cast (terms, x, 16, TRUE), 8, FALSE), byte);
  const RspTerm *truth = binary (RSP_OP_EQ, x, integer (1));
  ck_assert_ptr_eq (rsp_term_cast (terms, rsp_term_cast (terms, truth, 1, FALSE), 32, TRUE), truth);
}
END_TEST

START_TEST (test_comparisons) {
  const RspTerm *x = read_int (0), *y = read_int (1);
  const RspTerm *is_one = binary (RSP_OP_EQ, x, integer (1));
  ck_assert_ptr_eq (binary (RSP_OP_EQ, x, x), integer (1));
  ck_assert_ptr_eq (binary (RSP_OP_LT, x, x), integer (0));
  ck_assert_ptr_eq (binary (RSP_OP_EQ, binary (RSP_OP_ADD, x, integer (4)), integer (5)), is_one);
  ck_assert_ptr_eq (binary (RSP_OP_EQ, binary (RSP_OP_SUB, x, y), integer (0)),
                    binary (RSP_OP_EQ, x, y));
  ck_assert_ptr_eq (binary (RSP_OP_EQ, binary (RSP_OP_ADD, x, integer (1)), x), integer (0));
  ck_assert_ptr_eq (binary (RSP_OP_NE, is_one, integer (0)), is_one);
  ck_assert_ptr_eq (rsp_term_unary (terms, RSP_OP_LOGICAL_NOT, is_one),
                    binary (RSP_OP_NE, x, integer (1)));
  ck_assert_ptr_eq (binary (RSP_OP_GT, x, y), binary (RSP_OP_LT, y, x));
  const RspTerm *byte = rsp_term_read (terms, 2, 8, FALSE);
  ck_assert_ptr_eq (binary (RSP_OP_EQ, rsp_term_cast (terms, byte, 32, TRUE), integer (256)),
                    integer (0));
  ck_assert_ptr_eq (binary (RSP_OP_LT, rsp_term_cast (terms, byte, 32, TRUE), integer (256)),
                    integer (1));
}
END_TEST

START_TEST (test_conditions_and_negations) {
  const RspTerm *a = binary (RSP_OP_EQ, read_int (0), integer (1));
  const RspTerm *b = binary (RSP_OP_LT, read_int (1), integer (5));
  const RspTerm *flag = rsp_term_read (terms, 2, 1, FALSE);
  const RspTerm *cases[] = { a,
                             b,
                             binary (RSP_OP_AND, a, b),
                             binary (RSP_OP_OR, a, b),
                             binary (RSP_OP_XOR, a, b),
                             flag,
                             read_int (3) };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const RspTerm *yes = rsp_term_condition (terms, cases[i]);
    const RspTerm *no = rsp_term_negate_condition (terms, cases[i]);
    ck_assert_ptr_ne (yes, no);
    ck_assert_ptr_eq (rsp_term_negate_condition (terms, yes), no);
    ck_assert_ptr_eq (rsp_term_negate_condition (terms, no), yes);
    ck_assert (yes->is_boolean && yes->bits == 32);
  }
  assert_format (rsp_term_negate_condition (terms, binary (RSP_OP_AND, a, b)),
                 "((r0 != 1) | (5 <= r1))");
}
END_TEST

START_TEST (test_pointers) {
  const RspTerm *base = rsp_term_constant (terms, rsp_address (2, 0), 64, FALSE);
  const RspTerm *index = rsp_term_cast (terms, read_int (0), 64, FALSE);
  const RspTerm *element = binary (RSP_OP_ADD, base, index);
  const RspTerm *third = rsp_term_constant (terms, rsp_address (2, 3), 64, FALSE);
  const RspTerm *other = rsp_term_constant (terms, rsp_address (3, 3), 64, FALSE);
  ck_assert_ptr_eq (binary (RSP_OP_EQ, element, third),
                    binary (RSP_OP_EQ, read_int (0), integer (3)));
  ck_assert_ptr_eq (binary (RSP_OP_EQ, element, other), integer (0));
  ck_assert_ptr_eq (
      binary (RSP_OP_EQ, element, rsp_term_constant (terms, rsp_address (2, 0), 64, FALSE)),
      binary (RSP_OP_EQ, read_int (0), integer (0)));
  ck_assert_ptr_eq (binary (RSP_OP_EQ, base, rsp_term_constant (terms, 0, 64, FALSE)), integer (0));
}
END_TEST

START_TEST (test_size_is_bounded_by_doubling) {
  const RspTerm *x = read_int (0);
  for (guint i = 0; i < 100; i++)
    x = binary (RSP_OP_MUL, x, x);
  ck_assert_uint_eq (x->size, G_MAXUINT);
}
END_TEST

/* ---- Undetermined values and open reads ---- */

static RspValue unknown (guint number, gint64 offset) {
  return (RspValue){ .bits = offset, .unknown = number };
}

START_TEST (test_undetermined_values) {
  RspValue reads[]
      = { unknown (1, 0), unknown (1, 2), unknown (2, 0), { .bits = 0 }, { .bits = 1 } };
  const RspTerm *x = read_int (0), *y = read_int (1), *z = read_int (2), *zero = read_int (3);
  const RspTerm *one = read_int (4), *greatest = integer (G_MAXINT32);
  const struct {
    const RspTerm *term;
    RspValue expected;
    gboolean opaque;
  } cases[] = {
    { binary (RSP_OP_ADD, x, integer (5)), unknown (1, 5), FALSE },
    { binary (RSP_OP_SUB, y, integer (5)), unknown (1, -3), FALSE },
    { binary (RSP_OP_SUB, y, x), unknown (0, 2), FALSE },
    { binary (RSP_OP_OR, x, zero), unknown (1, 0), FALSE },
    { binary (RSP_OP_AND, x, zero), unknown (0, 0), FALSE },
    { binary (RSP_OP_EQ, x, integer (1)), unknown (0, 0), TRUE },
    { binary (RSP_OP_NE, x, integer (1)), unknown (0, 0), TRUE },
    { binary (RSP_OP_EQ, x, y), unknown (0, 0), FALSE },
    { binary (RSP_OP_EQ, binary (RSP_OP_ADD, x, integer (2)), y), unknown (0, 1), FALSE },
    { binary (RSP_OP_NE, x, z), unknown (0, 0), TRUE },
    { binary (RSP_OP_MOD, x, one), unknown (0, 0), FALSE },
    { binary (RSP_OP_SHR, zero, x), unknown (0, 0), FALSE },
    { binary (RSP_OP_MAX, x, greatest), unknown (0, G_MAXINT32), FALSE },
    { binary (RSP_OP_MIN, x, greatest), unknown (1, 0), FALSE },
    { binary (RSP_OP_LT, x, integer (1)), unknown (0, 0), TRUE },
    { binary (RSP_OP_LE, x, greatest), unknown (0, 1), FALSE },
    { binary (RSP_OP_GE, x, integer (1)), unknown (0, 0), TRUE },
    { binary (RSP_OP_OR, x, integer (1)), unknown (0, 0), TRUE },
    { binary (RSP_OP_ADD, x, z), unknown (0, 0), TRUE },
    { rsp_term_cast (terms, x, 64, TRUE), unknown (1, 0), FALSE },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RspValue value;
    gboolean opaque;
    ck_assert (rsp_term_evaluate (cases[i].term, reads, &value, &opaque));
    ck_assert_msg (rsp_value_equal (value, cases[i].expected), "case %u", i);
    ck_assert_msg (opaque == cases[i].opaque, "case %u", i);
  }
}
END_TEST

/* Reads 0 and 1 are 0 and ?1: a division by zero anywhere makes all of it undefined. */
START_TEST (test_undefined_values) {
  RspValue reads[] = { { .bits = 0 }, unknown (1, 0) };
  const RspTerm *none = binary (RSP_OP_DIV, integer (1), read_int (0));
  const RspTerm *cases[]
      = { none, binary (RSP_OP_ADD, none, integer (1)), binary (RSP_OP_ADD, read_int (1), none),
          binary (RSP_OP_LT, none, read_int (1)) };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RspValue value;
    ck_assert_msg (!rsp_term_evaluate (cases[i], reads, &value, NULL), "case %u", i);
  }
}
END_TEST

/* ?1 is in 0 … 1, ?1+2 in 2 … 3, and of ?2 nothing is known. 2: undetermined. */
static void check_ranges (RspCompounds *compounds, RspEvaluation *evaluation) {
  const RspTerm *x = read_int (0), *y = read_int (1), *z = read_int (2);
  const struct {
    const RspTerm *term;
    guint expected;
  } cases[] = {
    { binary (RSP_OP_EQ, x, integer (2)), 0 },
    { binary (RSP_OP_EQ, x, integer (1)), 2 },
    { binary (RSP_OP_NE, x, integer (-1)), 1 },
    { binary (RSP_OP_NE, y, integer (2)), 2 },
    { binary (RSP_OP_LT, x, integer (2)), 1 },
    { binary (RSP_OP_LT, x, integer (1)), 2 },
    { binary (RSP_OP_LT, x, integer (0)), 0 },
    { binary (RSP_OP_LE, y, integer (3)), 1 },
    { binary (RSP_OP_LE, y, integer (2)), 2 },
    { binary (RSP_OP_LE, y, integer (1)), 0 },
    { binary (RSP_OP_EQ, z, integer (7)), 2 },
    { binary (RSP_OP_LT, integer (3), z), 2 },
    { binary (RSP_OP_EQ, z, y), 2 },
  };
  evaluation->symbolic = FALSE;
  rsp_compounds_limit (compounds, 1, -5, 1);
  rsp_compounds_limit (compounds, 1, 0, 9);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    RspValue value;
    rsp_term_evaluate_outcome (cases[i].term, evaluation, &value);
    ck_assert_msg ((value.unknown ? 2 : value.bits) == cases[i].expected, "case %u", i);
  }
}

/* With compounds: reads 0 and 1 are ?1 and ?1+2, 2 is ?2; case i is the value of case `same`, or,
 * where that is i itself, one that none before it has. */
START_TEST (test_compounds) {
  RspValue reads[] = { unknown (1, 0), unknown (1, 2), unknown (2, 0) };
  const RspTerm *x = read_int (0), *y = read_int (1), *z = read_int (2);
  const RspTerm *moved = binary (RSP_OP_ADD, x, integer (2)); /* y's value */
  const struct {
    const RspTerm *term;
    guint same;
  } cases[] = {
    { binary (RSP_OP_ADD, x, z), 0 },
    { binary (RSP_OP_ADD, z, x), 0 },
    { binary (RSP_OP_ADD, y, z), 2 },
    { binary (RSP_OP_ADD, z, moved), 0 }, /* (x + z) + 2 once simplified: see below */
    { binary (RSP_OP_MUL, y, y), 4 },
    { binary (RSP_OP_MUL, moved, y), 4 },
    { binary (RSP_OP_MUL, x, z), 6 },
    { binary (RSP_OP_SUB, x, z), 7 },
    { binary (RSP_OP_SUB, z, x), 8 },
    { rsp_term_unary (terms, RSP_OP_NEGATE, x), 9 },
    { rsp_term_unary (terms, RSP_OP_COMPLEMENT, x), 10 },
    { rsp_term_unary (terms, RSP_OP_COMPLEMENT, x), 10 },
    { binary (RSP_OP_MUL, binary (RSP_OP_MUL, y, y), z), 12 },
  };
  RspCompounds compounds = { .n_unknowns = 2 };
  RspEvaluation evaluation = { .reads = reads, .compounds = &compounds };
  RspValue values[G_N_ELEMENTS (cases)];
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint before = compounds.n_unknowns;
    ck_assert (rsp_term_evaluate_outcome (cases[i].term, &evaluation, &values[i])
               == RSP_TERM_DETERMINED);
    ck_assert_msg (values[i].unknown > 2, "case %u", i);
    ck_assert_msg ((values[i].unknown > before) == (cases[i].same == i), "case %u", i);
    ck_assert_msg (values[i].unknown == values[cases[i].same].unknown, "case %u", i);
  }
  ck_assert_int_eq (values[3].bits, 2);
  RspValue value;
  rsp_term_evaluate_outcome (binary (RSP_OP_EQ, x, z), &evaluation, &value);
  ck_assert_uint_gt (value.unknown, 2);
  check_ranges (&compounds, &evaluation);
  rsp_compounds_bind (&compounds, values[0].unknown, unknown (1, 5));
  rsp_term_evaluate_outcome (cases[3].term, &evaluation, &value);
  ck_assert (rsp_value_equal (value, unknown (1, 7)));
  rsp_compounds_clear (&compounds);
}
END_TEST

START_TEST (test_partial_evaluation) {
  RspValue reads[] = { { .bits = 0 }, { .bits = 7 } };
  gboolean known[] = { TRUE, FALSE };
  RspValue value;
  const RspTerm *x = read_int (0), *y = read_int (1);
  ck_assert (!rsp_term_evaluate_partial (y, reads, known, &value));
  ck_assert (!rsp_term_evaluate_partial (binary (RSP_OP_ADD, x, y), reads, known, &value));
  ck_assert (rsp_term_evaluate_partial (binary (RSP_OP_MUL, x, y), reads, known, &value));
  ck_assert (rsp_value_equal (value, unknown (0, 0)));
  known[1] = TRUE;
  ck_assert (rsp_term_evaluate_partial (binary (RSP_OP_ADD, x, y), reads, known, &value));
  ck_assert_int_eq (value.bits, 7);
  ck_assert (!rsp_term_evaluate_partial (binary (RSP_OP_DIV, y, x), reads, known, &value));
  ck_assert (!rsp_term_evaluate (binary (RSP_OP_DIV, y, x), reads, &value, NULL));
}
END_TEST

Suite *term_suite (void) {
  Suite *suite = suite_create ("term");
  TCase *tests = tcase_create ("term");
  tcase_add_checked_fixture (tests, set_up, tear_down);
  tcase_add_test (tests, test_equal_terms_are_one);
  tcase_add_test (tests, test_constants_wrap);
  tcase_add_loop_test (tests, test_shifts, 0, G_N_ELEMENTS (shifts));
  tcase_add_test (tests, test_what_cancels);
  tcase_add_test (tests, test_casts);
  tcase_add_test (tests, test_comparisons);
  tcase_add_test (tests, test_conditions_and_negations);
  tcase_add_test (tests, test_pointers);
  tcase_add_test (tests, test_size_is_bounded_by_doubling);
  tcase_add_test (tests, test_undetermined_values);
  tcase_add_test (tests, test_undefined_values);
  tcase_add_test (tests, test_compounds);
  tcase_add_test (tests, test_partial_evaluation);
  suite_add_tcase (suite, tests);
  return suite;
}
