/* The bounded engine: depth-first search that asks the model's bounds on the way. */
#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_BOUNDED_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_BOUNDED_H

#include "enumerator/search/bounded/values/observe.h"

/* Adds to the search's tally, flags, thin_air and statistics, and leaves why it ended in
 * budget->stop. staging is that of the pre-execution. What is beyond the bounds is searched by the
 * naive engine. */
void rsp_search_bounded (RspSearch *search, const RspStaging *staging);

/* The whole search, with what is known at its root. NULL: no completions. Not all of
 * them if the search was over before. */
RspResults *explore_root (Searcher *s, Observed *observed);

#endif
