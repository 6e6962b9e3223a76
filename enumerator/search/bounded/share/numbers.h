#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_NUMBERS_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_NUMBERS_H

#include "enumerator/search/bounded/searcher.h"

/* Values as small numbers, in the order in which searchers meet them; any thread may ask. */
typedef struct Numbers Numbers;
Numbers *numbers_new (void);
void numbers_free (Numbers *numbers);

/* A searcher's copy of what it has seen of shared->numbers. */
void numbers_open (Searcher *s);
void numbers_close (Searcher *s);
guint32 rsp_number_of (Searcher *s, RspValue value);
const RspValue *rsp_numbered_value (Searcher *s, guint32 number);

#endif
