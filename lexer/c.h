#pragma once

#include "lexer/c_tokens.h"
#include "lexer/scan.h"

/* ---- Scan ----------------------------------------------------------------------------------- */

/* The scanner of C: tests with their frame, and kernels after their preprocessor, in which
 * attributes and pragmas are skipped.
 *
 * A test changes its lexical rules from section to section, and the scanner alone distinguishes the
 * sections, by their braces:
 *
 *   HEAD    OpenCL NAME        one line
 *   META    "doc", key=value   up to the first `{`
 *   INIT    { x=0; }           up to its `}`
 *   OUTER   P0 (…)             thread heads, scope tree, condition; a `{` opens a body
 *   BODY    { … }              C; `(*` is not a comment
 *   UNIT    a kernel's file    C, with what tests leave out
 *
 * What a text is, and where its grammar starts: */
typedef enum CStart {
  C_TEST,
  C_QUESTION,  /* a condition on its own: `exists (x=1)` */
  C_END,       /* the end of a test, which follows its threads */
  C_UNIT,      /* a kernel's file */
  C_ASSERTION, /* of a kernel, on its own */
} CStart;

/* A number as written, with the integer type that C gives it. */
typedef struct LitmusNumber {
  gint64 value;
  guint8 bits;
  gboolean is_signed;
} LitmusNumber;

/* The value of a token, in addition to its kind. */
typedef struct LitmusToken {
  const char *name;    /* of words; of strings as written between the quotes; in the scan's arena */
  LitmusNumber number; /* NUMBER; of a FLOAT its bits */
  gboolean is_c;       /* DIALECT: a C test, not an OpenCL test */
  char operator;       /* COMPOUND: the operator's character; '<' and '>' for shifts */
} LitmusToken;

typedef struct LitmusScan {
  RspSource *source;
  RspDiagnostics *diagnostics;
  RspArena *arena;                        /* of the strings in tokens */
  gboolean (*is_type) (const char *word); /* of tests: does the word name a type? NULL: none does */
  gpointer flex;                          /* flex's own state */
  guint offset;                           /* of the next byte to read */
  int section;                            /* start condition to return to after a comment */
  const char *hash;                       /* of a line `Hash=…`; NULL: none */
  gboolean is_c;                          /* a C test: fewer words are OpenCL's */
  guint depth;                            /* open braces inside INIT or BODY */
  guint comment_depth;                    /* open (* inside a comment */
  guint opening;                          /* offset of the comment's opening */
  guint brace;                            /* offset of the `{` that opened INIT or BODY */
  guint stray;        /* in a body: offset of what seems to belong after it; 0: none */
  guint previous_end; /* end of the token before the last one */
  guint last_end;     /* end of the last token */
} LitmusScan;

/* Prepares scan for the bytes of a span, whose source outlives it. The caller sets is_type
 * afterwards. */
void rsp_c_scan_begin (LitmusScan *scan, CStart start, RspSpan span, RspArena *arena,
                       RspDiagnostics *diagnostics);
void rsp_c_scan_end (LitmusScan *scan);

/* Is the scanner between the braces of the initial state or of a thread's body? */
gboolean rsp_c_scan_in_initial (const LitmusScan *scan);
gboolean rsp_c_scan_in_body (const LitmusScan *scan);

/* The next token, at *range. The scan is the owner of `flex`. */
int rsp_c_flex_lex (LitmusToken *token, TokenRange *range, gpointer flex);

/* ---- Litmus token --------------------------------------------------------------------------- */

/* Every token goes through here, so that the parser knows where the one before it ended. */
int litmus_token (LitmusScan *scan, int kind);

/* Reads a number of C (decimal, hexadecimal, octal, binary; suffixes): a token of that kind, or
 * TOKEN_ERROR, with an error, if it is malformed or too large. */
int litmus_number_token (LitmusScan *scan, TokenRange range, LitmusNumber *number, int kind);

/* Reads a character literal, quotes included. FALSE with an error. */
gboolean litmus_scan_character (LitmusScan *scan, TokenRange range, LitmusNumber *number);

/* The characters of string literals as written, newly allocated; there are quotes between adjacent
 * ones. */
GString *rsp_litmus_characters (const char *text);

/* Reports the character at offset, which begins no token. */
void litmus_scan_invalid_character (LitmusScan *scan, guint offset);

/* Reports a comment that is never closed. */
void litmus_scan_open_comment (LitmusScan *scan);
RspSpan litmus_scan_span (const LitmusScan *scan, TokenRange range);
