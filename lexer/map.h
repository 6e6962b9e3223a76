/* The scanner of mappings. */
#ifndef RSP_LEXER_MAP_H
#define RSP_LEXER_MAP_H

#include "base/arena.h"
#include "base/diagnostic.h"

/* Bytes begin … end - 1 of the source. */
typedef struct MapRange
{
  guint begin, end;
} MapRange;

/* Kinds of tokens: a character stands for itself. */
typedef enum MapTokenKind
{
  MAP_TOKEN_EOF = 0,
  MAP_TOKEN_ERROR = 256, /* reported already */
  MAP_TOKEN_UNDEFINED,
#define TOKEN(name) MAP_TOKEN_##name,
#include "lexer/map_tokens.def"
} MapTokenKind;

/* What a token carries in addition to its kind. */
typedef struct MapToken
{
  const char *text; /* of words and strings; in the scan's arena */
} MapToken;

typedef struct MapScan
{
  RspSource *source;
  RspDiagnostics *diagnostics;
  RspArena *arena; /* of the strings in tokens */
  gpointer flex;   /* flex's own state */
  guint offset;    /* of the next byte to read */
} MapScan;

/* Prepares scan for source; all outlive it. */
void rsp_map_scan_begin (MapScan *scan, RspSource *source, RspArena *arena,
                         RspDiagnostics *diagnostics);
void rsp_map_scan_end (MapScan *scan);

/* The next token, at *range. The scan is the owner of `flex`. */
int rsp_map_flex_lex (MapToken *token, MapRange *range, gpointer flex);

RspSpan rsp_map_scan_span (const MapScan *scan, MapRange range);

#endif
