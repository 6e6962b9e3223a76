/* The scanner of tests whose threads are columns (PTX, Vulkan, AMDGPU). Up to the initial state it
 * distinguishes
 *
 *   HEAD  PTX NAME           one line
 *   META  free text          up to the first `{`
 *   TABLE initial state and threads, in which `||` is two bars with an empty cell between them
 *   TEXT  the question, from its first keyword
 *
 * Ranges, numbers and errors are those of lexer/c.h. */
#pragma once

#include "lexer/c.h"

/* Does the source's first word (after comments) begin a line `WORD NAME`? Any case; the words end
 * with NULL. Returns its index, or -1. */
int rsp_columns_scan_recognises (const RspSource *source, const char *const *words);

/* Prepares scan for the bytes of a span, whose source outlives it: a test, or a condition on its
 * own (`exists (x=1)`). */
void rsp_columns_scan_begin (LitmusScan *scan, CStart start, RspSpan span, RspArena *arena,
                             RspDiagnostics *diagnostics);
void rsp_columns_scan_end (LitmusScan *scan);

/* The next token, at *range. The scan is the owner of `flex`. */
int rsp_columns_flex_lex (LitmusToken *token, TokenRange *range, gpointer flex);
