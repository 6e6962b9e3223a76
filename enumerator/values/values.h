#pragma once

#include "enumerator/values/solver.h"

/* Solves the values of a complete reads-from: source[e] is the write that event e reads from (reads
 * only). Fills values[e] with what each event reads (reads and RMWs), written[e] with what it
 * writes (writes and RMWs), and state[i] with the value of each observable that is a register.
 * FALSE if no values satisfy the equations and all paths' constraints. Values in a cycle stay
 * undetermined (RspValue.unknown, numbered from 1 in order of the first event); *thin_air: are
 * there any? */
gboolean rsp_values_solve (const RspPreExecution *pre, const guint *source, RspValue *values,
                           RspValue *written, RspValue *state, gboolean *thin_air);
