/* Terms: the rules by which they are simplified as they are built. A rule holds for every value of
 * the operands' type, modulo 2^bits; types with one bit (bool) are widened before any arithmetic.
 *
 * A term's linear form is base + constant, where base is not a sum with a constant. */
#include "enumerator/terms/simplify.h"
#include "enumerator/terms/private.h"

static const RspTerm *
make (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b)
{
  gboolean compares = rsp_operator_is_comparison (op);
  RspTerm key = { .kind = RSP_TERM_BINARY,
                  .op = op,
                  .bits = compares ? 32 : a->bits,
                  .is_signed = compares || a->is_signed,
                  .a = a,
                  .b = b };
  return rsp_term_intern (terms, &key);
}

static const RspTerm *
make_unary (RspTerms *terms, RspOperator op, const RspTerm *a)
{
  RspTerm key
      = { .kind = RSP_TERM_UNARY, .op = op, .bits = a->bits, .is_signed = a->is_signed, .a = a };
  return rsp_term_intern (terms, &key);
}

/* A constant of the type of `like`. */
static const RspTerm *
constant_like (RspTerms *terms, const RspTerm *like, gint64 value)
{
  return rsp_term_constant (terms, value, like->bits, like->is_signed);
}

static const RspTerm *
truth (RspTerms *terms, gboolean value)
{
  return rsp_term_constant (terms, value, 32, TRUE);
}

static gboolean
is_constant (const RspTerm *term, gint64 value)
{
  return term->kind == RSP_TERM_CONSTANT && term->constant == value;
}

static gboolean
is_binary (const RspTerm *term, RspOperator op)
{
  return term->kind == RSP_TERM_BINARY && term->op == op;
}

static gboolean
is_unary (const RspTerm *term, RspOperator op)
{
  return term->kind == RSP_TERM_UNARY && term->op == op;
}

/* The constant of the type with all bits set. */
static gboolean
is_all_ones (const RspTerm *term)
{
  return is_constant (term, rsp_wrap (-1, term->bits, term->is_signed));
}

/* ---- Sums ---- */

/* term = base + offset; base is NULL for a constant. */
static const RspTerm *
split (const RspTerm *term, gint64 *offset)
{
  *offset = 0;
  if (term->kind == RSP_TERM_CONSTANT)
    {
      *offset = term->constant;
      return NULL;
    }
  if (!is_binary (term, RSP_OP_ADD) || term->b->kind != RSP_TERM_CONSTANT)
    return term;
  *offset = term->b->constant;
  return term->a;
}

static const RspTerm *
plus_constant (RspTerms *terms, const RspTerm *base, gint64 offset)
{
  gint64 more;
  const RspTerm *inner = split (base, &more);
  const RspTerm *sum = constant_like (terms, base, (gint64) ((guint64) offset + (guint64) more));
  if (!inner)
    return sum;
  return sum->constant == 0 ? inner : make (terms, RSP_OP_ADD, inner, sum);
}

static const RspTerm *
add_bases (RspTerms *terms, const RspTerm *a, const RspTerm *b)
{
  if (is_binary (a, RSP_OP_SUB) && a->b == b)
    return a->a;
  if (is_binary (b, RSP_OP_SUB) && b->b == a)
    return b->a;
  if ((is_unary (a, RSP_OP_NEGATE) && a->a == b) || (is_unary (b, RSP_OP_NEGATE) && b->a == a))
    return constant_like (terms, a, 0);
  return a->id <= b->id ? make (terms, RSP_OP_ADD, a, b) : make (terms, RSP_OP_ADD, b, a);
}

static const RspTerm *
simplify_add (RspTerms *terms, const RspTerm *a, const RspTerm *b)
{
  gint64 offset_a, offset_b;
  const RspTerm *base_a = split (a, &offset_a), *base_b = split (b, &offset_b);
  const RspTerm *base
      = base_a && base_b ? add_bases (terms, base_a, base_b) : (base_a ? base_a : base_b);
  return plus_constant (terms, base, (gint64) ((guint64) offset_a + (guint64) offset_b));
}

static const RspTerm *
simplify_negate (RspTerms *terms, const RspTerm *a)
{
  if (is_unary (a, RSP_OP_NEGATE))
    return a->a;
  if (is_binary (a, RSP_OP_SUB))
    return make (terms, RSP_OP_SUB, a->b, a->a);
  return make_unary (terms, RSP_OP_NEGATE, a);
}

static const RspTerm *
subtract_bases (RspTerms *terms, const RspTerm *a, const RspTerm *b)
{
  if (a == b)
    return constant_like (terms, a, 0);
  if (is_binary (a, RSP_OP_ADD) && a->a == b)
    return a->b;
  if (is_binary (a, RSP_OP_ADD) && a->b == b)
    return a->a;
  return make (terms, RSP_OP_SUB, a, b);
}

static const RspTerm *
simplify_subtract (RspTerms *terms, const RspTerm *a, const RspTerm *b)
{
  gint64 offset_a, offset_b;
  const RspTerm *base_a = split (a, &offset_a), *base_b = split (b, &offset_b);
  const RspTerm *base;
  if (!base_b)
    base = base_a;
  else if (!base_a)
    base = simplify_negate (terms, base_b);
  else
    base = subtract_bases (terms, base_a, base_b);
  return plus_constant (terms, base, (gint64) ((guint64) offset_a - (guint64) offset_b));
}

/* ---- Products, shifts and bits ---- */

static const RspTerm *
simplify_multiply (RspTerms *terms, const RspTerm *a, const RspTerm *b)
{
  if (is_constant (b, 0))
    return b;
  if (is_constant (b, 1))
    return a;
  return make (terms, RSP_OP_MUL, a, b);
}

/* Both operands' guards hold: a divisor is not zero, a shift in range. */
static const RspTerm *
simplify_divide (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b)
{
  gboolean quotient = op == RSP_OP_DIV;
  if (is_constant (b, 1))
    return quotient ? a : constant_like (terms, a, 0);
  if (is_constant (a, 0))
    return a;
  if (a == b)
    return constant_like (terms, a, quotient ? 1 : 0);
  return make (terms, op, a, b);
}

static const RspTerm *
simplify_shift (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b)
{
  if (is_constant (b, 0) || is_constant (a, 0))
    return a;
  return make (terms, op, a, b);
}

/* x op c op d = x op (c op d) for constants. */
static const RspTerm *
fold_into (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b)
{
  if (b->kind != RSP_TERM_CONSTANT || !is_binary (a, op) || a->b->kind != RSP_TERM_CONSTANT)
    return make (terms, op, a, b);
  return rsp_term_binary (terms, op, a->a, rsp_term_binary (terms, op, a->b, b));
}

static gboolean
are_opposite_conditions (RspTerms *terms, const RspTerm *a, const RspTerm *b)
{
  return a->bits == 32 && a->is_signed && a->is_boolean && b->is_boolean
         && a->kind == RSP_TERM_BINARY && rsp_operator_is_comparison (a->op)
         && rsp_term_negate_condition (terms, a) == b;
}

static const RspTerm *
simplify_and (RspTerms *terms, const RspTerm *a, const RspTerm *b)
{
  if (a == b || is_all_ones (b) || (is_constant (b, 1) && a->is_boolean))
    return a;
  if (is_constant (b, 0))
    return b;
  if (are_opposite_conditions (terms, a, b))
    return constant_like (terms, a, 0);
  return fold_into (terms, RSP_OP_AND, a, b);
}

static const RspTerm *
simplify_or (RspTerms *terms, const RspTerm *a, const RspTerm *b)
{
  if (a == b || is_constant (b, 0))
    return a;
  if (is_all_ones (b) || (is_constant (b, 1) && a->is_boolean))
    return b;
  if (are_opposite_conditions (terms, a, b))
    return constant_like (terms, a, 1);
  return fold_into (terms, RSP_OP_OR, a, b);
}

static const RspTerm *
simplify_xor (RspTerms *terms, const RspTerm *a, const RspTerm *b)
{
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

/* ---- Comparisons ---- */

/* A cast to no fewer bits: different values stay different. (To bool and from it is another
 * matter.) */
static gboolean
is_injective_cast (const RspTerm *term)
{
  return term->kind == RSP_TERM_CAST && term->a->bits != 1 && term->bits >= term->a->bits;
}

/* FALSE: no value of a's operands makes it equal to value. */
static gboolean
may_equal (const RspTerm *a, gint64 value)
{
  RspWide low, high, wide = rsp_widen (value, a->bits, a->is_signed);
  rsp_term_range (a, &low, &high);
  if (wide < low || wide > high)
    return FALSE;
  return !is_injective_cast (a)
         || rsp_wrap (rsp_wrap (value, a->a->bits, a->a->is_signed), a->bits, a->is_signed)
                == value;
}

/* One step that brings `a == value` nearer to a plain read: *a and *value change, TRUE; or FALSE,
 * when there is none. They may be equal. */
static gboolean
invert_step (const RspTerm **a, gint64 *value)
{
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

static const RspTerm *
equal_to_constant (RspTerms *terms, const RspTerm *a, gint64 value)
{
  do
    if (!may_equal (a, value))
      return truth (terms, FALSE);
  while (invert_step (&a, &value));
  if (a->is_boolean)
    return value ? rsp_term_condition (terms, a) : rsp_term_negate_condition (terms, a);
  if (value == 0 && (is_binary (a, RSP_OP_SUB) || is_binary (a, RSP_OP_XOR)))
    return rsp_term_binary (terms, RSP_OP_EQ, a->a, a->b);
  return make (terms, RSP_OP_EQ, a, constant_like (terms, a, value));
}

/* Both sides without casts of one kind that keep different values different. */
static void
strip_equal_casts (const RspTerm **a, const RspTerm **b)
{
  while (is_injective_cast (*a) && is_injective_cast (*b) && (*a)->a->bits == (*b)->a->bits
         && (*a)->a->is_signed == (*b)->a->is_signed)
    {
      *a = (*a)->a;
      *b = (*b)->a;
    }
}

static const RspTerm *
simplify_equal (RspTerms *terms, const RspTerm *a, const RspTerm *b)
{
  if (a == b)
    return truth (terms, TRUE);
  if (b->kind == RSP_TERM_CONSTANT)
    return equal_to_constant (terms, a, b->constant);
  strip_equal_casts (&a, &b);
  gint64 offset_a, offset_b;
  const RspTerm *base_a = split (a, &offset_a), *base_b = split (b, &offset_b);
  if (base_a == base_b)
    return truth (terms, offset_a == offset_b);
  if (offset_a && offset_b)
    {
      a = plus_constant (terms, base_a, (gint64) ((guint64) offset_a - (guint64) offset_b));
      b = base_b;
    }
  return a->id <= b->id ? make (terms, RSP_OP_EQ, a, b) : make (terms, RSP_OP_EQ, b, a);
}

/* op is LT or LE. */
static const RspTerm *
simplify_less (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b)
{
  if (a == b)
    return truth (terms, op == RSP_OP_LE);
  RspWide low_a, high_a, low_b, high_b;
  rsp_term_range (a, &low_a, &high_a);
  rsp_term_range (b, &low_b, &high_b);
  if (op == RSP_OP_LT ? high_a < low_b : high_a <= low_b)
    return truth (terms, TRUE);
  if (op == RSP_OP_LT ? low_a >= high_b : low_a > high_b)
    return truth (terms, FALSE);
  return make (terms, op, a, b);
}

/* ---- Conditions ---- */

const RspTerm *
rsp_term_condition (RspTerms *terms, const RspTerm *a)
{
  while (a->kind == RSP_TERM_CAST && a->is_boolean)
    a = a->a;
  if (a->kind == RSP_TERM_CONSTANT)
    return truth (terms, a->constant != 0);
  if (a->is_boolean && a->kind == RSP_TERM_BINARY)
    return rsp_term_cast (terms, a, 32, TRUE);
  return rsp_term_negate_condition (terms, rsp_term_negate_condition (terms, a));
}

static const RspTerm *
negate_comparison (RspTerms *terms, const RspTerm *a)
{
  switch (a->op)
    {
    case RSP_OP_EQ:
      if (a->a->is_boolean && a->a->kind == RSP_TERM_BINARY && is_constant (a->b, 0))
        return rsp_term_condition (terms, a->a);
      return make (terms, RSP_OP_NE, a->a, a->b);
    case RSP_OP_NE:
      return make (terms, RSP_OP_EQ, a->a, a->b);
    case RSP_OP_LT:
      return make (terms, RSP_OP_LE, a->b, a->a);
    default:
      return make (terms, RSP_OP_LT, a->b, a->a);
    }
}

/* By De Morgan where a is a conjunction or disjunction of conditions. */
const RspTerm *
rsp_term_negate_condition (RspTerms *terms, const RspTerm *a)
{
  while (a->kind == RSP_TERM_CAST && a->is_boolean)
    a = a->a;
  if (a->kind == RSP_TERM_CONSTANT)
    return truth (terms, a->constant == 0);
  if (a->kind == RSP_TERM_BINARY && rsp_operator_is_comparison (a->op))
    return negate_comparison (terms, a);
  if (!a->is_boolean)
    return equal_to_constant (terms, a, 0);
  if (is_binary (a, RSP_OP_AND) || is_binary (a, RSP_OP_OR))
    return rsp_term_binary (terms, a->op == RSP_OP_AND ? RSP_OP_OR : RSP_OP_AND,
                            rsp_term_negate_condition (terms, a->a),
                            rsp_term_negate_condition (terms, a->b));
  return make (terms, RSP_OP_EQ, a, constant_like (terms, a, 0));
}

/* ---- The constructors ---- */

const RspTerm *
rsp_term_unary (RspTerms *terms, RspOperator op, const RspTerm *a)
{
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
  return is_unary (a, RSP_OP_COMPLEMENT) ? a->a : make_unary (terms, op, a);
}

static const RspTerm *
widen_bool (RspTerms *terms, const RspTerm *a)
{
  return a->bits == 1 ? rsp_term_cast (terms, a, 32, TRUE) : a;
}

static void
convert_to_common (RspTerms *terms, const RspTerm **a, const RspTerm **b)
{
  guint8 bits = MAX ((*a)->bits, (*b)->bits);
  gboolean is_signed;
  if ((*a)->bits == (*b)->bits)
    is_signed = (*a)->is_signed && (*b)->is_signed;
  else
    is_signed = (*a)->bits > (*b)->bits ? (*a)->is_signed : (*b)->is_signed;
  *a = rsp_term_cast (terms, *a, bits, is_signed);
  *b = rsp_term_cast (terms, *b, bits, is_signed);
}

static const RspTerm *
simplify (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b)
{
  switch (op)
    {
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
      return a == b ? a : make (terms, op, a, b);
    case RSP_OP_GT:
    case RSP_OP_GE:
    RSP_CASES_WITHOUT_FOLDING:
      break;
    }
  return make (terms, op, a, b);
}

static const RspTerm *
fold_constants (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b)
{
  gint64 value = 0;
  gboolean defined = rsp_fold_binary (op, a->constant, b->constant, a->bits, a->is_signed, &value);
  g_return_val_if_fail (defined, constant_like (terms, a, 0));
  return rsp_operator_is_comparison (op) ? truth (terms, value != 0)
                                         : constant_like (terms, a, value);
}

const RspTerm *
rsp_term_binary (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b)
{
  if (op == RSP_OP_EXCHANGE)
    return b;
  if (op == RSP_OP_GT || op == RSP_OP_GE)
    return rsp_term_binary (terms, op == RSP_OP_GT ? RSP_OP_LT : RSP_OP_LE, b, a);
  a = widen_bool (terms, a);
  b = widen_bool (terms, b);
  if (!rsp_operator_is_shift (op))
    convert_to_common (terms, &a, &b);
  if (a->kind == RSP_TERM_CONSTANT && b->kind == RSP_TERM_CONSTANT)
    return fold_constants (terms, op, a, b);
  if (rsp_operator_is_commutative (op)
      && (a->kind == RSP_TERM_CONSTANT || (b->kind != RSP_TERM_CONSTANT && a->id > b->id)))
    {
      const RspTerm *other = a;
      a = b;
      b = other;
    }
  return simplify (terms, op, a, b);
}
