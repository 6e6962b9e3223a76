/* Values of a complete reads-from: what each event reads and writes.
 *
 * A read's value is that of its source's term, over other reads. Almost always these can be
 * computed one after another; reads that wait for each other in a circle are left to
 * values_circle.c. */
#include "enumerator/values/values_private.h"

#include <string.h>

const RspTerm *
rsp_solver_term (const RspSolver *solver, guint read)
{
  return solver->pre->events[solver->source[read]]->written;
}

guint
rsp_solver_first_event (const RspSolver *solver, guint event)
{
  guint thread = solver->pre->events[event]->thread;
  return thread == RSP_NO_THREAD ? 0 : solver->pre->first[thread];
}

/* The first write with the same term in the same thread: it has the same value. */
static guint
first_alike (const RspSolver *solver, guint write)
{
  const RspEvent *const *events = solver->pre->events;
  guint e = 0;
  while (events[e]->written != events[write]->written || events[e]->thread != events[write]->thread)
    e++;
  return e;
}

guint
rsp_solver_number_write (RspSolver *solver, guint write)
{
  guint *number = &solver->opaque[first_alike (solver, write)];
  if (!*number)
    *number = rsp_solver_new_unknown (solver);
  return *number;
}

RspTermOutcome
rsp_solver_evaluate (const RspSolver *solver, guint write, gboolean symbolic, RspValue *value)
{
  guint number = solver->n_unknowns ? solver->opaque[first_alike (solver, write)] : 0;
  guint first = rsp_solver_first_event (solver, write);
  *value = (RspValue){ .unknown = number };
  if (number)
    return RSP_TERM_DETERMINED;
  return rsp_term_evaluate_outcome (solver->pre->events[write]->written, solver->values + first,
                                    solver->known + first, symbolic, value);
}

guint
rsp_solver_new_unknown (RspSolver *solver)
{
  return ++solver->n_unknowns;
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
  WAITING, /* for the reads now on top of the stack */
  CIRCLE,
  UNSOLVABLE
} Step;

/* Tries the read on top of the stack. */
static Step
try_top (RspSolver *solver, guint *stack, guint *depth, guint8 *on_stack)
{
  guint read = stack[*depth - 1];
  RspValue value;
  switch (rsp_solver_evaluate (solver, solver->source[read], FALSE, &value))
    {
    case RSP_TERM_UNDEFINED:
      return UNSOLVABLE;
    case RSP_TERM_OPAQUE:
      value = (RspValue){ .unknown = rsp_solver_number_write (solver, solver->source[read]) };
      G_GNUC_FALLTHROUGH;
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

/* Gives values to all reads that do not hang on a circle. FALSE: there are none. *circle: some wait
 * for each other. */
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
      if (!rsp_solver_break_circle (solver, thin_air))
        return FALSE;
    }
}

static gboolean
fill_written (RspSolver *solver, RspValue *written)
{
  for (guint e = 0; e < solver->pre->n; e++)
    {
      if (!solver->pre->events[e]->written)
        continue;
      RspTermOutcome outcome = rsp_solver_evaluate (solver, e, FALSE, &written[e]);
      if (outcome == RSP_TERM_UNDEFINED)
        return FALSE;
      if (outcome == RSP_TERM_OPAQUE)
        written[e] = (RspValue){ .unknown = rsp_solver_number_write (solver, e) };
    }
  return TRUE;
}

static gboolean
meets_constraints (const RspSolver *solver)
{
  const RspPreExecution *pre = solver->pre;
  for (guint t = 0; t < pre->program->n_threads; t++)
    for (guint i = 0; i < pre->paths[t]->n_constraints; i++)
      {
        RspValue value;
        if (!rsp_term_evaluate (pre->paths[t]->constraints[i].term, solver->values + pre->first[t],
                                &value, NULL))
          return FALSE;
        if (value.bits == 0 && !value.unknown)
          return FALSE;
      }
  return TRUE;
}

/* Numbers undetermined values from 1 in the order of the events that show them, each from the first
 * of its values. */
static void
renumber (const RspSolver *solver, RspValue *values, RspValue *written)
{
  if (!solver->n_unknowns)
    return;
  guint *number = g_new0 (guint, solver->n_unknowns + 1);
  gint64 *base = g_new0 (gint64, solver->n_unknowns + 1);
  guint last = 0;
  for (guint i = 0; i < 2 * solver->pre->n; i++)
    {
      const RspEvent *event = solver->pre->events[i / 2];
      RspValue *value = i % 2 ? &written[i / 2] : &values[i / 2];
      if (!(i % 2 ? event->written : event->read) || !value->unknown)
        continue;
      if (!number[value->unknown])
        {
          number[value->unknown] = ++last;
          base[value->unknown] = value->bits;
        }
      const RspTerm *type = i % 2 ? event->written : event->read;
      value->bits = rsp_wrap ((gint64) ((guint64) value->bits - (guint64) base[value->unknown]),
                              MAX (type->bits, 8), type->is_signed);
      value->unknown = number[value->unknown];
    }
  g_free (number);
  g_free (base);
}

gboolean
rsp_values_solve (const RspPreExecution *pre, const guint *source, RspValue *values,
                  RspValue *written, gboolean *thin_air)
{
  /* One block for all scratch: this is called for every candidate execution. */
  gsize n = pre->n;
  gsize size = n * (sizeof (gboolean) + 2 * sizeof (guint) + 1);
  gpointer heap = size > 4096 ? g_malloc (size) : NULL;
  guint8 *block = heap ? heap : g_alloca (size);
  memset (block, 0, size);
  RspSolver solver = { .pre = pre, .source = source, .values = values };
  solver.known = (gboolean *) (gpointer) block;
  solver.stack = (guint *) (gpointer) (block + n * sizeof (gboolean));
  solver.opaque = solver.stack + n;
  solver.on_stack = (guint8 *) (solver.opaque + n);
  *thin_air = FALSE;
  gboolean solved = solve_reads (&solver, thin_air) && meets_constraints (&solver)
                    && fill_written (&solver, written);
  if (solved)
    renumber (&solver, values, written);
  g_free (heap);
  return solved;
}
