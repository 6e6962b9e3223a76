#ifndef RSP_ENUMERATOR_PATHS_REDUCE_MERGE_H
#define RSP_ENUMERATOR_PATHS_REDUCE_MERGE_H

#include "enumerator/paths/executor.h"

/* Joins states that differ only in a condition and its negation. live: per register,
 * whether its value still matters; NULL at the end of the path, where only observed ones do, and
 * what would feed later dependencies does not. */
void states_merge (RspExecutor *x, RspStates *states, const guint8 *live);

#endif
