#pragma once

#include "enumerator/search/sat/relations/relations.h"

/* Per node: the pairs (or events) that it has in every execution in which they exist, as far as
 * base relations show; NULL where may is. */
RspMatrix **certain_new (const SatRelations *relations);
