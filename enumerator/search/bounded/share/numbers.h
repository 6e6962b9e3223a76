#pragma once

#include "enumerator/search/bounded/searcher.h"

/* Values as small numbers, in the order in which searchers meet them. Any thread may call. */
typedef struct Numbers Numbers;
Numbers *numbers_new (void);
void numbers_free (Numbers *numbers);

/* A searcher's copy of the part of shared->numbers that it has seen. */
void numbers_open (Searcher *s);
void numbers_close (Searcher *s);
guint32 rsp_number_of (Searcher *s, RspValue value);
/* How many there are: all numbers are less. */
guint32 rsp_count_numbers (Searcher *s);
const RspValue *rsp_numbered_value (Searcher *s, guint32 number);
