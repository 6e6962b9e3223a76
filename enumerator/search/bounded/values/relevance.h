#pragma once

#include "base/hash.h"
#include "enumerator/search/bounded/values/observe.h"

/* Can completions of this node be relevant? */
gboolean is_relevant (Searcher *s, const Observed *observed);
/* Does the first relevant execution answer the question? */
gboolean rsp_bounded_ends_at_first (const Searcher *s);
/* Replaces results by its relevant rows. */
RspResults *keep_relevant (Searcher *s, const Observed *observed, RspResults *results);
/* Adds to key everything that the relevance of completions of this node depends on. */
void rsp_bounded_put_relevance (Searcher *s, const Observed *observed, RspHash *key);
