#pragma once

#include "base/hash.h"
#include "enumerator/search/bounded/searcher.h"
#include "enumerator/search/bounded/values/observe.h"

/* The memo: results of residual problems by their keys (key.h). */
typedef struct Memo Memo;
Memo *memo_new (gsize max_size);
void memo_free (Memo *memo);
/* Has it no room for another combination? */
gboolean memo_is_full (Memo *memo);

/* Looks up the results of a node in the memo that the searcher shares: the caller owns a reference;
 * NULL if there are none. Any thread may look up and store. */
RspResults *memo_find (Searcher *s, const Observed *observed, RspHash key);
void memo_store (Searcher *s, const Observed *observed, RspHash key, RspResults *results);
