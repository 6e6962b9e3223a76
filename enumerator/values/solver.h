/* Shared by the files behind rsp_values_solve. */
#pragma once

#include "enumerator/pre_execution.h"
#include "enumerator/terms/compound.h"

/* A solution in progress. Arrays are per event of the pre-execution. */
typedef struct RspSolver {
  const RspPreExecution *pre;
  const guint *source; /* per read */
  RspValue *values;    /* per read, if known */
  gboolean *known;
  RspCompounds compounds; /* numbers all undetermined values */
  GArray *bound; /* of RspBoundTerm: the terms that cycles write; NULL while there are none */
  guint *stack;
  guint8 *on_stack;
  guint8 *pinned; /* per read: does its value come from a constraint of a path? */
} RspSolver;

/* The term that a read takes its value from. */
const RspTerm *solver_term (const RspSolver *solver, guint read);

/* The event number of event 0 of the path of the event's thread; 0 for initial writes. */
guint solver_first_event (const RspSolver *solver, guint event);

/* The value that an event writes, as far as reads are known. */
RspTermOutcome solver_evaluate (RspSolver *solver, guint write, RspValue *value);

/* The same with operations on undetermined values left open, or with such values as variables. */
RspTermOutcome solver_probe (RspSolver *solver, guint write, RspValue *value);
RspTermOutcome solver_evaluate_symbolic (RspSolver *solver, guint write, RspValue *value);

/* The range of the values that an event may write, as far as reads are known. */
void solver_range (const RspSolver *solver, guint write, RspWide *low, RspWide *high);

/* Fixes the value that an event writes, and so that of every write of the same term in the same
 * thread. */
void solver_bind (RspSolver *solver, guint write, RspValue value);
void solver_set (RspSolver *solver, guint read, RspValue value);

/* The value of a thread's term when all reads are known. FALSE if it divides by zero. */
gboolean solver_evaluate_in_thread (RspSolver *solver, guint thread, const RspTerm *term,
                                    RspValue *value);
