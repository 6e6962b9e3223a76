#pragma once

#include "enumerator/search/bounded/values/observe.h"

/* The whole search of a searcher, which may end early. */
typedef RspResults *(*CrewSearch) (Searcher *s, Observed *observed);

/* Threads that help searcher 0. NULL if there can be none. */
Crew *crew_new (Searcher *s, CrewSearch explore);
void crew_free (Crew *crew);
/* To be called at each node: starts the helpers once the search is large. */
void crew_call (Crew *crew);
/* Ends their work. Returns the results (taken) of searcher 0 if they are complete, else those of
 * the helper that has complete ones. */
RspResults *crew_end (Crew *crew, RspResults *results);
