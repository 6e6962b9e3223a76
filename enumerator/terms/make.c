#include "enumerator/terms/make.h"

const RspTerm *term_make (RspTerms *terms, RspOperator op, const RspTerm *a, const RspTerm *b) {
  gboolean compares = rsp_operator_is_comparison (op);
  RspTerm key = { .kind = RSP_TERM_BINARY,
                  .op = op,
                  .bits = compares ? 32 : a->bits,
                  .is_signed = compares || a->is_signed,
                  .a = a,
                  .b = b };
  return rsp_term_intern (terms, &key);
}

const RspTerm *term_make_unary (RspTerms *terms, RspOperator op, const RspTerm *a) {
  RspTerm key
      = { .kind = RSP_TERM_UNARY, .op = op, .bits = a->bits, .is_signed = a->is_signed, .a = a };
  return rsp_term_intern (terms, &key);
}

const RspTerm *constant_like (RspTerms *terms, const RspTerm *like, gint64 value) {
  return rsp_term_constant (terms, value, like->bits, like->is_signed);
}

const RspTerm *truth_constant (RspTerms *terms, gboolean value) {
  return rsp_term_constant (terms, value, 32, TRUE);
}

const RspTerm *rsp_term_split (const RspTerm *term, gint64 *offset) {
  *offset = 0;
  if (term->kind == RSP_TERM_CONSTANT) {
    *offset = term->constant;
    return NULL;
  }
  if (!is_binary (term, RSP_OP_ADD) || term->b->kind != RSP_TERM_CONSTANT)
    return term;
  *offset = term->b->constant;
  return term->a;
}

const RspTerm *term_plus (RspTerms *terms, const RspTerm *base, gint64 offset) {
  gint64 more;
  const RspTerm *inner = rsp_term_split (base, &more);
  const RspTerm *sum = constant_like (terms, base, (gint64) ((guint64) offset + (guint64) more));
  if (!inner)
    return sum;
  return sum->constant == 0 ? inner : term_make (terms, RSP_OP_ADD, inner, sum);
}
