#include "tests/unit/term_text.h"

static const char *operator_text (RspOperator op) {
  static const char *const texts[] = {
    [RSP_OP_ADD] = "+",    [RSP_OP_SUB] = "-",        [RSP_OP_MUL] = "*",   [RSP_OP_DIV] = "/",
    [RSP_OP_MOD] = "%",    [RSP_OP_SHL] = "<<",       [RSP_OP_SHR] = ">>",  [RSP_OP_AND] = "&",
    [RSP_OP_OR] = "|",     [RSP_OP_XOR] = "^",        [RSP_OP_MIN] = "min", [RSP_OP_MAX] = "max",
    [RSP_OP_EQ] = "==",    [RSP_OP_NE] = "!=",        [RSP_OP_LT] = "<",    [RSP_OP_LE] = "<=",
    [RSP_OP_NEGATE] = "-", [RSP_OP_COMPLEMENT] = "~",
  };
  const char *text = (guint) op < G_N_ELEMENTS (texts) ? texts[op] : NULL;
  return text ? text : "?";
}

void term_format (const RspTerm *term, GString *out) {
  switch (term->kind) {
  case RSP_TERM_CONSTANT:
    g_string_append_printf (out, "%" G_GINT64_FORMAT, term->constant);
    break;
  case RSP_TERM_READ:
    g_string_append_printf (out, "r%u", term->event);
    break;
  case RSP_TERM_UNARY:
    g_string_append (out, operator_text (term->op));
    term_format (term->a, out);
    break;
  case RSP_TERM_CAST:
    g_string_append_printf (out, "(%c%u) ", term->is_signed ? 's' : 'u', term->bits);
    term_format (term->a, out);
    break;
  case RSP_TERM_BINARY:
    g_string_append_c (out, '(');
    term_format (term->a, out);
    g_string_append_printf (out, " %s ", operator_text (term->op));
    term_format (term->b, out);
    g_string_append_c (out, ')');
    break;
  }
}
