/* Terms on random expressions: the simplifier against plain C arithmetic.
 *
 * A tree is built twice: as a term, and as nodes of this test, which are evaluated on 128-bit
 * numbers with the rules of C written out again. */
#include "parser/program.h"
#include "enumerator/terms/terms.h"
#include "tests/unit/term_text.h"

#include <check.h>

Suite *term_random_suite (void);

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

typedef struct Tree {
  RspOperator op; /* NONE: a leaf or a cast */
  guint8 bits;
  gboolean is_signed;
  gint64 constant;
  guint event; /* G_MAXUINT: not a read */
  struct Tree *a, *b;
} Tree;

enum { N_READS = 4 };

static const struct {
  guint8 bits;
  gboolean is_signed;
} types[] = { { 1, FALSE }, { 8, TRUE },   { 8, FALSE }, { 16, TRUE }, { 16, FALSE },
              { 32, TRUE }, { 32, FALSE }, { 64, TRUE }, { 64, FALSE } };

static const guint read_types[N_READS] = { 5, 6, 0, 2 };

static RspWide reference_wrap (RspWide value, guint8 bits, gboolean is_signed) {
  if (bits == 1)
    return value != 0;
  RspWide span = (RspWide) 1 << bits;
  value %= span;
  if (value < 0)
    value += span;
  return is_signed && value >= span / 2 ? value - span : value;
}

static gboolean reference_compare (RspOperator op, RspWide a, RspWide b) {
  switch (op) {
  case RSP_OP_EQ:
    return a == b;
  case RSP_OP_NE:
    return a != b;
  case RSP_OP_LT:
    return a < b;
  case RSP_OP_LE:
    return a <= b;
  case RSP_OP_GT:
    return a > b;
  default:
    return a >= b;
  }
}

static gboolean reference_operate (RspOperator op, RspWide a, RspWide b, guint8 bits,
                                   RspWide *value) {
  gboolean in_range = b >= 0 && b < bits;
  switch (op) {
  case RSP_OP_ADD:
    *value = a + b;
    return TRUE;
  case RSP_OP_SUB:
    *value = a - b;
    return TRUE;
  case RSP_OP_MUL:
    *value = (RspWide) ((unsigned __int128) a * (unsigned __int128) b);
    return TRUE;
  case RSP_OP_DIV:
    *value = b ? a / b : 0;
    return b != 0;
  case RSP_OP_MOD:
    *value = b ? a % b : 0;
    return b != 0;
  case RSP_OP_SHL:
    *value = in_range ? (RspWide) ((unsigned __int128) a << b) : 0;
    return in_range;
  case RSP_OP_SHR:
    *value = in_range ? a >> b : 0;
    return in_range;
  case RSP_OP_AND:
    *value = a & b;
    return TRUE;
  case RSP_OP_OR:
    *value = a | b;
    return TRUE;
  case RSP_OP_XOR:
    *value = a ^ b;
    return TRUE;
  case RSP_OP_MIN:
    *value = a < b ? a : b;
    return TRUE;
  case RSP_OP_MAX:
    *value = a > b ? a : b;
    return TRUE;
  default:
    *value = reference_compare (op, a, b);
    return TRUE;
  }
}

/* FALSE: undefined somewhere. */
static gboolean reference_evaluate (const Tree *tree, const RspWide *reads, RspWide *value) {
  RspWide a = 0, b = 0;
  if (tree->event != G_MAXUINT)
    *value = reads[tree->event];
  else if (!tree->a)
    *value = reference_wrap (tree->constant, tree->bits, tree->is_signed);
  else if (!reference_evaluate (tree->a, reads, &a)
           || (tree->b && !reference_evaluate (tree->b, reads, &b)))
    return FALSE;
  else if (tree->op == RSP_OP_NONE)
    *value = reference_wrap (a, tree->bits, tree->is_signed);
  else if (tree->op == RSP_OP_LOGICAL_NOT)
    *value = a == 0;
  else if (!tree->b)
    *value = reference_wrap (tree->op == RSP_OP_NEGATE ? -a : ~a, tree->bits, tree->is_signed);
  else {
    if (!reference_operate (tree->op, a, b, tree->bits, value))
      return FALSE;
    *value = reference_wrap (*value, tree->bits, tree->is_signed);
  }
  return TRUE;
}

static Tree *new_tree (RspOperator op, guint8 bits, gboolean is_signed, Tree *a, Tree *b) {
  Tree *tree = rsp_arena_new0 (arena, Tree, 1);
  *tree = (Tree){
    .op = op, .bits = bits, .is_signed = is_signed, .event = G_MAXUINT, .a = a, .b = b
  };
  return tree;
}

static gint64 random_constant (GRand *random) {
  static const gint64 special[]
      = { 0,   1,   2,   -1,         -2,         3,           31,         127,
          128, 255, 256, G_MAXINT32, G_MININT32, G_MAXUINT32, G_MAXINT64, G_MININT64 };
  return special[g_rand_int_range (random, 0, G_N_ELEMENTS (special))];
}

static Tree *random_leaf (GRand *random, const RspTerm **term) {
  if (g_rand_boolean (random)) {
    guint event = (guint) g_rand_int_range (random, 0, N_READS), type = read_types[event];
    Tree *tree = new_tree (RSP_OP_NONE, types[type].bits, types[type].is_signed, NULL, NULL);
    tree->event = event;
    *term = rsp_term_read (terms, event, tree->bits, tree->is_signed);
    return tree;
  }
  guint type = (guint) g_rand_int_range (random, 0, G_N_ELEMENTS (types));
  Tree *tree = new_tree (RSP_OP_NONE, types[type].bits, types[type].is_signed, NULL, NULL);
  tree->constant = random_constant (random);
  *term = rsp_term_constant (terms, tree->constant, tree->bits, tree->is_signed);
  return tree;
}

static Tree *convert (Tree *tree, const RspTerm **term, guint8 bits, gboolean is_signed) {
  if (tree->bits == bits && tree->is_signed == is_signed)
    return tree;
  *term = rsp_term_cast (terms, *term, bits, is_signed);
  return new_tree (RSP_OP_NONE, bits, is_signed, tree, NULL);
}

/* Is the tree's value defined for all reads? Terms assume guards; here what may fail is left
 * out. */
static gboolean is_safe (RspOperator op, const Tree *b, guint8 bits) {
  if (op == RSP_OP_DIV || op == RSP_OP_MOD || op == RSP_OP_SHL || op == RSP_OP_SHR) {
    if (b->a || b->event != G_MAXUINT)
      return FALSE;
    RspWide value = reference_wrap (b->constant, b->bits, b->is_signed);
    return op == RSP_OP_DIV || op == RSP_OP_MOD ? value != 0 : value >= 0 && value < bits;
  }
  return TRUE;
}

static Tree *random_tree (GRand *random, guint depth, const RspTerm **term) {
  static const RspOperator unary[] = { RSP_OP_NEGATE, RSP_OP_COMPLEMENT, RSP_OP_LOGICAL_NOT };
  if (depth == 0 || g_rand_int_range (random, 0, 6) == 0)
    return random_leaf (random, term);
  const RspTerm *term_a, *term_b;
  Tree *a = random_tree (random, depth - 1, &term_a);
  int choice = g_rand_int_range (random, 0, 10);
  if (choice < 2) {
    guint type = (guint) g_rand_int_range (random, 0, G_N_ELEMENTS (types));
    a = convert (a, &term_a, types[type].bits, types[type].is_signed);
    *term = term_a;
    return a;
  }
  if (a->bits == 1)
    a = convert (a, &term_a, 32, TRUE);
  if (choice == 2) {
    RspOperator op = unary[g_rand_int_range (random, 0, 3)];
    *term = rsp_term_unary (terms, op, term_a);
    return op == RSP_OP_LOGICAL_NOT ? new_tree (op, 32, TRUE, a, NULL)
                                    : new_tree (op, a->bits, a->is_signed, a, NULL);
  }
  RspOperator op = (RspOperator) g_rand_int_range (random, RSP_OP_ADD, RSP_OP_GE + 1);
  if (op == RSP_OP_EXCHANGE)
    op = RSP_OP_EQ;
  /* Related operands make the rules fire. */
  Tree *b = choice == 3 ? (term_b = term_a, a) : random_tree (random, depth - 1, &term_b);
  b = convert (b, &term_b, a->bits, a->is_signed);
  if (!is_safe (op, b, a->bits))
    op = RSP_OP_SUB;
  *term = rsp_term_binary (terms, op, term_a, term_b);
  return rsp_operator_is_comparison (op) ? new_tree (op, 32, TRUE, a, b)
                                         : new_tree (op, a->bits, a->is_signed, a, b);
}

START_TEST (test_random_expressions) {
  GRand *random = g_rand_new_with_seed (20240229);
  for (guint round = 0; round < 20000; round++) {
    const RspTerm *term;
    Tree *tree = random_tree (random, 1 + round % 5, &term);
    ck_assert_uint_eq (term->bits, tree->bits);
    ck_assert_int_eq (term->is_signed, tree->is_signed);
    for (guint sample = 0; sample < 6; sample++) {
      RspWide wide[N_READS], expected, low, high;
      RspValue reads[N_READS], value;
      gboolean known[N_READS] = { TRUE, FALSE, TRUE, FALSE };
      const RspEvaluation half = { .reads = reads, .known = known };
      for (guint i = 0; i < N_READS; i++) {
        guint type = read_types[i];
        wide[i]
            = reference_wrap (random_constant (random), types[type].bits, types[type].is_signed);
        reads[i] = (RspValue){ .bits = (gint64) wide[i] };
      }
      if (!reference_evaluate (tree, wide, &expected))
        continue;
      ck_assert (rsp_term_evaluate (term, reads, &value, NULL));
      ck_assert_int_eq (value.unknown, 0);
      if (value.bits != (gint64) expected) {
        GString *text = g_string_new (NULL);
        term_format (term, text);
        ck_abort_msg ("round %u: %s gives %" G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, round,
                      text->str, value.bits, (gint64) expected);
      }
      for (guint given = 0; given < 2; given++) {
        rsp_term_range (term, given ? &half : NULL, &low, &high);
        ck_assert (low <= expected && expected <= high);
      }
    }
  }
  g_rand_free (random);
}
END_TEST

Suite *term_random_suite (void) {
  Suite *suite = suite_create ("term_random");
  TCase *tests = tcase_create ("term_random");
  tcase_add_checked_fixture (tests, set_up, tear_down);
  tcase_set_timeout (tests, 60); /* on a busy machine too */
  tcase_add_test (tests, test_random_expressions);
  suite_add_tcase (suite, tests);
  return suite;
}
