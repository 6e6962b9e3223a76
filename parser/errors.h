/* Syntax errors of all languages: "found X, expected A, B or C", with a hint at the likely mistake.
 * A language has rows of words; what its own parser knows is a function of the rows. */
#pragma once

#include "lexer/scan.h"

/* The names of tokens as the grammar has them: `'+'`, `if`, `a name`. */
typedef struct Expected {
  const char *const *names;
  guint n;
} Expected;

gboolean expects (Expected expected, const char *name);

/* Tokens for which a message has one phrase (NULL: nothing). It takes the place of all members if
 * both keys are expected (one, if the other is NULL), and at least so many members. */
typedef struct TokenGroup {
  const char *keys[2];
  guint least;
  const char *phrase;
  const char *members[28]; /* without quotes: `+` */
  const char *after;       /* only after this text; NULL: anywhere */
  gboolean alone;          /* only if nothing else is expected */
} TokenGroup;

/* A common mistake: this word where the other one was expected (NULL: anywhere). */
typedef struct SyntaxSlip {
  const char *found; /* or the word before that */
  const char *expected;
  const char *hint;
  const char *construct; /* what the word begins, which the language does not have; NULL: none */
} SyntaxSlip;

typedef struct SyntaxError {
  RspSource *source;
  TokenRange range;
  gboolean at_end;    /* found the end of the text */
  guint previous_end; /* of the token before; 0: unknown */
  Expected expected;
  const char *found, *word_before; /* texts, which syntax_error finds */
} SyntaxError;

typedef struct SyntaxLanguage {
  const char *texts;        /* "kernels" */
  const char *const *never; /* what the grammar expects but the texts cannot have, or NULL */
  const TokenGroup *groups; /* tried in order */
  guint n_groups;
  const SyntaxSlip *slips;
  guint n_slips;
  const char *const *sections; /* words that begin a part of the text, NULL-terminated; or NULL */
  guint most;                  /* of what was expected is listed; 0: all */
  gboolean all_or_nothing;     /* nothing is listed if there is more */
  /* The language's own hints, newly allocated or NULL: before the others, and after them. */
  char *(*guess_first) (gconstpointer parser, const SyntaxError *error);
  char *(*guess_last) (gconstpointer parser, const SyntaxError *error);
} SyntaxLanguage;

/* Reports the error. whole: what may have ended ("file"). */
void syntax_error (const SyntaxLanguage *language, gconstpointer parser,
                   RspDiagnostics *diagnostics, const char *whole, SyntaxError error);

/* In a grammar, its yyreport_syntax_error. `hidden`: a symbol that no message names; `scan`: the
 * scanner's state, in terms of `parser`. */
#define REPORT_SYNTAX_ERROR(Parser, hidden, language, scan, whole)                                 \
  static int yyreport_syntax_error (const yypcontext_t *context, Parser *parser) {                 \
    yysymbol_kind_t kinds[YYNTOKENS];                                                              \
    const char *names[YYNTOKENS];                                                                  \
    int n_kinds = yypcontext_expected_tokens (context, kinds, YYNTOKENS);                          \
    gboolean at_end = yypcontext_token (context) == YYSYMBOL_YYEOF;                                \
    TokenRange end = { (scan).last_end, (scan).last_end };                                         \
    SyntaxError error = { .source = (scan).source,                                                 \
                          .range = at_end ? end : *yypcontext_location (context),                  \
                          .at_end = at_end,                                                        \
                          .previous_end = (scan).previous_end,                                     \
                          .expected = { names, 0 } };                                              \
    for (int i = 0; i < n_kinds; i++)                                                              \
      if (kinds[i] != (hidden))                                                                    \
        names[error.expected.n++] = yysymbol_name (kinds[i]);                                      \
    syntax_error (language, parser, (scan).diagnostics, whole, error);                             \
    return 0;                                                                                      \
  }
