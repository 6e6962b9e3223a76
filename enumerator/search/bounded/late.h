#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_LATE_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_LATE_H

#include "enumerator/search/bounded/searcher.h"

/* All is decided; the execution is judged by the whole model. */
void rsp_bounded_judge (Bounded *s);

#endif
