#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_RELEVANCE_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_RELEVANCE_H

#include "enumerator/search/bounded/searcher.h"

/* Can completions of this node still be of interest? */
gboolean bounded_is_relevant (Bounded *s, const Observed *observed);
/* Does the first relevant execution answer the question? */
gboolean bounded_ends_at_first (const Bounded *s);
/* Replaces results by its relevant rows. */
RspResults *bounded_keep_relevant (Bounded *s, const Observed *observed, RspResults *results);
/* Appends to key (of guint64) all on which the relevance of completions of this node depends. */
void bounded_put_relevance (Bounded *s, const Observed *observed, GArray *key);

#endif
