#include "parser/dsom/errors.h"

enum {
  N_SHOWN = 6 /* limit of expected things in one message */
};

/* Operators that can continue an expression count as one thing. */
static const TokenGroup operators[] = {
  { { NULL },
    3,
    "an operator",
    { "+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "/\\",
      "\\/", "=>" } },
};

void dsom_syntax_error (DsomParser *parser, TokenRange range, gboolean at_end, Expected expected) {
  g_autofree char *text
      = g_strndup (parser->scan.source->text + range.begin, range.end - range.begin);
  g_autofree char *found = found_format (text, at_end);
  g_autofree char *instead = expected_format (expected, operators, 1, N_SHOWN);
  g_autofree char *hint = at_end ? NULL : expected_near (expected, text);
  rsp_error (parser->diagnostics, dsom_span (parser, range), hint, "found %s, expected %s", found,
             instead);
}
