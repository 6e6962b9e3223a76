#ifndef RSP_ENUMERATOR_VALUES_VALUES_CIRCLE_H
#define RSP_ENUMERATOR_VALUES_VALUES_CIRCLE_H

#include "enumerator/values/values_private.h"

/* Some open reads wait for each other: gives values to those of one circle at least. FALSE when no
 * values satisfy its equations. */
gboolean solver_break_circle (RspSolver *solver, gboolean *thin_air);

#endif
