#ifndef RSP_ENUMERATOR_SEARCH_SAT_CERTAIN_H
#define RSP_ENUMERATOR_SEARCH_SAT_CERTAIN_H

#include "enumerator/search/sat/relations/relations.h"

/* Per node: the pairs (or events) that it has in every execution in which they exist, as far as base relations
 * show; NULL where may is. */
RspMatrix **certain_new (const SatRelations *relations);

#endif
