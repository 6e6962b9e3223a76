/* Values of a complete reads-from: what each event reads and writes.
 *
 * A read's value is that of its source's term, over other reads. Almost always these can be
 * computed one after another; reads that depend on each other in a cycle are left to
 * values_circle.c. */
#include "enumerator/values/values.h"
#include "enumerator/terms/evaluate.h"
#include "enumerator/terms/range.h"
#include "enumerator/values/values_circle.h"

#include <string.h>

const RspTerm *
rsp_solver_term (const RspSolver *solver, guint read)
{
  return solver->pre->events[solver->source[read]]->written;
}

static guint
first_of_thread (const RspSolver *solver, guint thread)
{
  return thread == RSP_NO_THREAD ? 0 : solver->pre->first[thread];
}

guint
rsp_solver_first_event (const RspSolver *solver, guint event)
{
  return first_of_thread (solver, solver->pre->events[event]->thread);
}

/* A conversion that changes no value is left out: what it converts has the same value. */
void
rsp_solver_bind (RspSolver *solver, guint write, RspValue value)
{
  const RspEvent *event = solver->pre->events[write];
  RspBoundTerm bound = { .term = event->written, .thread = event->thread, .value = value };
  while (rsp_term_is_same_value_cast (bound.term))
    bound.term = bound.term->a;
  if (!solver->bound)
    solver->bound = g_array_new (FALSE, FALSE, sizeof (RspBoundTerm));
  g_array_append_val (solver->bound, bound);
}

/* The evaluation of a thread's terms, as far as reads are known. */
static RspEvaluation
evaluation_in (const RspSolver *solver, guint thread)
{
  guint first = first_of_thread (solver, thread);
  return (RspEvaluation){ .reads = solver->values + first,
                          .known = solver->known + first,
                          .bound = solver->bound,
                          .thread = thread };
}

void
rsp_solver_range (const RspSolver *solver, guint write, RspWide *low, RspWide *high)
{
  const RspEvent *event = solver->pre->events[write];
  const RspEvaluation evaluation = evaluation_in (solver, event->thread);
  rsp_term_range (event->written, &evaluation, low, high);
}

static RspTermOutcome
evaluate (RspSolver *solver, guint write, RspCompounds *compounds, gboolean symbolic,
          RspValue *value)
{
  const RspEvent *event = solver->pre->events[write];
  RspEvaluation evaluation = evaluation_in (solver, event->thread);
  evaluation.compounds = compounds;
  evaluation.symbolic = symbolic;
  return rsp_term_evaluate_outcome (event->written, &evaluation, value);
}

RspTermOutcome
rsp_solver_evaluate (RspSolver *solver, guint write, RspValue *value)
{
  return evaluate (solver, write, &solver->compounds, FALSE, value);
}

RspTermOutcome
rsp_solver_probe (RspSolver *solver, guint write, RspValue *value)
{
  return evaluate (solver, write, NULL, FALSE, value);
}

RspTermOutcome
rsp_solver_evaluate_symbolic (RspSolver *solver, guint write, RspValue *value)
{
  return evaluate (solver, write, &solver->compounds, TRUE, value);
}

void
rsp_solver_set (RspSolver *solver, guint read, RspValue value)
{
  solver->values[read] = value;
  solver->known[read] = TRUE;
}

/* The first read of the term that has no value yet, as an event of the pre-execution. */
static guint
first_open (const RspSolver *solver, const RspTerm *term, guint first)
{
  if (term->kind == RSP_TERM_READ)
    return solver->known[first + term->event] ? G_MAXUINT : first + term->event;
  guint open = term->a ? first_open (solver, term->a, first) : G_MAXUINT;
  return open == G_MAXUINT && term->b ? first_open (solver, term->b, first) : open;
}

typedef enum Step
{
  SOLVED,
  WAITING, /* the reads now on top of the stack */
  CIRCLE,
  UNSOLVABLE
} Step;

/* Tries the read on top of the stack. */
static Step
try_top (RspSolver *solver, guint *stack, guint *depth, guint8 *on_stack)
{
  guint read = stack[*depth - 1];
  RspValue value;
  switch (rsp_solver_evaluate (solver, solver->source[read], &value))
    {
    case RSP_TERM_UNDEFINED:
      return UNSOLVABLE;
    case RSP_TERM_DETERMINED:
      rsp_solver_set (solver, read, value);
      on_stack[read] = FALSE;
      --*depth;
      return SOLVED;
    default:
      break;
    }
  guint open = first_open (solver, rsp_solver_term (solver, read),
                           rsp_solver_first_event (solver, solver->source[read]));
  if (on_stack[open])
    return CIRCLE;
  on_stack[open] = TRUE;
  stack[(*depth)++] = open;
  return WAITING;
}

/* Gives values to all reads that do not depend on a cycle. FALSE if no values satisfy the
 * equations. *circle: do some reads depend on each other? */
static gboolean
solve_in_order (RspSolver *solver, gboolean *circle)
{
  const RspPreExecution *pre = solver->pre;
  guint *stack = solver->stack;
  *circle = FALSE;
  for (guint i = 0; i < pre->n_reads; i++)
    {
      guint depth = 0;
      if (solver->known[pre->reads[i]])
        continue;
      stack[depth++] = pre->reads[i];
      solver->on_stack[pre->reads[i]] = TRUE;
      while (depth)
        {
          Step step = try_top (solver, stack, &depth, solver->on_stack);
          if (step == UNSOLVABLE)
            return FALSE;
          if (step != CIRCLE)
            continue;
          *circle = TRUE;
          while (depth)
            solver->on_stack[stack[--depth]] = FALSE;
        }
    }
  return TRUE;
}

static gboolean
solve_reads (RspSolver *solver, gboolean *thin_air)
{
  gboolean circle;
  for (;;)
    {
      if (!solve_in_order (solver, &circle))
        return FALSE;
      if (!circle)
        return TRUE;
      if (!solver_break_circle (solver, thin_air))
        return FALSE;
    }
}

static gboolean
fill_written (RspSolver *solver, RspValue *written)
{
  for (guint e = 0; e < solver->pre->n; e++)
    if (solver->pre->events[e]->written
        && rsp_solver_evaluate (solver, e, &written[e]) == RSP_TERM_UNDEFINED)
      return FALSE;
  return TRUE;
}

/* The value of a thread's term when all reads are known. FALSE if it divides by zero. */
static gboolean
evaluate_in_thread (RspSolver *solver, guint thread, const RspTerm *term, RspValue *value)
{
  RspEvaluation evaluation = evaluation_in (solver, thread);
  evaluation.compounds = &solver->compounds;
  return rsp_term_evaluate_outcome (term, &evaluation, value) != RSP_TERM_UNDEFINED;
}

static gboolean
meets_constraints (RspSolver *solver)
{
  const RspPreExecution *pre = solver->pre;
  for (guint t = 0; t < pre->program->n_threads; t++)
    for (guint i = 0; i < pre->paths[t]->n_constraints; i++)
      {
        RspValue value;
        if (!evaluate_in_thread (solver, t, pre->paths[t]->constraints[i].term, &value))
          return FALSE;
        if (value.bits == 0 && !value.unknown)
          return FALSE;
      }
  return TRUE;
}

static const RspTerm *
final_term (const RspPreExecution *pre, const RspObservable *observable)
{
  return pre->paths[observable->thread]->finals[observable->reg];
}

static void
fill_registers (RspSolver *solver, RspValue *state)
{
  const RspPreExecution *pre = solver->pre;
  for (guint i = 0; i < pre->program->n_observables; i++)
    {
      const RspObservable *observable = &pre->program->observables[i];
      if (!observable->is_register)
        continue;
      /* A register whose value divides by zero belongs to a path that has already failed. */
      evaluate_in_thread (solver, observable->thread, final_term (pre, observable), &state[i]);
    }
}

/* ---- Numbers ---- */

/* New numbers for undetermined values: from 1 in order of appearance; the first value of each has
 * offset 0. */
typedef struct Numbering
{
  guint *number; /* per old number; 0: none yet */
  gint64 *base;
  guint last;
} Numbering;

static void
renumber_one (Numbering *numbering, const RspTerm *type, RspValue *value)
{
  if (!value->unknown)
    return;
  guint *number = &numbering->number[value->unknown];
  gint64 *base = &numbering->base[value->unknown];
  if (!*number)
    {
      *number = ++numbering->last;
      *base = value->bits;
    }
  value->bits = rsp_wrap ((gint64) ((guint64) value->bits - (guint64) *base), MAX (type->bits, 8),
                          type->is_signed);
  value->unknown = *number;
}

/* Numbers first those that events show, in their order, then those of registers. */
static void
renumber (const RspSolver *solver, RspValue *values, RspValue *written, RspValue *state)
{
  const RspPreExecution *pre = solver->pre;
  guint n = solver->compounds.n_unknowns + 1;
  if (n == 1)
    return;
  Numbering numbering = { .number = g_new0 (guint, n), .base = g_new0 (gint64, n) };
  for (guint e = 0; e < pre->n; e++)
    {
      if (pre->events[e]->read)
        renumber_one (&numbering, pre->events[e]->read, &values[e]);
      if (pre->events[e]->written)
        renumber_one (&numbering, pre->events[e]->written, &written[e]);
    }
  for (guint i = 0; i < pre->program->n_observables; i++)
    if (pre->program->observables[i].is_register)
      renumber_one (&numbering, final_term (pre, &pre->program->observables[i]), &state[i]);
  g_free (numbering.number);
  g_free (numbering.base);
}

gboolean
rsp_values_solve (const RspPreExecution *pre, const guint *source, RspValue *values,
                  RspValue *written, RspValue *state, gboolean *thin_air)
{
  /* One block for all scratch memory, since this is called for every candidate execution. */
  gsize n = pre->n;
  gsize size = n * (sizeof (gboolean) + sizeof (guint) + 1);
  gpointer heap = size > 4096 ? g_malloc (size) : NULL;
  guint8 *block = heap ? heap : g_alloca (size);
  memset (block, 0, size);
  RspSolver solver = { .pre = pre, .source = source, .values = values };
  solver.known = (gboolean *) (gpointer) block;
  solver.stack = (guint *) (gpointer) (solver.known + n);
  solver.on_stack = (guint8 *) (solver.stack + n);
  *thin_air = FALSE;
  gboolean solved = solve_reads (&solver, thin_air) && meets_constraints (&solver)
                    && fill_written (&solver, written);
  if (solved)
    {
      fill_registers (&solver, state);
      renumber (&solver, values, written, state);
    }
  rsp_compounds_clear (&solver.compounds);
  g_clear_pointer (&solver.bound, g_array_unref);
  g_free (heap);
  return solved;
}
