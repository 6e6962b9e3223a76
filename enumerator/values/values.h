#ifndef RSP_ENUMERATOR_VALUES_VALUES_H
#define RSP_ENUMERATOR_VALUES_VALUES_H

#include "enumerator/values/values_private.h"

/* Solves the values of a complete reads-from: source[e] is the write that event e reads from (reads
 * only). Fills values[e] with what each event reads (reads and RMWs), written[e] with what it
 * writes (writes and RMWs), and state[i] with the value of each observable that is a register.
 * FALSE if no values satisfy the equations and all paths' constraints. Values in a cycle stay
 * undetermined (RspValue.unknown, numbered from 1 in order of the first event); *thin_air: are
 * there any? */
gboolean rsp_values_solve (const RspPreExecution *pre, const guint *source, RspValue *values,
                           RspValue *written, RspValue *state, gboolean *thin_air);

/* The term that a read takes its value from. */
const RspTerm *rsp_solver_term (const RspSolver *solver, guint read);

/* The event number of event 0 of the path of the event's thread; 0 for initial writes. */
guint rsp_solver_first_event (const RspSolver *solver, guint event);

/* The value that an event writes, as far as reads are known. */
RspTermOutcome rsp_solver_evaluate (RspSolver *solver, guint write, RspValue *value);

/* The same with operations on undetermined values left open, or with such values as variables. */
RspTermOutcome rsp_solver_probe (RspSolver *solver, guint write, RspValue *value);
RspTermOutcome rsp_solver_evaluate_symbolic (RspSolver *solver, guint write, RspValue *value);

/* The range of the values that an event may write, as far as reads are known. */
void rsp_solver_range (const RspSolver *solver, guint write, RspWide *low, RspWide *high);

/* Fixes the value that an event writes, and so that of every write of the same term in the same
 * thread. */
void rsp_solver_bind (RspSolver *solver, guint write, RspValue value);
void rsp_solver_set (RspSolver *solver, guint read, RspValue value);

#endif
