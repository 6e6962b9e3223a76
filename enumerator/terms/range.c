/* Intervals: the range of each operator's result, from the ranges of its operands. A result that
 * may wrap has the range of its type. */
#include "enumerator/terms/range.h"

/* Of the operators that are looked at. Operands may be shared, and are looked at again. */
enum { DEPTH = 6 };

typedef struct Range {
  RspWide low, high;
} Range;

static Range range_of_type (const RspTerm *term) {
  return (Range){ rsp_type_low (term->bits, term->is_signed),
                  rsp_type_high (term->bits, term->is_signed) };
}

static gboolean lies_within (Range inner, Range outer) {
  return inner.low >= outer.low && inner.high <= outer.high;
}

/* The least 2^k - 1 that is not less than `value`. */
static RspWide with_all_bits (RspWide value) {
  RspWide result = 0;
  while (result < value)
    result = 2 * result + 1;
  return result;
}

/* Neither operand is negative. */
static Range combine_natural (RspOperator op, Range a, Range b, Range type) {
  switch (op) {
  case RSP_OP_MUL:
    return a.high <= G_MAXINT64 && b.high <= G_MAXINT64 ? (Range){ a.low * b.low, a.high * b.high }
                                                        : type;
  case RSP_OP_DIV:
  case RSP_OP_SHR:
    return (Range){ 0, a.high };
  case RSP_OP_OR:
  case RSP_OP_XOR:
    return (Range){ 0, with_all_bits (MAX (a.high, b.high)) };
  default:
    return type;
  }
}

static Range combine (RspOperator op, Range a, Range b, Range type) {
  switch (op) {
  case RSP_OP_ADD:
    return (Range){ a.low + b.low, a.high + b.high };
  case RSP_OP_SUB:
    return (Range){ a.low - b.high, a.high - b.low };
  case RSP_OP_MIN:
    return (Range){ MIN (a.low, b.low), MIN (a.high, b.high) };
  case RSP_OP_MAX:
    return (Range){ MAX (a.low, b.low), MAX (a.high, b.high) };
  case RSP_OP_AND:
    if (a.low >= 0 || b.low >= 0)
      return (Range){ 0, a.low < 0 ? b.high : b.low < 0 ? a.high : MIN (a.high, b.high) };
    return type;
  case RSP_OP_MOD:
    if (b.low > 0)
      return (Range){ a.low < 0 ? MAX (a.low, 1 - b.high) : 0,
                      a.high > 0 ? MIN (a.high, b.high - 1) : 0 };
    return type;
  default:
    return a.low >= 0 && b.low >= 0 ? combine_natural (op, a, b, type) : type;
  }
}

static Range range_of (const RspTerm *term, const RspEvaluation *given, guint depth);

static Range range_of_binary (const RspTerm *term, const RspEvaluation *given, guint depth) {
  if (rsp_operator_is_comparison (term->op))
    return (Range){ 0, 1 };
  return combine (term->op, range_of (term->a, given, depth - 1),
                  range_of (term->b, given, depth - 1), range_of_type (term));
}

static gboolean knows (const RspEvaluation *given, guint read) {
  return given && (!given->known || given->known[read]) && !given->reads[read].unknown;
}

static Range range_of (const RspTerm *term, const RspEvaluation *given, guint depth) {
  Range type = range_of_type (term), range = type;
  RspWide value;
  if (term->kind == RSP_TERM_CONSTANT) {
    value = rsp_widen (term->constant, term->bits, term->is_signed);
    return (Range){ value, value };
  }
  if (term->kind == RSP_TERM_READ && knows (given, term->event)) {
    value = rsp_widen (given->reads[term->event].bits, term->bits, term->is_signed);
    return (Range){ value, value };
  }
  if (term->kind == RSP_TERM_BINARY && depth)
    range = range_of_binary (term, given, depth);
  else if (term->kind == RSP_TERM_CAST && depth)
    range = range_of (term->a, given, depth - 1);
  if (!lies_within (range, type))
    range = type;
  return term->is_boolean ? (Range){ MAX (range.low, 0), MIN (range.high, 1) } : range;
}

void rsp_term_range (const RspTerm *term, const RspEvaluation *given, RspWide *low, RspWide *high) {
  Range range = range_of (term, given, DEPTH);
  *low = range.low;
  *high = range.high;
}

gboolean rsp_term_is_same_value_cast (const RspTerm *term) {
  return term->kind == RSP_TERM_CAST
         && lies_within (range_of (term->a, NULL, DEPTH), range_of_type (term));
}
