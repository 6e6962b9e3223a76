#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_LEAF_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_LEAF_H

#include "enumerator/search/bounded/searcher.h"

/* Everything is decided; the execution is judged by the whole model, or given to the search's leaf. */
void leaf_judge (Searcher *s);

#endif
