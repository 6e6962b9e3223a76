#pragma once

#include "enumerator/paths/feasible/feasible.h"

/* Fills sets with what the active paths may write. */
void feasibility_find_values (RspFeasibility *f);
