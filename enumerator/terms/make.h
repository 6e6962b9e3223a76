/* Terms as they are written: nothing is simplified but sums with a constant. And what they look
 * like. */
#pragma once

#include "enumerator/terms/term.h"

/* Of operands of one type; a comparison is an int, other operators have a's type. */
const RspTerm *term_make (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b);
const RspTerm *term_make_unary (RspTerms *terms, RspOperator op, const RspTerm *a);

/* A constant of the type of `like`; the int 0 or 1. */
const RspTerm *constant_like (RspTerms *terms, const RspTerm *like, gint64 value);
const RspTerm *truth_constant (RspTerms *terms, gboolean value);

/* term = base + offset; base is NULL for a constant. */
const RspTerm *rsp_term_split (const RspTerm *term, gint64 *offset);
const RspTerm *term_plus (RspTerms *terms, const RspTerm *base, gint64 offset);

static inline gboolean is_constant (const RspTerm *term, gint64 value) {
  return term->kind == RSP_TERM_CONSTANT && term->constant == value;
}

static inline gboolean is_binary (const RspTerm *term, RspOperator op) {
  return term->kind == RSP_TERM_BINARY && term->op == op;
}

static inline gboolean is_unary (const RspTerm *term, RspOperator op) {
  return term->kind == RSP_TERM_UNARY && term->op == op;
}
