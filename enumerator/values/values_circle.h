#pragma once

#include "enumerator/values/solver.h"

/* Call when some open reads depend on each other: gives values to those of at least one cycle.
 * FALSE if no values satisfy its equations. */
gboolean solver_break_circle (RspSolver *solver, gboolean *thin_air);
