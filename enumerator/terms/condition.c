/* Comparisons, and the conditions that are made of them. */
#include "enumerator/terms/condition.h"
#include "enumerator/terms/make.h"
#include "enumerator/terms/range.h"
#include "enumerator/terms/simplify.h"

/* ---- Comparisons ---- */

/* Is it a cast to at least as many bits, which keeps different values different? (Casts to and from
 * bool are another matter.) */
static gboolean is_injective_cast (const RspTerm *term) {
  return term->kind == RSP_TERM_CAST && term->a->bits != 1 && term->bits >= term->a->bits;
}

/* FALSE if no value of a's operands makes it equal to value. */
static gboolean may_equal (const RspTerm *a, gint64 value) {
  RspWide low, high, wide = rsp_widen (value, a->bits, a->is_signed);
  rsp_term_range (a, NULL, &low, &high);
  if (wide < low || wide > high)
    return FALSE;
  return !is_injective_cast (a)
         || rsp_wrap (rsp_wrap (value, a->a->bits, a->a->is_signed), a->bits, a->is_signed)
                == value;
}

/* Takes one step that brings `a == value` closer to a plain read, changing *a and *value; FALSE if
 * there is none. */
static gboolean invert_step (const RspTerm **a, gint64 *value) {
  const RspTerm *x = *a;
  guint64 v = (guint64) *value;
  if (is_unary (x, RSP_OP_NEGATE) || is_unary (x, RSP_OP_COMPLEMENT))
    *value = rsp_fold_unary (x->op, *value, x->bits, x->is_signed);
  else if (is_injective_cast (x))
    *value = rsp_wrap (*value, x->a->bits, x->a->is_signed);
  else if (is_binary (x, RSP_OP_ADD) && x->b->kind == RSP_TERM_CONSTANT)
    *value = rsp_wrap ((gint64) (v - (guint64) x->b->constant), x->bits, x->is_signed);
  else if (is_binary (x, RSP_OP_XOR) && x->b->kind == RSP_TERM_CONSTANT)
    *value = rsp_wrap ((gint64) (v ^ (guint64) x->b->constant), x->bits, x->is_signed);
  else
    return FALSE;
  *a = x->a;
  return TRUE;
}

static const RspTerm *equal_to_constant (RspTerms *terms, const RspTerm *a, gint64 value) {
  do
    if (!may_equal (a, value))
      return truth_constant (terms, FALSE);
  while (invert_step (&a, &value));
  if (a->is_boolean)
    return value ? rsp_term_condition (terms, a) : rsp_term_negate_condition (terms, a);
  if (value == 0 && (is_binary (a, RSP_OP_SUB) || is_binary (a, RSP_OP_XOR)))
    return rsp_term_binary (terms, RSP_OP_EQ, a->a, a->b);
  return term_make (terms, RSP_OP_EQ, a, constant_like (terms, a, value));
}

/* Removes casts of the same kind on both sides that keep different values different. */
static void strip_equal_casts (const RspTerm **a, const RspTerm **b) {
  while (is_injective_cast (*a) && is_injective_cast (*b) && (*a)->a->bits == (*b)->a->bits
         && (*a)->a->is_signed == (*b)->a->is_signed) {
    *a = (*a)->a;
    *b = (*b)->a;
  }
}

const RspTerm *simplify_equal (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  if (a == b)
    return truth_constant (terms, TRUE);
  if (b->kind == RSP_TERM_CONSTANT)
    return equal_to_constant (terms, a, b->constant);
  strip_equal_casts (&a, &b);
  gint64 offset_a, offset_b;
  const RspTerm *base_a = rsp_term_split (a, &offset_a), *base_b = rsp_term_split (b, &offset_b);
  if (base_a == base_b)
    return truth_constant (terms, offset_a == offset_b);
  if (offset_a && offset_b) {
    a = term_plus (terms, base_a, (gint64) ((guint64) offset_a - (guint64) offset_b));
    b = base_b;
  }
  return a->id <= b->id ? term_make (terms, RSP_OP_EQ, a, b) : term_make (terms, RSP_OP_EQ, b, a);
}

const RspTerm *simplify_less (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b) {
  if (a == b)
    return truth_constant (terms, op == RSP_OP_LE);
  RspWide low_a, high_a, low_b, high_b;
  rsp_term_range (a, NULL, &low_a, &high_a);
  rsp_term_range (b, NULL, &low_b, &high_b);
  if (op == RSP_OP_LT ? high_a < low_b : high_a <= low_b)
    return truth_constant (terms, TRUE);
  if (op == RSP_OP_LT ? low_a >= high_b : low_a > high_b)
    return truth_constant (terms, FALSE);
  return term_make (terms, op, a, b);
}

/* ---- Conditions ---- */

const RspTerm *rsp_term_condition (RspTerms *terms, const RspTerm *a) {
  while (a->kind == RSP_TERM_CAST && a->is_boolean)
    a = a->a;
  if (a->kind == RSP_TERM_CONSTANT)
    return truth_constant (terms, a->constant != 0);
  if (a->is_boolean && a->kind == RSP_TERM_BINARY)
    return rsp_term_cast (terms, a, 32, TRUE);
  return rsp_term_negate_condition (terms, rsp_term_negate_condition (terms, a));
}

static const RspTerm *negate_comparison (RspTerms *terms, const RspTerm *a) {
  switch (a->op) {
  case RSP_OP_EQ:
    if (a->a->is_boolean && a->a->kind == RSP_TERM_BINARY && is_constant (a->b, 0))
      return rsp_term_condition (terms, a->a);
    return term_make (terms, RSP_OP_NE, a->a, a->b);
  case RSP_OP_NE:
    return term_make (terms, RSP_OP_EQ, a->a, a->b);
  case RSP_OP_LT:
    return term_make (terms, RSP_OP_LE, a->b, a->a);
  default:
    return term_make (terms, RSP_OP_LT, a->b, a->a);
  }
}

/* By De Morgan's laws if a is a conjunction or disjunction of conditions. */
const RspTerm *rsp_term_negate_condition (RspTerms *terms, const RspTerm *a) {
  while (a->kind == RSP_TERM_CAST && a->is_boolean)
    a = a->a;
  if (a->kind == RSP_TERM_CONSTANT)
    return truth_constant (terms, a->constant == 0);
  if (a->kind == RSP_TERM_BINARY && rsp_operator_is_comparison (a->op))
    return negate_comparison (terms, a);
  if (!a->is_boolean)
    return equal_to_constant (terms, a, 0);
  if (is_binary (a, RSP_OP_AND) || is_binary (a, RSP_OP_OR))
    return rsp_term_binary (terms, a->op == RSP_OP_AND ? RSP_OP_OR : RSP_OP_AND,
                            rsp_term_negate_condition (terms, a->a),
                            rsp_term_negate_condition (terms, a->b));
  return term_make (terms, RSP_OP_EQ, a, constant_like (terms, a, 0));
}
