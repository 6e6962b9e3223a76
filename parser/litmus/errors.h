#ifndef RSP_PARSER_LITMUS_ERRORS_H
#define RSP_PARSER_LITMUS_ERRORS_H

#include "parser/litmus/syntax.h"

/* Reports a syntax error at range: what was found there, and which tokens were expected (given by
 * their names in the grammar). */
void litmus_syntax_error (LitmusParser *parser, LitmusRange range, gboolean at_end,
                          const char *const *expected, guint n_expected);
void litmus_too_deep (LitmusParser *parser, LitmusRange range);

#endif
