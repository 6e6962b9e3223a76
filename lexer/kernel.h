/* The scanner of kernels: OpenCL C after its preprocessor. Attributes and pragmas are skipped.
 * Ranges, numbers and errors are those of lexer/litmus.h. */
#pragma once

#include "lexer/kernel_tokens.h"
#include "lexer/litmus.h"

#include "lexer/kernel_tokens.h"
#include "lexer/litmus.h"

/* Prepares scan for the bytes of a span; its source outlives the scan. */
void rsp_kernel_scan_begin (LitmusScan *scan, RspSpan span, RspArena *arena,
                            RspDiagnostics *diagnostics);
void rsp_kernel_scan_end (LitmusScan *scan);

/* The next token, at *range. A FLOAT has its bits as number; the scan is the owner of `flex`. */
int rsp_kernel_flex_lex (LitmusToken *token, TokenRange *range, gpointer flex);
