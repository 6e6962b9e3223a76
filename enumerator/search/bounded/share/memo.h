#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_MEMO_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_MEMO_H

#include "base/hash.h"
#include "enumerator/search/bounded/searcher.h"

/* Residual problems that were solved before. */
Memo *memo_new (gsize max_size);
void memo_free (Memo *memo);
/* Is there room in it, and is enough found there? */
gboolean memo_pays (Memo *memo);

/* The key of the state; then its results, of which the caller owns a reference, or NULL. Any thread
 * may ask and store. */
RspHash memo_key (Bounded *s, const Observed *observed, gboolean undefined);
RspResults *memo_find (Bounded *s, const Observed *observed, RspHash key);
void memo_store (Bounded *s, const Observed *observed, RspHash key, RspResults *results);

#endif
