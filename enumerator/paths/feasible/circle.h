#pragma once

#include "enumerator/paths/feasible/feasible.h"

/* Fills component, n_components and circles. */
void feasibility_find_components (RspFeasibility *f);
