/* The cat scanner's state, and how the parser starts it.
 *
 * A file has two sections: HEAD, its name and options, whose words are free; and BODY, statements.
 * Few words of cat are reserved everywhere. The others are keywords only where they can be one
 * (`variant` before a string, `from` after an operand), so that a model may use them as names. */
#ifndef RSP_CAT_SCAN_H
#define RSP_CAT_SCAN_H

#include "base/arena.h"
#include "base/diagnostic.h"

/* Bytes begin … end - 1 of the source. */
typedef struct CatRange
{
  guint begin, end;
} CatRange;

typedef struct CatScan
{
  RspSource *source;
  RspDiagnostics *diagnostics;
  RspArena *arena;  /* of the strings in tokens */
  gpointer flex;    /* flex's own state */
  guint offset;     /* of the next byte to read */
  int section;      /* start condition to return to after a comment */
  gboolean named;   /* HEAD: the name, or where it could have been, is past */
  int previous;     /* the last token */
  guint last_end;   /* where it ended */
  GArray *brackets; /* of guint: offsets of the brackets that are open */
  GArray *comments; /* of guint: offsets of the comments that are open */
} CatScan;

/* Prepares scan for source; both outlive it, as does arena. */
void cat_scan_begin (CatScan *scan, RspSource *source, RspArena *arena,
                     RspDiagnostics *diagnostics);
void cat_scan_end (CatScan *scan);

RspSpan cat_scan_span (const CatScan *scan, CatRange range);

/* ---- cat_words.c: which word is a keyword, and what a stray character may have meant ---- */

/* The token of a word of BODY: a keyword's, or that of a name. */
int cat_scan_word (const CatScan *scan, CatRange range);
/* Does a check (`empty`, `acyclic`, …) follow the `~` or `!` that ends at offset? */
gboolean cat_scan_negates_check (const CatScan *scan, guint offset);

/* What the rest of a line of HEAD begins with. */
typedef enum CatHead
{
  CAT_HEAD_NAME,
  CAT_HEAD_OPTION,
  CAT_HEAD_STATEMENT, /* a keyword: here BODY begins */
  CAT_HEAD_NOTHING    /* none of these: reported */
} CatHead;

/* range is the rest of the line; its end becomes that of the name or option. */
CatHead cat_scan_head (const CatScan *scan, CatRange *range);

/* Reports the character at offset, which begins no token. */
void cat_scan_bad_character (const CatScan *scan, guint offset);
gboolean cat_scan_is_reserved (const char *word);
/* Why the word is no statement, or what it may have meant. NULL when nobody can tell; free with
 * g_free. */
char *cat_scan_statement_hint (const char *word);

#endif
