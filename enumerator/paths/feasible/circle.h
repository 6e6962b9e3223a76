#ifndef RSP_ENUMERATOR_PATHS_FEASIBLE_CIRCLE_H
#define RSP_ENUMERATOR_PATHS_FEASIBLE_CIRCLE_H

#include "enumerator/paths/feasible/feasible.h"

/* Fills component, n_components and circles. */
void feasibility_find_components (RspFeasibility *f);

#endif
