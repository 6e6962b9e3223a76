#pragma once

#include "parser/expected.h"
#include "parser/litmus/syntax.h"

/* Where a question begins as Dartagnan's may. */
#define LITMUS_FINAL_HINT                                                                             \
  "`final` is Dartagnan's: write `exists (…)` for what may happen, `forall (…)` for what always " \
  "does"

/* Reports a syntax error at range: what was found there, and which tokens were expected (given by
 * their names in the grammar). */
void litmus_syntax_error (LitmusParser *parser, TokenRange range, gboolean at_end,
                          Expected expected);
void litmus_too_deep (LitmusParser *parser, TokenRange range);
