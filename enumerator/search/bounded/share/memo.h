#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_MEMO_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_MEMO_H

#include "base/hash.h"
#include "enumerator/search/bounded/searcher.h"
#include "enumerator/search/bounded/values/observe.h"

/* Residual problems that were solved before, by their keys (key.h). */
typedef struct Memo Memo;
Memo *memo_new (gsize max_size);
void memo_free (Memo *memo);
/* Is there room in it, and is enough found there? */
gboolean memo_pays (Memo *memo);

/* In the memo that the searcher shares: the results of a node, of which the caller owns a reference, or
 * NULL. Any thread may ask and store. */
RspResults *memo_find (Searcher *s, const Observed *observed, RspHash key);
void memo_store (Searcher *s, const Observed *observed, RspHash key, RspResults *results);

#endif
