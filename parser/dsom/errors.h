/* Syntax errors in programs of commands. */
#pragma once

#include "parser/expected.h"
#include "parser/dsom/build.h"

/* Reports "found X, expected A, B or C", with a hint if X is nearly one of them. expected are
 * bison's names. */
void dsom_syntax_error (DsomParser *parser, TokenRange range, gboolean at_end, Expected expected);
