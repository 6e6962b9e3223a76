/* What the scanners and grammars of all languages have in common. The kinds of tokens are those of
 * a language's grammar: the build makes `lexer/LANGUAGE_tokens.h` from it; a character stands for
 * itself. */
#pragma once

#include "base/base.h"

#include "base/base.h"
#include "base/base.h"

enum {
  TOKEN_EOF = 0,
  TOKEN_ERROR = 256 /* reported already: bison's YYerror */
};

/* Bytes begin … end - 1 of the source. */
typedef struct TokenRange {
  guint begin, end;
} TokenRange;

/* The state of a scanner without sections. */
typedef struct TokenScan {
  RspSource *source;
  RspDiagnostics *diagnostics;
  RspArena *arena;              /* of the strings in tokens */
  gpointer flex;                /* flex's own state */
  guint offset;                 /* of the next byte to read */
  guint previous_end, last_end; /* of the last two tokens */
} TokenScan;

/* Notes where a token is. */
static inline void rsp_scan_token (TokenScan *scan, int kind, TokenRange range) {
  if (kind == TOKEN_EOF)
    return;
  scan->previous_end = scan->last_end;
  scan->last_end = range.end;
}

RspSpan rsp_scan_span (const TokenScan *scan, TokenRange range);

/* The text of range, in the scan's arena. */
const char *rsp_scan_text (const TokenScan *scan, TokenRange range);

/* Reports message; returns TOKEN_ERROR. */
int rsp_scan_error (const TokenScan *scan, TokenRange range, const char *message);

/* For a scanner's YY_USER_ACTION: a token's range begins where the one before it ended. */
#define NEXT_RANGE                                                                                 \
  yylloc->begin = yyextra->offset;                                                                 \
  yyextra->offset += (guint) yyleng;                                                               \
  yylloc->end = yyextra->offset;

/* For a grammar's YYLLOC_DEFAULT: from the start of the first part to the end of the last. */
#define RANGE_OF_PARTS(current, rhs, n)                                                            \
  do {                                                                                             \
    (current).begin = (n) ? YYRHSLOC (rhs, 1).begin : YYRHSLOC (rhs, 0).end;                       \
    (current).end = YYRHSLOC (rhs, n).end;                                                         \
  } while (0)

/* The same, but from the first part that is not empty (an axiom's role may be). */
#define RANGE_OF_TEXT(current, rhs, n)                                                             \
  do {                                                                                             \
    int first_ = 1;                                                                                \
    while (first_ < (n) && YYRHSLOC (rhs, first_).begin == YYRHSLOC (rhs, first_).end)             \
      first_++;                                                                                    \
    (current).begin = (n) ? YYRHSLOC (rhs, first_).begin : YYRHSLOC (rhs, 0).end;                  \
    (current).end = YYRHSLOC (rhs, n).end;                                                         \
  } while (0)
