#pragma once

#include "lexer/cat.h"

RspSpan rsp_cat_scan_span (const CatScan *scan, TokenRange range);

/* The token of a word in BODY: a keyword's or NAME. */
int rsp_cat_scan_word (const CatScan *scan, TokenRange range);
/* Does an axiom (`empty`, `acyclic`, …) follow the `~` or `!` that ends at offset? */
gboolean rsp_cat_scan_axiom_follows (const CatScan *scan, guint offset);

/* range is the rest of the line; its end becomes that of the name or option. */
CatHead rsp_cat_scan_head (const CatScan *scan, TokenRange *range);

/* Reports the character at offset, which begins no token. */
void rsp_cat_scan_invalid_character (const CatScan *scan, guint offset);
gboolean rsp_cat_scan_is_reserved (const char *word);
/* A hint: why the word does not begin a statement, or what was probably meant. NULL if unknown;
 * free with g_free. */
char *rsp_cat_scan_statement_hint (const char *word);
