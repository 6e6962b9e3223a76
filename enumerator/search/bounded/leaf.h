#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_LEAF_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_LEAF_H

#include "enumerator/search/bounded/searcher.h"

/* Called when everything is decided: judges the execution under the whole model, or passes it to
 * the search's leaf. */
void leaf_judge (Searcher *s);

#endif
