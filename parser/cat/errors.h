#pragma once

#include "parser/expected.h"
#include "parser/cat/build.h"
#include "parser/cat/tree.h"

/* expected: the display names of the tokens that the grammar would accept. */
void rsp_cat_syntax_error (CatParser *parser, TokenRange range, gboolean at_end, Expected expected);
void rsp_cat_too_deep (CatParser *parser, TokenRange range);
/* A hint for an undefined name that is, or resembles, a word that begins a statement. Newly
 * allocated, or NULL. */
char *rsp_cat_word_hint (const char *name);
