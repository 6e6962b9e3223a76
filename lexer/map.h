/* The scanner of mappings. */
#pragma once

#include "lexer/map_tokens.h"
#include "lexer/scan.h"

#include "lexer/map_tokens.h"
#include "lexer/scan.h"

/* The value of a token, in addition to its kind. */
typedef struct MapToken {
  const char *text; /* of words and strings; in the scan's arena */
} MapToken;

/* Prepares scan for source; all outlive it. */
void rsp_map_scan_begin (TokenScan *scan, RspSource *source, RspArena *arena,
                         RspDiagnostics *diagnostics);
void rsp_map_scan_end (TokenScan *scan);

/* The next token, at *range. The scan is the owner of `flex`. */
int rsp_map_flex_lex (MapToken *token, TokenRange *range, gpointer flex);
