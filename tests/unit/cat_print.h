/* Cat trees in one line of fully bracketed text, for tests to compare. */
#pragma once

#include "parser/cat/cat.h"

void cat_print_expr (const RspCatExpr *expr, GString *out);
void cat_print_statements (const RspCatStatement *statement, GString *out);
