#pragma once

#include "enumerator/values/solver.h"

/* Do some values justify each other in a cycle? */
typedef enum RspThinAir {
  RSP_NO_THIN_AIR,
  RSP_THIN_AIR_DETERMINED, /* the paths' constraints determine them: a branch was taken because r ==
                              42 */
  RSP_THIN_AIR_UNDETERMINED /* some may be several numbers */
} RspThinAir;

/* Solves the values of a complete reads-from: source[e] is the write that event e reads from (reads
 * only). Fills values[e] with what each event reads (reads and RMWs), written[e] with what it
 * writes (writes and RMWs), and state[i] with the value of each observable that is a register.
 * FALSE if no values satisfy the equations and all paths' constraints. Values in a cycle stay
 * undetermined (RspValue.unknown, numbered from 1 in order of the first event) unless a constraint
 * says which number one is; a constraint whose truth depends on them may hold. */
gboolean rsp_values_solve (const RspPreExecution *pre, const guint *source, RspValue *values,
                           RspValue *written, RspValue *state, RspThinAir *thin_air);
