/* The scanner of programs of commands (head DSOM). */
#pragma once

#include "extra/dsom/scanner_tokens.h"
#include "lexer/scan.h"

#include "extra/dsom/scanner_tokens.h"
#include "lexer/scan.h"

/* The value of a token, besides its kind. */
typedef union DsomToken {
  const char *text; /* of names and strings; in the scan's arena */
  gint64 number;
} DsomToken;

/* Does the source begin with the head DSOM, after comments? */
gboolean rsp_dsom_scan_recognises (const RspSource *source);

/* Prepares scan for source; all outlive it. */
void rsp_dsom_scan_begin (TokenScan *scan, RspSource *source, RspArena *arena,
                          RspDiagnostics *diagnostics);
void rsp_dsom_scan_end (TokenScan *scan);

/* The next token, at *range. The scan is the owner of `flex`. */
int rsp_dsom_flex_lex (DsomToken *token, TokenRange *range, gpointer flex);
