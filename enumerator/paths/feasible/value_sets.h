#ifndef RSP_ENUMERATOR_PATHS_FEASIBLE_VALUE_SETS_H
#define RSP_ENUMERATOR_PATHS_FEASIBLE_VALUE_SETS_H

#include "enumerator/paths/feasible/feasible.h"

/* Fills sets with what the active paths may write. */
void feasibility_find_values (RspFeasibility *f);

#endif
