#pragma once

#include "parser/columns/syntax.h"

/* Values are addresses by their bits, not by a type. FALSE, with an error, if the number is in the
 * range of addresses. */
gboolean columns_check_number (ColumnsParser *parser, TokenRange range, LitmusNumber number);
/* values: none for 0 */
LitmusInit *columns_add_init (ColumnsParser *parser, TokenRange range, LitmusPlace *place,
                              LitmusList values);
/* proxy: NULL if none is given; aliases: the word between the two names. */
void columns_add_alias (ColumnsParser *parser, TokenRange range, const char *name,
                        const char *proxy, TokenRange proxy_range, const char *aliases,
                        TokenRange aliases_range, const char *target, TokenRange target_range);
void columns_add_pair (ColumnsParser *parser, TokenRange range, const char *word, LitmusPlace *from,
                       LitmusPlace *to);
ColumnsHead *columns_head (ColumnsParser *parser, TokenRange range, const char *name,
                           LitmusList positions);
ColumnsCell *columns_cell (ColumnsParser *parser, TokenRange range, const char *word,
                           TokenRange word_range, LitmusList operands);
void columns_add_row (ColumnsParser *parser, TokenRange range, TokenRange cells_range,
                      LitmusList cells);
/* Only =, != and < remain: a > b is b < a, and a <= b is the negation of b < a. */
LitmusProp *columns_atom (ColumnsParser *parser, TokenRange range, RspOperator op,
                          LitmusPlace *left, LitmusPlace *right);
