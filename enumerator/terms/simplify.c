/* Terms: the rules by which they are simplified as they are built. A rule holds for every value of
 * the operands' type, modulo 2^bits; types with one bit (bool) are widened before any arithmetic.
 *
 * A term's linear form is base + constant, where base is not a sum with a constant. */
#include "enumerator/terms/simplify.h"
#include "enumerator/terms/condition.h"
#include "enumerator/terms/evaluate.h"
#include "enumerator/terms/make.h"

/* ---- Sums ---- */

static const RspTerm *add_bases (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  if (is_binary (a, RSP_OP_SUB) && a->b == b)
    return a->a;
  if (is_binary (b, RSP_OP_SUB) && b->b == a)
    return b->a;
  if ((is_unary (a, RSP_OP_NEGATE) && a->a == b) || (is_unary (b, RSP_OP_NEGATE) && b->a == a))
    return constant_like (terms, a, 0);
  return a->id <= b->id ? term_make (terms, RSP_OP_ADD, a, b) : term_make (terms, RSP_OP_ADD, b, a);
}

static const RspTerm *simplify_add (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  gint64 offset_a, offset_b;
  const RspTerm *base_a = rsp_term_split (a, &offset_a), *base_b = rsp_term_split (b, &offset_b);
  const RspTerm *base
      = base_a && base_b ? add_bases (terms, base_a, base_b) : (base_a ? base_a : base_b);
  return term_plus (terms, base, (gint64) ((guint64) offset_a + (guint64) offset_b));
}

static const RspTerm *simplify_negate (RspTerms *terms, const RspTerm *a) {
  if (is_unary (a, RSP_OP_NEGATE))
    return a->a;
  if (is_binary (a, RSP_OP_SUB))
    return term_make (terms, RSP_OP_SUB, a->b, a->a);
  return term_make_unary (terms, RSP_OP_NEGATE, a);
}

static const RspTerm *subtract_bases (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  if (a == b)
    return constant_like (terms, a, 0);
  if (is_binary (a, RSP_OP_ADD) && a->a == b)
    return a->b;
  if (is_binary (a, RSP_OP_ADD) && a->b == b)
    return a->a;
  return term_make (terms, RSP_OP_SUB, a, b);
}

static const RspTerm *simplify_subtract (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  gint64 offset_a, offset_b;
  const RspTerm *base_a = rsp_term_split (a, &offset_a), *base_b = rsp_term_split (b, &offset_b);
  const RspTerm *base;
  if (!base_b)
    base = base_a;
  else if (!base_a)
    base = simplify_negate (terms, base_b);
  else
    base = subtract_bases (terms, base_a, base_b);
  return term_plus (terms, base, (gint64) ((guint64) offset_a - (guint64) offset_b));
}

/* ---- Products, shifts and bits ---- */

static const RspTerm *simplify_multiply (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  if (is_constant (b, 0))
    return b;
  if (is_constant (b, 1))
    return a;
  return term_make (terms, RSP_OP_MUL, a, b);
}

/* Do the guards hold: is a divisor not zero, is a shift in range? */
static const RspTerm *simplify_divide (RspTerms *terms, RspOperator op, const RspTerm *a,
                                       const RspTerm *b) {
  gboolean quotient = op == RSP_OP_DIV;
  if (is_constant (b, 1))
    return quotient ? a : constant_like (terms, a, 0);
  if (is_constant (a, 0))
    return a;
  if (a == b)
    return constant_like (terms, a, quotient ? 1 : 0);
  return term_make (terms, op, a, b);
}

static const RspTerm *simplify_shift (RspTerms *terms, RspOperator op, const RspTerm *a,
                                      const RspTerm *b) {
  if (is_constant (b, 0) || is_constant (a, 0))
    return a;
  return term_make (terms, op, a, b);
}

/* x op c op d = x op (c op d) for constants. */
static const RspTerm *fold_into (RspTerms *terms, RspOperator op, const RspTerm *a,
                                 const RspTerm *b) {
  if (b->kind != RSP_TERM_CONSTANT || !is_binary (a, op) || a->b->kind != RSP_TERM_CONSTANT)
    return term_make (terms, op, a, b);
  return rsp_term_binary (terms, op, a->a, rsp_term_binary (terms, op, a->b, b));
}

static gboolean are_opposite_conditions (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  return a->bits == 32 && a->is_signed && a->is_boolean && b->is_boolean
         && a->kind == RSP_TERM_BINARY && rsp_operator_is_comparison (a->op)
         && rsp_term_negate_condition (terms, a) == b;
}

/* The constant of the type with all bits set. */
static gboolean is_all_ones (const RspTerm *term) {
  return is_constant (term, rsp_wrap (-1, term->bits, term->is_signed));
}

static const RspTerm *simplify_and (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  if (a == b || is_all_ones (b) || (is_constant (b, 1) && a->is_boolean))
    return a;
  if (is_constant (b, 0))
    return b;
  if (are_opposite_conditions (terms, a, b))
    return constant_like (terms, a, 0);
  return fold_into (terms, RSP_OP_AND, a, b);
}

static const RspTerm *simplify_or (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  if (a == b || is_constant (b, 0))
    return a;
  if (is_all_ones (b) || (is_constant (b, 1) && a->is_boolean))
    return b;
  if (are_opposite_conditions (terms, a, b))
    return constant_like (terms, a, 1);
  return fold_into (terms, RSP_OP_OR, a, b);
}

static const RspTerm *simplify_xor (RspTerms *terms, const RspTerm *a, const RspTerm *b) {
  if (a == b)
    return constant_like (terms, a, 0);
  if (is_constant (b, 0))
    return a;
  if (is_binary (a, RSP_OP_XOR) && (a->a == b || a->b == b))
    return a->a == b ? a->b : a->a;
  if (is_binary (b, RSP_OP_XOR) && (b->a == a || b->b == a))
    return b->a == a ? b->b : b->a;
  return fold_into (terms, RSP_OP_XOR, a, b);
}

/* ---- The constructors ---- */

const RspTerm *rsp_term_unary (RspTerms *terms, RspOperator op, const RspTerm *a) {
  if (op == RSP_OP_LOGICAL_NOT)
    return rsp_term_negate_condition (terms, a);
  if (op == RSP_OP_PLUS)
    return a;
  if (a->bits == 1)
    a = rsp_term_cast (terms, a, 32, TRUE);
  if (a->kind == RSP_TERM_CONSTANT)
    return constant_like (terms, a, rsp_fold_unary (op, a->constant, a->bits, a->is_signed));
  if (op == RSP_OP_NEGATE)
    return simplify_negate (terms, a);
  return is_unary (a, RSP_OP_COMPLEMENT) ? a->a : term_make_unary (terms, op, a);
}

static const RspTerm *widen_bool (RspTerms *terms, const RspTerm *a) {
  return a->bits == 1 ? rsp_term_cast (terms, a, 32, TRUE) : a;
}

static void convert_to_common (RspTerms *terms, const RspTerm **a, const RspTerm **b) {
  guint8 bits = MAX ((*a)->bits, (*b)->bits);
  gboolean is_signed;
  if ((*a)->bits == (*b)->bits)
    is_signed = (*a)->is_signed && (*b)->is_signed;
  else
    is_signed = (*a)->bits > (*b)->bits ? (*a)->is_signed : (*b)->is_signed;
  *a = rsp_term_cast (terms, *a, bits, is_signed);
  *b = rsp_term_cast (terms, *b, bits, is_signed);
}

static const RspTerm *simplify (RspTerms *terms, RspOperator op, const RspTerm *a,
                                const RspTerm *b) {
  switch (op) {
  case RSP_OP_ADD:
    return simplify_add (terms, a, b);
  case RSP_OP_SUB:
    return simplify_subtract (terms, a, b);
  case RSP_OP_MUL:
    return simplify_multiply (terms, a, b);
  case RSP_OP_DIV:
  case RSP_OP_MOD:
    return simplify_divide (terms, op, a, b);
  case RSP_OP_SHL:
  case RSP_OP_SHR:
    return simplify_shift (terms, op, a, b);
  case RSP_OP_AND:
    return simplify_and (terms, a, b);
  case RSP_OP_OR:
    return simplify_or (terms, a, b);
  case RSP_OP_XOR:
    return simplify_xor (terms, a, b);
  case RSP_OP_EQ:
    return simplify_equal (terms, a, b);
  case RSP_OP_NE:
    return rsp_term_negate_condition (terms, simplify_equal (terms, a, b));
  case RSP_OP_LT:
  case RSP_OP_LE:
    return simplify_less (terms, op, a, b);
  case RSP_OP_MIN:
  case RSP_OP_MAX:
  case RSP_OP_EXCHANGE:
    return a == b ? a : term_make (terms, op, a, b);
  case RSP_OP_APPLY:
  case RSP_OP_GT:
  case RSP_OP_GE:
  RSP_CASES_WITHOUT_FOLDING:
    break;
  }
  return term_make (terms, op, a, b);
}

static const RspTerm *fold_constants (RspTerms *terms, RspOperator op, const RspTerm *a,
                                      const RspTerm *b) {
  gint64 value = 0;
  gboolean defined = rsp_fold_binary (op, a->constant, b->constant, a->bits, a->is_signed, &value);
  g_return_val_if_fail (defined, constant_like (terms, a, 0));
  return rsp_operator_is_comparison (op) ? truth_constant (terms, value != 0)
                                         : constant_like (terms, a, value);
}

/* The argument of an uninterpreted function. The result of another one for numbers alone is a
 * number, as its evaluation has it, so that calculations with floats of which none is read do not
 * grow. */
static const RspTerm *argument_term (RspTerms *terms, const RspTerm *term) {
  RspValue value;
  if (!term->is_free || term->has_reads || term->has_arguments
      || !rsp_term_evaluate (term, NULL, &value, NULL))
    return term;
  return constant_like (terms, term, value.bits);
}

const RspTerm *rsp_term_binary (RspTerms *terms, RspOperator op, const RspTerm *a,
                                const RspTerm *b) {
  if (op == RSP_OP_EXCHANGE)
    return b;
  if (op == RSP_OP_GT || op == RSP_OP_GE)
    return rsp_term_binary (terms, op == RSP_OP_GT ? RSP_OP_LT : RSP_OP_LE, b, a);
  a = widen_bool (terms, a);
  b = widen_bool (terms, b);
  if (!rsp_operator_is_shift (op))
    convert_to_common (terms, &a, &b);
  if (op == RSP_OP_APPLY)
    return term_make (terms, op, argument_term (terms, a), argument_term (terms, b));
  if (a->kind == RSP_TERM_CONSTANT && b->kind == RSP_TERM_CONSTANT)
    return fold_constants (terms, op, a, b);
  if (rsp_operator_is_commutative (op)
      && (a->kind == RSP_TERM_CONSTANT || (b->kind != RSP_TERM_CONSTANT && a->id > b->id))) {
    const RspTerm *other = a;
    a = b;
    b = other;
  }
  return simplify (terms, op, a, b);
}
