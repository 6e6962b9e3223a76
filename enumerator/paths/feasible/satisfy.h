#pragma once

#include "enumerator/paths/feasible/feasible.h"

/* Groups the reads by the conditions between them. */
void feasibility_relate_reads (const RspFeasibility *f, RspPathFacts *facts);
/* Are there values, each in the set of its read, that satisfy all conditions of a path? */
gboolean feasibility_is_satisfiable (RspFeasibility *f, RspPathFacts *facts);
