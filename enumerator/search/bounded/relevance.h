#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_RELEVANCE_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_RELEVANCE_H

#include "enumerator/search/bounded/searcher.h"

/* Can completions of this node still be of interest? */
gboolean bounded_is_relevant (Bounded *s, const Observed *observed);
/* Does the first execution that is wanted answer the question? */
gboolean bounded_ends_at_first (const Bounded *s);
/* The rows that are wanted, in place of results. */
RspResults *bounded_keep_relevant (Bounded *s, const Observed *observed, RspResults *results);
/* Appends to key (of guint64) all that is_wanted can still tell apart below this node. */
void bounded_put_relevance (Bounded *s, const Observed *observed, GArray *key);

#endif
