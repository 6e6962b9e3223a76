/* The scanner of programs of commands (head DSOM). */
#ifndef RSP_LEXER_DSOM_H
#define RSP_LEXER_DSOM_H

#include "base/arena.h"
#include "base/diagnostic.h"

/* Bytes begin … end - 1 of the source. */
typedef struct DsomRange
{
  guint begin, end;
} DsomRange;

/* Kinds of tokens: a character stands for itself. */
typedef enum DsomTokenKind
{
  DSOM_TOKEN_EOF = 0,
  DSOM_TOKEN_ERROR = 256, /* reported already */
  DSOM_TOKEN_UNDEFINED,
#define TOKEN(name) DSOM_TOKEN_##name,
#include "lexer/dsom_tokens.def"
} DsomTokenKind;

/* What a token carries in addition to its kind. */
typedef union DsomToken
{
  const char *text; /* of names and strings; in the scan's arena */
  gint64 number;
} DsomToken;

typedef struct DsomScan
{
  RspSource *source;
  RspDiagnostics *diagnostics;
  RspArena *arena; /* of the strings in tokens */
  gpointer flex;   /* flex's own state */
  guint offset;    /* of the next byte to read */
} DsomScan;

/* Does the source begin with the head DSOM, after comments? */
gboolean rsp_dsom_scan_recognises (const RspSource *source);

/* Prepares scan for source; all outlive it. */
void rsp_dsom_scan_begin (DsomScan *scan, RspSource *source, RspArena *arena,
                          RspDiagnostics *diagnostics);
void rsp_dsom_scan_end (DsomScan *scan);

/* The next token, at *range. The scan is the owner of `flex`. */
int rsp_dsom_flex_lex (DsomToken *token, DsomRange *range, gpointer flex);

RspSpan rsp_dsom_scan_span (const DsomScan *scan, DsomRange range);

#endif
