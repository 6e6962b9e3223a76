/* What the files behind rsp_values_solve share. */
#ifndef RSP_VALUES_PRIVATE_H
#define RSP_VALUES_PRIVATE_H

#include "enumerator/pre_execution.h"

/* A solution under way. Arrays are per event of the pre-execution. */
typedef struct RspSolver
{
  const RspPreExecution *pre;
  const guint *source; /* per read */
  RspValue *values;    /* per read, where known */
  gboolean *known;
  guint n_unknowns; /* undetermined values so far; they are 1 … n_unknowns */
  guint *opaque;    /* per write: its number, when it is an undetermined value of its own; else 0 */
  guint *stack;
  guint8 *on_stack;
} RspSolver;

/* The term that a read takes its value from. */
const RspTerm *rsp_solver_term (const RspSolver *solver, guint read);
/* The event number that a path's event 0 has, for the thread of the event; 0 for initial writes. */
guint rsp_solver_first_event (const RspSolver *solver, guint event);
/* What an event writes, as far as reads are known; see rsp_term_evaluate_outcome. */
RspTermOutcome rsp_solver_evaluate (const RspSolver *solver, guint write, gboolean symbolic,
                                    RspValue *value);
/* Makes what an event writes an undetermined value of its own; returns its number. */
guint rsp_solver_number_write (RspSolver *solver, guint write);
guint rsp_solver_new_unknown (RspSolver *solver);
void rsp_solver_set (RspSolver *solver, guint read, RspValue value);

/* Some open reads wait for each other: gives values to those of one circle at least. FALSE when no
 * values satisfy its equations. */
gboolean rsp_solver_break_circle (RspSolver *solver, gboolean *thin_air);

#endif
