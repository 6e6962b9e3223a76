#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_CREW_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_SHARE_CREW_H

#include "enumerator/search/bounded/searcher.h"

/* Threads that help searcher 0. NULL when there can be none. */
Crew *crew_new (Searcher *s);
void crew_free (Crew *crew);
/* At each node: calls them when the search has grown large. */
void crew_call (Crew *crew);
/* Ends their work. The results (taken) of searcher 0 if they are whole, else those of the one who
 * has them whole. */
RspResults *crew_end (Crew *crew, RspResults *results);

#endif
