/* Values of a complete reads-from: what each event reads and writes.
 *
 * A read's value is that of its source's term, over other reads. Almost always these can be
 * computed one after another; reads that depend on each other in a cycle are left to
 * values_circle.c. */
#include "enumerator/values/values.h"
#include "enumerator/values/final_state.h"
#include "enumerator/values/values_circle.h"

#include <string.h>

/* The first read of the term that has no value yet, as an event of the pre-execution. */
static guint first_open (const RspSolver *solver, const RspTerm *term, guint first) {
  if (term->kind == RSP_TERM_READ)
    return solver->known[first + term->event] ? G_MAXUINT : first + term->event;
  guint open = term->a ? first_open (solver, term->a, first) : G_MAXUINT;
  return open == G_MAXUINT && term->b ? first_open (solver, term->b, first) : open;
}

typedef enum Step {
  SOLVED,
  WAITING, /* the reads now on top of the stack */
  CIRCLE,
  UNSOLVABLE
} Step;

/* Tries the read on top of the stack. */
static Step try_top (RspSolver *solver, guint *stack, guint *depth, guint8 *on_stack) {
  guint read = stack[*depth - 1];
  RspValue value;
  switch (solver_evaluate (solver, solver->source[read], &value)) {
  case RSP_TERM_UNDEFINED:
    return UNSOLVABLE;
  case RSP_TERM_DETERMINED:
    solver_set (solver, read, value);
    on_stack[read] = FALSE;
    --*depth;
    return SOLVED;
  default:
    break;
  }
  guint open = first_open (solver, solver_term (solver, read),
                           solver_first_event (solver, solver->source[read]));
  if (on_stack[open])
    return CIRCLE;
  on_stack[open] = TRUE;
  stack[(*depth)++] = open;
  return WAITING;
}

/* Gives values to all reads that do not depend on a cycle. FALSE if no values satisfy the
 * equations. *circle: do some reads depend on each other? */
static gboolean solve_in_order (RspSolver *solver, gboolean *circle) {
  const RspPreExecution *pre = solver->pre;
  guint *stack = solver->stack;
  *circle = FALSE;
  for (guint i = 0; i < pre->n_reads; i++) {
    guint depth = 0;
    if (solver->known[pre->reads[i]])
      continue;
    stack[depth++] = pre->reads[i];
    solver->on_stack[pre->reads[i]] = TRUE;
    while (depth) {
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

static gboolean solve_reads (RspSolver *solver, gboolean *thin_air) {
  gboolean circle;
  for (;;) {
    if (!solve_in_order (solver, &circle))
      return FALSE;
    if (!circle)
      return TRUE;
    if (!solver_break_circle (solver, thin_air))
      return FALSE;
  }
}

static gboolean fill_written (RspSolver *solver, RspValue *written) {
  for (guint e = 0; e < solver->pre->n; e++)
    if (solver->pre->events[e]->written
        && solver_evaluate (solver, e, &written[e]) == RSP_TERM_UNDEFINED)
      return FALSE;
  return TRUE;
}

/* ---- Constraints ---- */

/* Everything is solved anew with what is pinned. */
static void start_over (RspSolver *solver) {
  for (guint i = 0; i < solver->pre->n_reads; i++)
    solver->known[solver->pre->reads[i]] = solver->pinned[solver->pre->reads[i]];
  rsp_compounds_clear (&solver->compounds);
  g_clear_pointer (&solver->bound, g_array_unref);
}

/* From now on the undetermined value is that number, in all reads that returned it. FALSE if there
 * is none. */
static gboolean pin (RspSolver *solver, RspValue undetermined, gint64 number) {
  const RspPreExecution *pre = solver->pre;
  const guint64 base = (guint64) number - (guint64) undetermined.bits;
  gboolean any = FALSE;
  for (guint i = 0; i < pre->n_reads; i++) {
    guint read = pre->reads[i];
    const RspTerm *type = pre->events[read]->read;
    RspValue value = solver->values[read];
    if (value.unknown != undetermined.unknown)
      continue;
    value.bits
        = rsp_wrap ((gint64) (base + (guint64) value.bits), MAX (type->bits, 8), type->is_signed);
    solver->pinned[read] = any = TRUE;
    solver_set (solver, read, (RspValue){ .bits = value.bits });
  }
  return any;
}

/* Two values have to be equal. FALSE if they are not. */
static gboolean equate (RspSolver *solver, RspValue a, RspValue b, gboolean *pinned) {
  if (a.unknown && !b.unknown)
    *pinned |= pin (solver, a, b.bits);
  else if (b.unknown && !a.unknown)
    *pinned |= pin (solver, b, a.bits);
  return a.unknown || b.unknown || a.bits == b.bits;
}

/* FALSE if a pinned read cannot have its value. Of what is not solved for it, the result of an
 * operation on other undetermined values, it is the value. */
static gboolean justify_pins (RspSolver *solver, gboolean *pinned) {
  for (guint i = 0; i < solver->pre->n_reads; i++) {
    guint read = solver->pre->reads[i];
    RspValue value;
    if (!solver->pinned[read])
      continue;
    if (solver_evaluate (solver, solver->source[read], &value) == RSP_TERM_UNDEFINED
        || !equate (solver, solver->values[read], value, pinned))
      return FALSE;
    if (value.unknown)
      solver_bind (solver, solver->source[read], solver->values[read]);
  }
  return TRUE;
}

/* FALSE if a condition in the thread's path fails. If it is an equation of an undetermined value,
 * that gets pinned. */
static gboolean meets (RspSolver *solver, guint thread, const RspTerm *term, gboolean *pinned) {
  RspValue value, a, b;
  if (term->kind == RSP_TERM_BINARY && term->op == RSP_OP_AND && term->is_boolean)
    return meets (solver, thread, term->a, pinned) && meets (solver, thread, term->b, pinned);
  if (!solver_evaluate_in_thread (solver, thread, term, &value))
    return FALSE;
  if (value.unknown && term->kind == RSP_TERM_BINARY && term->op == RSP_OP_EQ)
    return solver_evaluate_in_thread (solver, thread, term->a, &a)
           && solver_evaluate_in_thread (solver, thread, term->b, &b)
           && equate (solver, a, b, pinned);
  return value.bits || value.unknown;
}

static gboolean meets_constraints (RspSolver *solver, gboolean *pinned) {
  const RspPreExecution *pre = solver->pre;
  for (guint t = 0; t < pre->program->n_threads; t++)
    for (guint i = 0; i < pre->paths[t]->n_constraints; i++)
      if (!meets (solver, t, pre->paths[t]->constraints[i].term, pinned))
        return FALSE;
  return TRUE;
}

/* Solves, and as long as a constraint says what an undetermined value is, once more with that.
 * *thin_air says whether something is pinned already. */
static gboolean solve_all (RspSolver *solver, RspThinAir *thin_air) {
  gboolean undetermined = FALSE, pinned = *thin_air != RSP_NO_THIN_AIR;
  do {
    if (pinned) {
      start_over (solver);
      *thin_air = RSP_THIN_AIR_DETERMINED;
    }
    undetermined = pinned = FALSE;
    if (!solve_reads (solver, &undetermined) || (*thin_air && !justify_pins (solver, &pinned))
        || !meets_constraints (solver, &pinned))
      return FALSE;
  } while (pinned);
  *thin_air = undetermined ? RSP_THIN_AIR_UNDETERMINED : *thin_air;
  return TRUE;
}

/* ---- Numbers that are asked for ---- */

/* Scratch memory: one block, since values are solved for every candidate execution. */
static gsize scratch_size (const RspPreExecution *pre) {
  return (gsize) pre->n * (sizeof (gboolean) + sizeof (guint) + 2);
}

static void take_scratch (RspSolver *solver, guint8 *block) {
  guint n = solver->pre->n;
  memset (block, 0, scratch_size (solver->pre));
  solver->known = (gboolean *) (gpointer) block;
  solver->stack = (guint *) (gpointer) (solver->known + n);
  solver->on_stack = (guint8 *) (solver->stack + n);
  solver->pinned = solver->on_stack + n;
}

static void clear_solver (RspSolver *solver) {
  rsp_compounds_clear (&solver->compounds);
  g_clear_pointer (&solver->bound, g_array_unref);
}

/* Can the undetermined value of a thread's term be that number? Solves once more with it. Of the
 * result of an operation only its range is known. */
static gboolean may_be (const RspSolver *solver, guint thread, const RspTerm *term, RspValue value,
                        gint64 number) {
  guint n = solver->pre->n;
  gint64 low, high, own = (gint64) ((guint64) number - (guint64) value.bits);
  if (rsp_compounds_range (&solver->compounds, value.unknown, &low, &high)
      && (own < low || own > high))
    return FALSE;
  g_autofree RspValue *values = g_memdup2 (solver->values, n * sizeof (RspValue));
  g_autofree guint8 *block = g_malloc (scratch_size (solver->pre));
  RspSolver trial = { .pre = solver->pre, .source = solver->source, .values = values };
  RspThinAir thin_air = RSP_THIN_AIR_DETERMINED;
  take_scratch (&trial, block);
  memcpy (trial.pinned, solver->pinned, n);
  if (!pin (&trial, value, number))
    return TRUE;
  gboolean may = solve_all (&trial, &thin_air)
                 && solver_evaluate_in_thread (&trial, thread, term, &value)
                 && (value.unknown || value.bits == number);
  clear_solver (&trial);
  return may;
}

static void exclude (const RspSolver *solver, guint thread, const RspTerm *term,
                     const gint64 *numbers, guint n, RspValue *value) {
  for (guint i = 0; i < n && value->unknown; i++)
    if (!may_be (solver, thread, term, *value, numbers[i]))
      value->excluded |= 1u << i;
}

static const RspTerm *final_term (const RspPreExecution *pre, const RspObservable *observable) {
  return pre->paths[observable->thread]->finals[observable->reg];
}

static void fill_registers (RspSolver *solver, RspValue *state) {
  const RspPreExecution *pre = solver->pre;
  for (guint i = 0; i < pre->program->n_observables; i++) {
    const RspObservable *observable = &pre->program->observables[i];
    if (!observable->is_register)
      continue;
    /* A register whose value divides by zero belongs to a path that has already failed. */
    solver_evaluate_in_thread (solver, observable->thread, final_term (pre, observable), &state[i]);
  }
}

/* Of the values that final states show. */
static void exclude_numbers (const RspSolver *solver, RspValue *written, RspValue *state) {
  const RspPreExecution *pre = solver->pre;
  const RspProgram *program = pre->program;
  gint64 numbers[RSP_MAX_COMPARED];
  guint n = rsp_compared_numbers (program, numbers);
  for (guint e = 0; e < pre->n; e++)
    if (pre->events[e]->written && rsp_location_is_shown (program, pre->events[e]->location))
      exclude (solver, pre->events[e]->thread, pre->events[e]->written, numbers, n, &written[e]);
  for (guint i = 0; i < program->n_observables; i++)
    if (program->observables[i].is_register)
      exclude (solver, program->observables[i].thread, final_term (pre, &program->observables[i]),
               numbers, n, &state[i]);
}

/* ---- Names ---- */

/* New numbers for undetermined values: from 1 in order of appearance; the first value of each has
 * offset 0. */
typedef struct Numbering {
  guint *number; /* per old number; 0: none yet */
  gint64 *base;
  guint last;
} Numbering;

static void renumber_one (Numbering *numbering, const RspTerm *type, RspValue *value) {
  if (!value->unknown)
    return;
  guint *number = &numbering->number[value->unknown];
  gint64 *base = &numbering->base[value->unknown];
  if (!*number) {
    *number = ++numbering->last;
    *base = value->bits;
  }
  value->bits = rsp_wrap ((gint64) ((guint64) value->bits - (guint64) *base), MAX (type->bits, 8),
                          type->is_signed);
  value->unknown = *number;
}

/* Numbers first those that events show, in their order, then those of registers. */
static void renumber (const RspSolver *solver, RspValue *values, RspValue *written,
                      RspValue *state) {
  const RspPreExecution *pre = solver->pre;
  guint n = solver->compounds.n_unknowns + 1;
  if (n == 1)
    return;
  Numbering numbering = { .number = g_new0 (guint, n), .base = g_new0 (gint64, n) };
  for (guint e = 0; e < pre->n; e++) {
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

gboolean rsp_values_solve (const RspPreExecution *pre, const guint *source, RspValue *values,
                           RspValue *written, RspValue *state, RspThinAir *thin_air) {
  gsize size = scratch_size (pre);
  gpointer heap = size > 4096 ? g_malloc (size) : NULL;
  RspSolver solver = { .pre = pre, .source = source, .values = values };
  guint8 *block = heap ? heap : g_alloca (size);
  take_scratch (&solver, block);
  *thin_air = RSP_NO_THIN_AIR;
  gboolean solved = solve_all (&solver, thin_air) && fill_written (&solver, written);
  if (solved) {
    fill_registers (&solver, state);
    if (*thin_air == RSP_THIN_AIR_UNDETERMINED)
      exclude_numbers (&solver, written, state);
    renumber (&solver, values, written, state);
  }
  clear_solver (&solver);
  g_free (heap);
  return solved;
}
