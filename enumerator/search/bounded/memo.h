#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_MEMO_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_MEMO_H

#include "enumerator/search/bounded/searcher.h"

typedef struct MemoKey
{
  guint64 a, b; /* 128 bits of hash */
} MemoKey;

/* Residual problems that were solved before. */
Memo *memo_new (gsize max_size);
void memo_free (Memo *memo);
MemoKey memo_key (Bounded *s, const Observed *observed, gboolean bad);
RspResults *memo_find (Memo *memo, MemoKey key);
void memo_store (Memo *memo, MemoKey key, RspResults *results);

#endif
