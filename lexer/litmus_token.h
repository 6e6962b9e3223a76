#pragma once

#include "lexer/litmus.h"

/* Every token goes through here, so that the parser knows where the one before it ended. */
int litmus_token (LitmusScan *scan, int kind);
/* Reads a number of C (decimal, hexadecimal, octal, binary; suffixes): a token of that kind, or
 * TOKEN_ERROR, with an error, if it is malformed or too large. */
int litmus_number_token (LitmusScan *scan, TokenRange range, LitmusNumber *number, int kind);
/* Reads a character literal, quotes included. FALSE with an error. */
gboolean litmus_scan_character (LitmusScan *scan, TokenRange range, LitmusNumber *number);
/* Reports the character at offset, which begins no token. */
void litmus_scan_invalid_character (LitmusScan *scan, guint offset);
/* Reports a comment that is never closed. */
void litmus_scan_open_comment (LitmusScan *scan);
RspSpan litmus_scan_span (const LitmusScan *scan, TokenRange range);
