#include "enumerator/values/solver.h"
#include "enumerator/terms/evaluate.h"
#include "enumerator/terms/range.h"

const RspTerm *solver_term (const RspSolver *solver, guint read) {
  return solver->pre->events[solver->source[read]]->written;
}

static guint first_of_thread (const RspSolver *solver, guint thread) {
  return thread == RSP_NO_THREAD ? 0 : solver->pre->first[thread];
}

guint solver_first_event (const RspSolver *solver, guint event) {
  return first_of_thread (solver, solver->pre->events[event]->thread);
}

/* A conversion that changes no value is left out: what it converts has the same value. */
void solver_bind (RspSolver *solver, guint write, RspValue value) {
  const RspEvent *event = solver->pre->events[write];
  RspBoundTerm bound = { .term = event->written, .thread = event->thread, .value = value };
  while (rsp_term_is_same_value_cast (bound.term))
    bound.term = bound.term->a;
  if (!solver->bound)
    solver->bound = g_array_new (FALSE, FALSE, sizeof (RspBoundTerm));
  g_array_append_val (solver->bound, bound);
}

/* The evaluation of a thread's terms, as far as reads are known. */
static RspEvaluation evaluation_in (const RspSolver *solver, guint thread) {
  guint first = first_of_thread (solver, thread);
  return (RspEvaluation){ .reads = solver->values + first,
                          .known = solver->known + first,
                          .bound = solver->bound,
                          .thread = thread };
}

void solver_range (const RspSolver *solver, guint write, RspWide *low, RspWide *high) {
  const RspEvent *event = solver->pre->events[write];
  const RspEvaluation evaluation = evaluation_in (solver, event->thread);
  rsp_term_range (event->written, &evaluation, low, high);
}

static RspTermOutcome evaluate (RspSolver *solver, guint write, RspCompounds *compounds,
                                gboolean symbolic, RspValue *value) {
  const RspEvent *event = solver->pre->events[write];
  RspEvaluation evaluation = evaluation_in (solver, event->thread);
  evaluation.compounds = compounds;
  evaluation.symbolic = symbolic;
  return rsp_term_evaluate_outcome (event->written, &evaluation, value);
}

RspTermOutcome solver_evaluate (RspSolver *solver, guint write, RspValue *value) {
  return evaluate (solver, write, &solver->compounds, FALSE, value);
}

RspTermOutcome solver_probe (RspSolver *solver, guint write, RspValue *value) {
  return evaluate (solver, write, NULL, FALSE, value);
}

RspTermOutcome solver_evaluate_symbolic (RspSolver *solver, guint write, RspValue *value) {
  return evaluate (solver, write, &solver->compounds, TRUE, value);
}

void solver_set (RspSolver *solver, guint read, RspValue value) {
  solver->values[read] = value;
  solver->known[read] = TRUE;
}

gboolean solver_evaluate_in_thread (RspSolver *solver, guint thread, const RspTerm *term,
                                    RspValue *value) {
  RspEvaluation evaluation = evaluation_in (solver, thread);
  evaluation.compounds = &solver->compounds;
  return rsp_term_evaluate_outcome (term, &evaluation, value) != RSP_TERM_UNDEFINED;
}
