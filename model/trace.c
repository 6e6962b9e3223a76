#include "model/trace.h"

/* The spelling of an operator and its precedence in cat, loosest first. */
typedef struct Spelling
{
  const char *before, *between, *after;
  guint binding;
} Spelling;

enum
{
  BIND_PREFIX = 7,
  BIND_ATOM = 9
};

static Spelling
spelling_of (RspTraceOp op)
{
  switch (op)
    {
    case RSP_TRACE_UNION:
      return (Spelling){ "", " | ", "", 1 };
    case RSP_TRACE_SEQUENCE:
      return (Spelling){ "", " ; ", "", 2 };
    case RSP_TRACE_DIFFERENCE:
      return (Spelling){ "", " \\ ", "", 3 };
    case RSP_TRACE_INTERSECTION:
      return (Spelling){ "", " & ", "", 4 };
    case RSP_TRACE_PRODUCT:
      return (Spelling){ "", " * ", "", 5 };
    case RSP_TRACE_COMPLEMENT:
      return (Spelling){ "~", "", "", BIND_PREFIX };
    case RSP_TRACE_INVERSE:
      return (Spelling){ "", "", "^-1", 6 };
    case RSP_TRACE_CLOSURE:
      return (Spelling){ "", "", "+", 6 };
    case RSP_TRACE_STAR:
      return (Spelling){ "", "", "*", 6 };
    case RSP_TRACE_OPTION:
      return (Spelling){ "", "", "?", 6 };
    case RSP_TRACE_IDENTITY:
      return (Spelling){ "[", "", "]", BIND_ATOM };
    case RSP_TRACE_DOMAIN:
      return (Spelling){ "domain(", "", ")", BIND_ATOM };
    case RSP_TRACE_RANGE:
      return (Spelling){ "range(", "", ")", BIND_ATOM };
    default:
      return (Spelling){ "", "", "", BIND_ATOM };
    }
}

static guint
binding_of (const RspTraceTerm *term)
{
  return term->name ? BIND_ATOM : spelling_of (term->op).binding;
}

static void
format_operand (const RspTraceTerm *operand, guint least, GString *out)
{
  gboolean loose = binding_of (operand) < least;
  g_string_append (out, loose ? "(" : "");
  rsp_trace_term_format (operand, out);
  g_string_append (out, loose ? ")" : "");
}

void
rsp_trace_term_format (const RspTraceTerm *term, GString *out)
{
  Spelling spelling = spelling_of (term->op);
  guint arity = rsp_trace_op_arity (term->op);
  if (term->name || arity == 0)
    {
      g_string_append (out, term->name ? term->name : term->is_set ? "a set" : "a relation");
      return;
    }
  gboolean encloses = spelling.binding == BIND_ATOM;
  g_string_append (out, spelling.before);
  format_operand (term->operands[0], encloses ? 0 : spelling.binding, out);
  g_string_append (out, spelling.between);
  if (arity == 2)
    format_operand (term->operands[1], spelling.binding + (term->op == RSP_TRACE_DIFFERENCE), out);
  g_string_append (out, spelling.after);
}
