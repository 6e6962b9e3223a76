/* What the files behind rsp_values_solve share. */
#ifndef RSP_VALUES_PRIVATE_H
#define RSP_VALUES_PRIVATE_H

#include "enumerator/pre_execution.h"
#include "enumerator/values/compound.h"

/* A solution under way. Arrays are per event of the pre-execution. */
typedef struct RspSolver
{
  const RspPreExecution *pre;
  const guint *source; /* per read */
  RspValue *values;    /* per read, where known */
  gboolean *known;
  RspCompounds compounds; /* numbers all undetermined values */
  RspValue *bound; /* per write: what it writes when that was found by solving a circle; else 0 */
  guint *stack;
  guint8 *on_stack;
} RspSolver;

/* The term that a read takes its value from. */
const RspTerm *rsp_solver_term (const RspSolver *solver, guint read);
/* The event number that a path's event 0 has, for the thread of the event; 0 for initial writes. */
guint rsp_solver_first_event (const RspSolver *solver, guint event);
/* What an event writes, as far as reads are known. */
RspTermOutcome rsp_solver_evaluate (RspSolver *solver, guint write, RspValue *value);
/* The same with operations on undetermined values left open, or with such values as variables. */
RspTermOutcome rsp_solver_probe (RspSolver *solver, guint write, RspValue *value);
RspTermOutcome rsp_solver_evaluate_symbolic (RspSolver *solver, guint write, RspValue *value);
/* Fixes what an event writes, and with it every write of the same term in the same thread. */
void rsp_solver_bind (RspSolver *solver, guint write, RspValue value);
void rsp_solver_set (RspSolver *solver, guint read, RspValue value);

/* Some open reads wait for each other: gives values to those of one circle at least. FALSE when no
 * values satisfy its equations. */
gboolean rsp_solver_break_circle (RspSolver *solver, gboolean *thin_air);

#endif
