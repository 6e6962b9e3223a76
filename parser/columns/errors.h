#pragma once

#include "parser/expected.h"
#include "parser/columns/syntax.h"

/* Reports a syntax error at range: what was found there, and which tokens were expected (given by
 * their names in the grammar). */
void columns_syntax_error (ColumnsParser *parser, TokenRange range, gboolean at_end,
                           Expected expected);
