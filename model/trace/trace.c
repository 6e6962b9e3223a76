#include "model/trace/trace.h"

enum { BIND_ATOM = 9 };

static guint binding_of (const RspTraceTerm *term) {
  return term->name ? BIND_ATOM : rsp_trace_spellings[term->op].binding;
}

static void format_operand (const RspTraceTerm *operand, guint least, GString *out) {
  gboolean loose = binding_of (operand) < least;
  g_string_append (out, loose ? "(" : "");
  rsp_trace_term_format (operand, out);
  g_string_append (out, loose ? ")" : "");
}

void rsp_trace_term_format (const RspTraceTerm *term, GString *out) {
  const RspTraceSpelling *spelling = &rsp_trace_spellings[term->op];
  if (term->name || spelling->arity == 0) {
    g_string_append (out, term->name ? term->name : term->is_set ? "a set" : "a relation");
    return;
  }
  gboolean encloses = spelling->binding == BIND_ATOM;
  g_string_append (out, spelling->before);
  format_operand (term->operands[0], encloses ? 0 : spelling->binding, out);
  g_string_append (out, spelling->between);
  if (spelling->arity == 2)
    format_operand (term->operands[1], spelling->binding + (term->op == RSP_TRACE_DIFFERENCE), out);
  g_string_append (out, spelling->after);
}
