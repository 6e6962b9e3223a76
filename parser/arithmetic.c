#include "parser/arithmetic.h"

guint8 rsp_type_bits (const RspType *type) {
  if (type->pointers)
    return 64;
  return type->bits ? type->bits : 32;
}

gboolean rsp_type_is_signed (const RspType *type) {
  if (type->pointers || type->bits == 1)
    return FALSE;
  return type->bits ? type->is_signed : TRUE;
}

gint64 rsp_wrap (gint64 value, guint8 bits, gboolean is_signed) {
  if (bits == 1)
    return value != 0;
  if (bits >= 64)
    return value;
  guint64 mask = (G_GUINT64_CONSTANT (1) << bits) - 1;
  guint64 low = (guint64) value & mask;
  if (is_signed && (low >> (bits - 1)))
    low |= ~mask;
  return (gint64) low;
}

RspWide rsp_widen (gint64 value, guint8 bits, gboolean is_signed) {
  return bits >= 64 && !is_signed ? (RspWide) (guint64) value : (RspWide) value;
}

RspWide rsp_type_low (guint8 bits, gboolean is_signed) {
  return is_signed ? -((RspWide) 1 << (bits - 1)) : 0;
}

RspWide rsp_type_high (guint8 bits, gboolean is_signed) {
  return ((RspWide) 1 << (is_signed ? bits - 1 : bits)) - 1;
}

gint64 rsp_fold_unary (RspOperator op, gint64 a, guint8 bits, gboolean is_signed) {
  guint64 value = (guint64) a;
  return rsp_wrap ((gint64) (op == RSP_OP_NEGATE ? -value : ~value), bits, is_signed);
}

gboolean rsp_compare (RspOperator op, RspWide a, RspWide b) {
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

/* Division uses wide values, so that the least value divided by -1 does not trap but wraps to
 * itself. */
static gboolean divide (RspOperator op, RspWide a, RspWide b, gint64 *result) {
  if (b == 0)
    return FALSE;
  *result = (gint64) (guint64) (op == RSP_OP_DIV ? a / b : a % b);
  return TRUE;
}

static gboolean shift (RspOperator op, gint64 a, gint64 b, guint8 bits, gboolean is_signed,
                       gint64 *result) {
  if (b < 0 || b >= bits)
    return FALSE;
  if (op == RSP_OP_SHL)
    *result = (gint64) ((guint64) a << b);
  else
    *result = is_signed ? a >> b : (gint64) ((guint64) a >> b);
  return TRUE;
}

/* Division and shifts, which are undefined for some operands. */
static gboolean fold_partial (RspOperator op, gint64 a, gint64 b, guint8 bits, gboolean is_signed,
                              gint64 *result) {
  if (rsp_operator_is_shift (op))
    return shift (op, a, b, bits, is_signed, result);
  return divide (op, rsp_widen (a, bits, is_signed), rsp_widen (b, bits, is_signed), result);
}

/* The value of an uninterpreted function: one that no calculation gives by chance. */
static guint64 mix (guint64 x, guint64 y) {
  guint64 z = x * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + y + 1;
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

gboolean rsp_fold_binary (RspOperator op, gint64 a, gint64 b, guint8 bits, gboolean is_signed,
                          gint64 *result) {
  RspWide wide_a = rsp_widen (a, bits, is_signed), wide_b = rsp_widen (b, bits, is_signed);
  guint64 x = (guint64) a, y = (guint64) b, value = 0;
  gint64 partial = 0;
  switch (op) {
  case RSP_OP_ADD:
    value = x + y;
    break;
  case RSP_OP_SUB:
    value = x - y;
    break;
  case RSP_OP_MUL:
    value = x * y;
    break;
  case RSP_OP_AND:
    value = x & y;
    break;
  case RSP_OP_OR:
    value = x | y;
    break;
  case RSP_OP_XOR:
    value = x ^ y;
    break;
  case RSP_OP_MIN:
    value = wide_a <= wide_b ? x : y;
    break;
  case RSP_OP_MAX:
    value = wide_a >= wide_b ? x : y;
    break;
  case RSP_OP_EXCHANGE:
    value = y;
    break;
  case RSP_OP_APPLY:
    value = mix (x, y);
    break;
  case RSP_OP_DIV:
  case RSP_OP_MOD:
  case RSP_OP_SHL:
  case RSP_OP_SHR:
    if (!fold_partial (op, a, b, bits, is_signed, &partial))
      return FALSE;
    value = (guint64) partial;
    break;
  RSP_CASES_OF_COMPARISONS:
    *result = rsp_compare (op, wide_a, wide_b);
    return TRUE;
  RSP_CASES_WITHOUT_FOLDING:
    g_return_val_if_reached (FALSE);
  }
  *result = rsp_wrap ((gint64) value, bits, is_signed);
  return TRUE;
}
