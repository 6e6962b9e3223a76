#pragma once

#include <glib.h>

#include "parser/program.h"

/* ---- Contradiction -------------------------------------------------------------------------- */

/* Is there no choice of values under which the proposition holds, whatever the program? FALSE also
 * if that is too hard to tell. */
gboolean prop_is_contradiction (const RspProgram *program, const RspProp *prop);

/* ---- Expected ------------------------------------------------------------------------------- */

/* What a grammar expects, in words: shared by the syntax errors of all languages. */

/* Tokens for which a message has one phrase. It takes the place of all members if both keys are
 * expected (one, if the other is NULL), and at least so many members. */
typedef struct TokenGroup {
  const char *keys[2];
  guint least;
  const char *phrase;
  const char *members[28]; /* as `signs` would be: without quotes */
} TokenGroup;

/* The names of tokens as the grammar has them: `'+'`, `if`, `a name`. */
typedef struct Expected {
  const char *const *names;
  guint n;
} Expected;

gboolean expects (Expected expected, const char *name);

/* "an operator, `)` or a name": at most so many (0: all). Newly allocated. */
char *expected_format (Expected expected, const TokenGroup *groups, guint n_groups, guint most);

/* A keyword of which `found` may be a misspelling, as a hint; newly allocated, or NULL. */
char *expected_near (Expected expected, const char *found);

/* The token that was found: "`x`", "the end of the file". Newly allocated. */
char *found_format (const char *text, gboolean at_end);

/* In a grammar, its yyreport_syntax_error: hands what was found and expected to `report`. `hidden`:
 * a symbol that no message names. */
#define REPORT_SYNTAX_ERROR(Parser, hidden, report)                                                \
  static int yyreport_syntax_error (const yypcontext_t *context, Parser *parser) {                 \
    yysymbol_kind_t kinds[YYNTOKENS];                                                              \
    const char *names[YYNTOKENS];                                                                  \
    int n_kinds = yypcontext_expected_tokens (context, kinds, YYNTOKENS);                          \
    Expected expected = { names, 0 };                                                              \
    for (int i = 0; i < n_kinds; i++)                                                              \
      if (kinds[i] != (hidden))                                                                    \
        names[expected.n++] = yysymbol_name (kinds[i]);                                            \
    report (parser, *yypcontext_location (context), yypcontext_token (context) == YYSYMBOL_YYEOF,  \
            expected);                                                                             \
    return 0;                                                                                      \
  }
