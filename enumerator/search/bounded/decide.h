#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_DECIDE_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_DECIDE_H

#include "enumerator/search/bounded/searcher.h"

/* a comes before b in co or a chosen order, and with it what is before a, before what is after b. FALSE if
 * that is excluded. */
gboolean decide_order (Searcher *s, guint leaf, guint a, guint b);
/* The read reads from the write, and from no other. FALSE if that is excluded. */
gboolean decide_source (Searcher *s, guint write, guint read);

#endif
