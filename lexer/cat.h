#pragma once

#include "lexer/cat_tokens.h"
#include "lexer/scan.h"

/* ---- Cat ------------------------------------------------------------------------------------ */

/* The cat scanner's state, and how the parser starts it.
 *
 * A file has two sections: HEAD, its name and options, whose words are free; and BODY, statements.
 * Few words of cat are reserved everywhere. The others are keywords only where they can be one
 * (`variant` before a string, `from` after an operand), so that a model may use them as names. */

#include "lexer/cat_tokens.h"
#include "lexer/scan.h"

/* The value of a token, in addition to its kind. */
typedef struct CatToken {
  const char *text; /* of names, tags and strings; in the scan's arena */
} CatToken;

typedef struct CatScan {
  RspSource *source;
  RspDiagnostics *diagnostics;
  RspArena *arena;    /* of the strings in tokens */
  gpointer flex;      /* flex's own state */
  guint offset;       /* of the next byte to read */
  int section;        /* start condition to return to after a comment */
  gboolean named;     /* HEAD: the scan is past the name, or past where it could have been */
  int previous;       /* the last token */
  guint last_end;     /* where it ended */
  guint previous_end; /* of the token before: always 0, as no hint needs it */
  GArray *brackets;   /* of guint: offsets of the brackets that are open */
  GArray *comments;   /* of guint: offsets of the comments that are open */
} CatScan;

/* Prepares scan for source; both outlive it, as does arena. */
void rsp_cat_scan_begin (CatScan *scan, RspSource *source, RspArena *arena,
                         RspDiagnostics *diagnostics);
void rsp_cat_scan_end (CatScan *scan);

/* The beginning of the rest of a line of HEAD. */
typedef enum CatHead {
  CAT_HEAD_NAME,
  CAT_HEAD_OPTION,
  CAT_HEAD_STATEMENT, /* a keyword: here BODY begins */
  CAT_HEAD_NOTHING    /* none of these, which has been reported */
} CatHead;

/* The next token, at *range. The scan is the owner of `flex`. */
int rsp_cat_flex_lex (CatToken *token, TokenRange *range, gpointer flex);

/* ---- Cat words ------------------------------------------------------------------------------ */

RspSpan rsp_cat_scan_span (const CatScan *scan, TokenRange range);

/* The token of a word in BODY: a keyword's or NAME. */
int rsp_cat_scan_word (const CatScan *scan, TokenRange range);

/* TRUE if an axiom (`empty`, `acyclic`, …) follows the `~` or `!` that ends at offset. */
gboolean rsp_cat_scan_axiom_follows (const CatScan *scan, guint offset);

/* range is the rest of the line; its end becomes that of the name or option. */
CatHead rsp_cat_scan_head (const CatScan *scan, TokenRange *range);

/* Reports the character at offset, which begins no token. */
void rsp_cat_scan_invalid_character (const CatScan *scan, guint offset);
gboolean rsp_cat_scan_is_reserved (const char *word);

/* A hint: why the word does not begin a statement, or what was probably meant. NULL if unknown;
 * free with g_free. */
char *rsp_cat_scan_statement_hint (const char *word);
