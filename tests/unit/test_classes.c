/* Values that conditions cannot tell apart: on random conditions, each number has the truth of one
 * of the values found. */
#include "api/internal.h"
#include "enumerator/terms/terms.h"

#include <check.h>

enum {
  N_CASES = 200,
  N_NUMBERS = 500, /* per case */
  MAX_CONDITIONS = 4
};

Suite *classes_suite (void);

typedef struct World {
  GRand *random;
  RspArena *arena;
  RspTerms *terms;
  const RspTerm *unknown, *value; /* the unknown in its type */
} World;

static void start (World *world, guint seed, guint8 bits, gboolean is_signed) {
  world->random = g_rand_new_with_seed (seed);
  world->arena = rsp_arena_new ();
  world->terms = rsp_terms_new (world->arena);
  world->unknown
      = rsp_term_binary (world->terms, RSP_OP_APPLY,
                         rsp_term_constant (world->terms, RSP_FUNCTION_ARGUMENT, 64, FALSE),
                         rsp_term_constant (world->terms, 0, 64, FALSE));
  world->value = rsp_term_cast (world->terms, world->unknown, bits, is_signed);
}

static void stop (World *world) {
  rsp_terms_free (world->terms);
  rsp_arena_free (world->arena);
  g_rand_free (world->random);
}

/* Small, near a power of 2, or any; as a number of so many bits. */
static gint64 random_number (GRand *random, guint8 bits) {
  guint64 power = G_GUINT64_CONSTANT (1) << g_rand_int_range (random, 0, bits);
  guint64 near = (guint64) g_rand_int_range (random, -40, 41);
  guint64 any = (guint64) g_rand_int (random) << 32 | g_rand_int (random);
  switch (g_rand_int_range (random, 0, 4)) {
  case 0:
    return (gint64) near;
  case 1:
    return (gint64) (power + near);
  case 2:
    return (gint64) (near - power);
  default:
    return (gint64) any;
  }
}

static const RspTerm *random_constant (World *world, const RspTerm *like, RspOperator op) {
  gint64 value = g_rand_boolean (world->random) ? g_rand_int_range (world->random, -5, 40)
                                                : random_number (world->random, like->bits);
  if (rsp_operator_is_shift (op))
    value = g_rand_int_range (world->random, 0, 6);
  if ((op == RSP_OP_DIV || op == RSP_OP_MOD) && g_rand_int_range (world->random, 0, 4))
    value = g_rand_int_range (world->random, 1, 20);
  return rsp_term_constant (world->terms, rsp_wrap (value, like->bits, like->is_signed), like->bits,
                            like->is_signed);
}

static const RspTerm *random_term (World *world, guint depth) {
  static const RspOperator operators[]
      = { RSP_OP_ADD, RSP_OP_SUB, RSP_OP_MUL, RSP_OP_DIV, RSP_OP_MOD, RSP_OP_SHL,
          RSP_OP_SHR, RSP_OP_AND, RSP_OP_OR,  RSP_OP_XOR, RSP_OP_MIN, RSP_OP_MAX };
  static const guint8 widths[] = { 8, 16, 32, 64 };
  if (!depth)
    return world->value;
  const RspTerm *a = random_term (world, depth - 1);
  RspOperator op
      = operators[g_rand_int_range (world->random, 0, (gint32) G_N_ELEMENTS (operators))];
  switch (g_rand_int_range (world->random, 0, 10)) {
  case 0:
    return rsp_term_cast (world->terms, a, widths[g_rand_int_range (world->random, 0, 4)],
                          g_rand_boolean (world->random));
  case 1:
    return rsp_term_unary (world->terms,
                           g_rand_boolean (world->random) ? RSP_OP_NEGATE : RSP_OP_COMPLEMENT, a);
  case 2:
    return rsp_term_binary (
        world->terms, op, a,
        rsp_term_cast (world->terms, random_term (world, depth - 1), a->bits, a->is_signed));
  default:
    return rsp_term_binary (world->terms, op, a, random_constant (world, a, op));
  }
}

static const RspTerm *random_condition (World *world) {
  static const RspOperator comparisons[] = { RSP_OP_EQ, RSP_OP_NE, RSP_OP_LT, RSP_OP_LE };
  const RspTerm *a = random_term (world, (guint) g_rand_int_range (world->random, 0, 4));
  return rsp_term_condition (world->terms,
                             rsp_term_binary (world->terms,
                                              comparisons[g_rand_int_range (world->random, 0, 4)],
                                              a, random_constant (world, a, RSP_OP_EQ)));
}

/* The truths of the conditions with a value of each number, as a text. */
static void find_truth (const GPtrArray *conditions, const RspUnknownNumber *numbers, guint n,
                        const gint64 *row, char *truth) {
  g_autoptr (GArray) bound = g_array_new (FALSE, FALSE, sizeof (RspBoundTerm));
  for (guint i = 0; i < n; i++) {
    const RspBoundTerm own = { .term = numbers[i].term, .value = { .bits = row[i] } };
    g_array_append_val (bound, own);
  }
  const RspEvaluation evaluation = { .bound = bound };
  for (guint i = 0; i < conditions->len; i++) {
    RspValue result;
    RspTermOutcome outcome = rsp_term_evaluate_outcome (conditions->pdata[i], &evaluation, &result);
    truth[i] = outcome != RSP_TERM_DETERMINED ? '?' : result.bits ? '1' : '0';
  }
  truth[conditions->len] = 0;
}

static GHashTable *find_truths (const RspUnknownNumber *number, const GArray *values) {
  GHashTable *truths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < values->len; i++) {
    char *truth = g_malloc (number->conditions->len + 1);
    find_truth (number->conditions, number, 1, &g_array_index (values, gint64, i), truth);
    g_hash_table_add (truths, truth);
  }
  return truths;
}

/* 1: the classes are found. */
static guint check_case (guint seed) {
  static const guint8 widths[] = { 16, 32, 32, 64 };
  const guint8 bits = widths[seed % 4];
  const gboolean is_signed = seed / 4 % 2;
  World world;
  start (&world, seed, bits, is_signed);
  g_autoptr (GPtrArray) conditions = g_ptr_array_new ();
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GHashTable) required = g_hash_table_new (NULL, NULL);
  for (gint32 n = g_rand_int_range (world.random, 1, MAX_CONDITIONS + 1); n > 0; n--)
    g_ptr_array_add (conditions, (gpointer) random_condition (&world));
  if (seed % 3 == 0)
    g_hash_table_add (required, conditions->pdata[0]);
  const RspUnknownNumber number = { .term = world.unknown,
                                    .bits = bits,
                                    .is_signed = is_signed,
                                    .conditions = conditions,
                                    .required = required };
  gboolean found = rsp_classes_find (&number, values);
  g_autoptr (GHashTable) truths = find_truths (&number, values);
  for (guint i = 0; found && i < N_NUMBERS; i++) {
    char truth[MAX_CONDITIONS + 1];
    gint64 value = rsp_wrap (random_number (world.random, bits), bits, is_signed);
    find_truth (conditions, &number, 1, &value, truth);
    if (!g_hash_table_contains (truths, truth) && (seed % 3 || truth[0] != '0'))
      ck_abort_msg ("case %u: no value stands for %" G_GINT64_FORMAT, seed, value);
  }
  stop (&world);
  return found;
}

START_TEST (all_numbers_have_a_class) {
  guint found = 0;
  for (guint seed = 0; seed < N_CASES; seed++)
    found += check_case (seed);
  ck_assert_uint_gt (found, N_CASES / 2);
}
END_TEST

/* ---- Several numbers ------------------------------------------------------------------------ */

enum { MOST_NUMBERS = 3 };

typedef struct Several {
  World world;
  RspUnknownNumber numbers[MOST_NUMBERS];
  guint n;
} Several;

/* A number, or one ± another one, each perhaps converted, ± a constant, perhaps converted. */
static const RspTerm *random_sum (Several *s, gboolean several) {
  static const guint8 widths[] = { 8, 16, 32 };
  GRand *random = s->world.random;
  const RspTerm *a = s->numbers[g_rand_int_range (random, 0, (gint32) s->n)].term;
  if (g_rand_int_range (random, 0, 3))
    a = rsp_term_cast (s->world.terms, a, 32, g_rand_boolean (random));
  if (several && !g_rand_int_range (random, 0, 3)) {
    const RspTerm *b = s->numbers[g_rand_int_range (random, 0, (gint32) s->n)].term;
    a = rsp_term_binary (s->world.terms, g_rand_int_range (random, 0, 3) ? RSP_OP_SUB : RSP_OP_MAX,
                         a, rsp_term_cast (s->world.terms, b, a->bits, a->is_signed));
  }
  if (g_rand_boolean (random))
    a = rsp_term_binary (s->world.terms, g_rand_boolean (random) ? RSP_OP_ADD : RSP_OP_SUB, a,
                         random_constant (&s->world, a, RSP_OP_ADD));
  if (!g_rand_int_range (random, 0, 4))
    a = rsp_term_unary (s->world.terms, g_rand_boolean (random) ? RSP_OP_NEGATE : RSP_OP_COMPLEMENT,
                        a);
  return g_rand_int_range (random, 0, 4)
             ? a
             : rsp_term_cast (s->world.terms, a, widths[g_rand_int_range (random, 0, 3)],
                              g_rand_boolean (random));
}

static const RspTerm *random_link (Several *s) {
  static const RspOperator comparisons[] = { RSP_OP_EQ, RSP_OP_NE, RSP_OP_LT, RSP_OP_LE };
  GRand *random = s->world.random;
  const RspTerm *a = random_sum (s, TRUE), *b = random_sum (s, FALSE);
  if (!g_rand_int_range (random, 0, 4))
    b = random_constant (&s->world, a, RSP_OP_EQ);
  return rsp_term_condition (
      s->world.terms,
      rsp_term_binary (s->world.terms, comparisons[g_rand_int_range (random, 0, 4)], a,
                       rsp_term_cast (s->world.terms, b, a->bits, a->is_signed)));
}

/* 1: the rows are found. */
static guint check_rows (guint seed) {
  enum { N_ROWS = 4000 };
  Several s = { .n = 2 + seed / 2 % 2 };
  const guint8 bits = seed % 2 ? 8 : 32;
  start (&s.world, seed, bits, FALSE);
  g_autoptr (GPtrArray) conditions = g_ptr_array_new (), alone = g_ptr_array_new (),
                        all = g_ptr_array_new ();
  g_autoptr (GHashTable) required = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GHashTable) truths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < s.n; i++) {
    const gboolean is_signed = g_rand_boolean (s.world.random);
    const RspTerm *unknown
        = rsp_term_binary (s.world.terms, RSP_OP_APPLY,
                           rsp_term_constant (s.world.terms, RSP_FUNCTION_ARGUMENT, 64, FALSE),
                           rsp_term_constant (s.world.terms, i, 64, FALSE));
    s.world.value = rsp_term_cast (s.world.terms, unknown, bits, is_signed);
    s.numbers[i] = (RspUnknownNumber){ .term = unknown, .bits = bits, .is_signed = is_signed };
  }
  /* Of the last number alone, and of all. */
  for (gint32 n = g_rand_int_range (s.world.random, 0, 2); n > 0; n--)
    g_ptr_array_add (alone, (gpointer) random_condition (&s.world));
  for (guint i = 0; i < s.n; i++)
    s.numbers[i].conditions = i + 1 == s.n ? alone : all; /* `all` is empty yet */
  s.numbers[0].required = required;
  for (gint32 n = g_rand_int_range (s.world.random, 1, 5); n > 0; n--)
    g_ptr_array_add (conditions, (gpointer) random_link (&s));
  if (seed % 3 == 0)
    g_hash_table_add (required, conditions->pdata[0]);
  const gboolean found = rsp_classes_find_rows (conditions, s.numbers, s.n, rows);
  g_ptr_array_extend (all, alone, NULL, NULL);
  g_ptr_array_extend (all, conditions, NULL, NULL);
  char truth[MAX_CONDITIONS + 8];
  for (guint i = 0; found && i < rows->len; i += s.n) {
    find_truth (all, s.numbers, s.n, &g_array_index (rows, gint64, i), truth);
    if (!g_hash_table_add (truths, g_strdup (truth)))
      ck_abort_msg ("case %u: two rows have the same truths", seed);
  }
  for (guint i = 0; found && i < N_ROWS; i++) {
    gint64 row[MOST_NUMBERS];
    for (guint k = 0; k < s.n; k++)
      row[k] = rsp_wrap (k && g_rand_boolean (s.world.random)
                             ? row[0] + g_rand_int_range (s.world.random, -3, 4)
                             : random_number (s.world.random, bits),
                         bits, s.numbers[k].is_signed);
    find_truth (all, s.numbers, s.n, row, truth);
    if (!g_hash_table_contains (truths, truth) && (seed % 3 || truth[alone->len] != '0'))
      ck_abort_msg ("case %u: no row stands for %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, seed,
                    row[0], row[1]);
  }
  stop (&s.world);
  return found;
}

START_TEST (all_rows_have_a_class) {
  guint found = 0;
  for (guint seed = 0; seed < N_CASES; seed++)
    found += check_rows (seed);
  ck_assert_uint_gt (found, N_CASES / 4);
}
END_TEST

Suite *classes_suite (void) {
  Suite *suite = suite_create ("classes");
  TCase *all = tcase_create ("all");
  tcase_set_timeout (all, 300);
  tcase_add_test (all, all_numbers_have_a_class);
  tcase_add_test (all, all_rows_have_a_class);
  suite_add_tcase (suite, all);
  return suite;
}
