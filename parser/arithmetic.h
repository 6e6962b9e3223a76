/* Arithmetic on values of C integer types, wrapping as the hardware does. A value of an unsigned
 * 64-bit type is kept as the gint64 of the same bits; every other value is itself. */
#pragma once

#include "parser/program.h"

/* Wide enough for every value of every type. */
typedef __int128 RspWide;

/* Bits and signedness of a type's values: 64 and unsigned for an address; as int for void. */
guint8 rsp_type_bits (const RspType *type);
gboolean rsp_type_is_signed (const RspType *type);

/* value converted to a type: modulo 2^bits; to bool (1 bit), value != 0. */
gint64 rsp_wrap (gint64 value, guint8 bits, gboolean is_signed);

/* The mathematical value, and the least and greatest one of a type. */
RspWide rsp_widen (gint64 value, guint8 bits, gboolean is_signed);
RspWide rsp_type_low (guint8 bits, gboolean is_signed);
RspWide rsp_type_high (guint8 bits, gboolean is_signed);

/* Labels for a switch over RspOperator without a default, so that the compiler reports a missing
 * operator: comparisons, and operators that are not functions of two values. */
#define RSP_CASES_OF_COMPARISONS                                                                   \
  case RSP_OP_EQ:                                                                                  \
  case RSP_OP_NE:                                                                                  \
  case RSP_OP_LT:                                                                                  \
  case RSP_OP_LE:                                                                                  \
  case RSP_OP_GT:                                                                                  \
  case RSP_OP_GE
#define RSP_CASES_WITHOUT_FOLDING                                                                  \
  case RSP_OP_NONE:                                                                                \
  case RSP_OP_LOGICAL_AND:                                                                         \
  case RSP_OP_LOGICAL_OR:                                                                          \
  case RSP_OP_COMMA:                                                                               \
  case RSP_OP_NEGATE:                                                                              \
  case RSP_OP_COMPLEMENT:                                                                          \
  case RSP_OP_LOGICAL_NOT:                                                                         \
  case RSP_OP_PLUS

static inline gboolean rsp_operator_is_comparison (RspOperator op) {
  return op >= RSP_OP_EQ && op <= RSP_OP_GE;
}

static inline gboolean rsp_operator_is_shift (RspOperator op) {
  return op == RSP_OP_SHL || op == RSP_OP_SHR;
}

static inline gboolean rsp_operator_is_commutative (RspOperator op) {
  return op == RSP_OP_ADD || op == RSP_OP_MUL || op == RSP_OP_AND || op == RSP_OP_OR
         || op == RSP_OP_XOR || op == RSP_OP_MIN || op == RSP_OP_MAX || op == RSP_OP_EQ
         || op == RSP_OP_NE;
}

/* Does the comparison hold of a and b? */
gboolean rsp_compare (RspOperator op, RspWide a, RspWide b);
/* RSP_OP_NEGATE or RSP_OP_COMPLEMENT of a value of the type. */
gint64 rsp_fold_unary (RspOperator op, gint64 a, guint8 bits, gboolean is_signed);

/* a op b where both have the type (a shift's amount has any). The result has the type too, except
 * for comparisons: 0 or 1. FALSE for a division by zero and for a shift outside 0 … bits - 1. */
gboolean rsp_fold_binary (RspOperator op, gint64 a, gint64 b, guint8 bits, gboolean is_signed,
                          gint64 *result);
