/* Values of a complete reads-from, also where they justify each other. */
#include "base/base.h"
#include "enumerator/terms/terms.h"
#include "enumerator/values/values.h"

#include <string.h>

/* ---- Solver --------------------------------------------------------------------------------- */

/* The term that a read takes its value from. */
static const RspTerm *solver_term (const RspSolver *solver, guint read) {
  return solver->pre->events[solver->source[read]]->written;
}

static guint first_of_thread (const RspSolver *solver, guint thread) {
  return thread == RSP_NO_THREAD ? 0 : solver->pre->first[thread];
}

/* The event number of event 0 of the path of the event's thread; 0 for initial writes. */
static guint solver_first_event (const RspSolver *solver, guint event) {
  return first_of_thread (solver, solver->pre->events[event]->thread);
}

/* Fixes the value that an event writes, and so that of every write of the same term in the same
 * thread. A conversion that changes no value is left out: what it converts has the same value. */
static void solver_bind (RspSolver *solver, guint write, RspValue value) {
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

/* The range of the values that an event may write, as far as reads are known. */
static void solver_range (const RspSolver *solver, guint write, RspWide *low, RspWide *high) {
  const RspEvent *event = solver->pre->events[write];
  const RspEvaluation evaluation = evaluation_in (solver, event->thread);
  rsp_term_range (event->written, &evaluation, low, high);
}

static RspTermOutcome evaluate_term (RspSolver *solver, guint write, RspCompounds *compounds,
                                     gboolean symbolic, RspValue *value) {
  const RspEvent *event = solver->pre->events[write];
  RspEvaluation evaluation = evaluation_in (solver, event->thread);
  evaluation.compounds = compounds;
  evaluation.symbolic = symbolic;
  return rsp_term_evaluate_outcome (event->written, &evaluation, value);
}

/* The value that an event writes, as far as reads are known. */
static RspTermOutcome solver_evaluate (RspSolver *solver, guint write, RspValue *value) {
  return evaluate_term (solver, write, &solver->compounds, FALSE, value);
}

static void solver_set (RspSolver *solver, guint read, RspValue value) {
  solver->values[read] = value;
  solver->known[read] = TRUE;
}

/* The value of a thread's term when all reads are known. FALSE if it divides by zero. */
static gboolean solver_evaluate_in_thread (RspSolver *solver, guint thread, const RspTerm *term,
                                           RspValue *value) {
  RspEvaluation evaluation = evaluation_in (solver, thread);
  evaluation.compounds = &solver->compounds;
  return rsp_term_evaluate_outcome (term, &evaluation, value) != RSP_TERM_UNDEFINED;
}

/* ---- Values that justify each other --------------------------------------------------------- */

/* Values that justify each other in a cycle.
 *
 * Going once round a cycle of reads gives an equation x = f (x). If f adds a constant c (also
 * through casts, modulo the narrowest type on the way), every value solves it if c is 0, and none
 * otherwise. In the first case nothing determines the value: it stays undetermined, with one number
 * for the cycle, and the reads' values are that number plus offsets. Any other f (x | 1, a product,
 * a comparison) is not solved: its result is undetermined in its own right; but if f has few
 * possible values and none of them satisfies the equation, there is no solution and the candidate
 * is dropped.
 *
 * Two values of a cycle are equal if that follows from congruence: equal operations on equal values
 * give equal results (RspCompounds). Congruence closure finds this: the equations are evaluated
 * repeatedly, and values that turn out to be equal are linked. */

enum { FEW = 256 };

/* ---- Which reads ---- */
/* Edges lead from what a read depends on to the read. */
static GArray *open_edges (const RspSolver *solver) {
  const RspPreExecution *pre = solver->pre;
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (RspEdge));
  for (guint i = 0; i < pre->n_reads; i++) {
    guint read = pre->reads[i];
    if (solver->known[read])
      continue;
    g_autoptr (GArray) inputs = g_array_new (FALSE, FALSE, sizeof (guint));
    guint first = solver_first_event (solver, solver->source[read]);
    rsp_term_add_reads (solver_term (solver, read), inputs);
    for (guint j = 0; j < inputs->len; j++) {
      RspEdge edge = { first + g_array_index (inputs, guint, j), read };
      if (!solver->known[edge.from])
        g_array_append_val (edges, edge);
    }
  }
  return edges;
}

/* A cycle that depends on no other: its reads, in order. */
static GArray *find_circle (const RspSolver *solver) {
  guint n = solver->pre->n, first = G_MAXUINT;
  GArray *circle = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) edges = open_edges (solver);
  g_autofree guint *component = g_new (guint, n);
  rsp_components_find (n, edges, component);
  for (guint i = 0; i < edges->len; i++) {
    const RspEdge *edge = &g_array_index (edges, RspEdge, i);
    if (component[edge->from] == component[edge->to])
      first = MIN (first, component[edge->to]);
  }
  for (guint e = 0; e < n; e++)
    if (component[e] == first)
      g_array_append_val (circle, e);
  return circle;
}

/* ---- Equations ---- */
/* The reads of one cycle. Each is a variable at first, an undetermined value; once its equation
 * links it to others, it is a shared number plus an offset. */
typedef struct Circle {
  RspSolver *solver;
  const guint *reads;
  guint n;
  guint first, last; /* the variables' numbers */
  RspValue *value;   /* per read */
  gboolean *linear;  /* per read: is its equation another read of the cycle plus an offset? */
  gboolean linked;   /* has anything been linked in this round? */
} Circle;

static void set_reads (Circle *circle) {
  for (guint i = 0; i < circle->n; i++) {
    const RspTerm *type = circle->solver->pre->events[circle->reads[i]]->read;
    RspValue value = circle->value[i];
    value.bits = rsp_wrap (value.bits, MAX (type->bits, 8), type->is_signed);
    solver_set (circle->solver, circle->reads[i], value);
  }
}

static void forget_reads (Circle *circle) {
  for (guint i = 0; i < circle->n; i++)
    circle->solver->known[circle->reads[i]] = FALSE;
}

static RspTermOutcome values_circle_evaluate (Circle *circle, guint i, RspValue *value) {
  return evaluate_term (circle->solver, circle->solver->source[circle->reads[i]],
                        &circle->solver->compounds, TRUE, value);
}

static gboolean is_variable (const Circle *circle, RspValue value) {
  return value.unknown >= circle->first && value.unknown <= circle->last;
}

/* TRUE if a value depends on the cycle. */
static gboolean is_inside (const Circle *circle, RspValue value) {
  return value.unknown
         && rsp_compounds_newest (&circle->solver->compounds, value.unknown) >= circle->first;
}

typedef enum Round {
  LINKED,    /* are all equations links? */
  COLLAPSED, /* does one not depend on the cycle? */
  NO_VALUES
} Round;

/* ---- Linking ---- */
/* From now on, undetermined value number `old` is `value`. */
static void replace (Circle *circle, guint old, RspValue value) {
  for (guint i = 0; i < circle->n; i++)
    if (circle->value[i].unknown == old)
      circle->value[i]
          = (RspValue){ .bits = (gint64) ((guint64) circle->value[i].bits + (guint64) value.bits),
                        .unknown = value.unknown };
  rsp_compounds_bind (&circle->solver->compounds, old, value);
  circle->linked = TRUE;
}

/* Equates two values of the cycle, the first of which is a variable's. FALSE if they differ by a
 * constant. */
static gboolean link_values (Circle *circle, RspValue a, RspValue b, guint8 narrowest) {
  gint64 difference = (gint64) ((guint64) a.bits - (guint64) b.bits);
  if (a.unknown == b.unknown)
    return rsp_wrap (difference, narrowest, TRUE) == 0;
  if (is_variable (circle, b) && b.unknown < a.unknown)
    replace (circle, a.unknown,
             (RspValue){ .bits = (gint64) - (guint64) difference, .unknown = b.unknown });
  else
    replace (circle, b.unknown, (RspValue){ .bits = difference, .unknown = a.unknown });
  return TRUE;
}

/* Links each read with the result of its equation. One pass is not enough: an operation on values
 * that have since been linked may equal an earlier one. */
static Round link_once (Circle *circle, guint8 narrowest) {
  circle->linked = FALSE;
  for (guint i = 0; i < circle->n; i++) {
    RspValue value;
    set_reads (circle);
    RspTermOutcome outcome = values_circle_evaluate (circle, i, &value);
    if (outcome == RSP_TERM_UNDEFINED)
      return NO_VALUES;
    if (!is_inside (circle, value))
      return COLLAPSED;
    if (!link_values (circle, circle->value[i], value, narrowest))
      return NO_VALUES;
  }
  return LINKED;
}

static Round link_all (Circle *circle) {
  guint8 narrowest = 64;
  Round round;
  for (guint i = 0; i < circle->n; i++)
    narrowest = MIN (narrowest, circle->solver->pre->events[circle->reads[i]]->read->bits);
  narrowest = MAX (narrowest, 8);
  do
    round = link_once (circle, narrowest);
  while (round == LINKED && circle->linked);
  forget_reads (circle);
  return round;
}

/* ---- Cycles of other equations ---- */
/* Does going round the cycle return value v of read `root`? Every other read must follow from it;
 * -1 if they do not. */
static int closes (Circle *circle, guint root, gint64 v) {
  RspSolver *solver = circle->solver;
  int result = -1;
  gboolean progress = TRUE;
  RspValue value;
  solver_set (solver, circle->reads[root], (RspValue){ .bits = v });
  while (progress && result < 0) {
    progress = FALSE;
    for (guint i = 0; i < circle->n; i++) {
      guint read = circle->reads[i];
      if (i != root && solver->known[read])
        continue;
      /* Operations on undetermined values are left open, or such values are variables. */
      RspTermOutcome outcome = evaluate_term (solver, solver->source[read], NULL, FALSE, &value);
      if (outcome == RSP_TERM_UNDEFINED)
        result = 0;
      else if (outcome != RSP_TERM_OPEN && i == root)
        result = outcome == RSP_TERM_OPAQUE || value.unknown || value.bits == v;
      else if (outcome == RSP_TERM_DETERMINED) {
        solver_set (solver, read, value);
        progress = TRUE;
      }
    }
  }
  forget_reads (circle);
  return result;
}

/* TRUE if no value obviously solves the cycle's equations. */
static gboolean has_no_solution (Circle *circle) {
  for (guint i = 0; i < circle->n; i++) {
    RspWide low, high;
    solver_range (circle->solver, circle->solver->source[circle->reads[i]], &low, &high);
    if (high - low >= FEW)
      continue;
    int result = 0;
    for (RspWide v = low; v <= high && result == 0; v++)
      result = closes (circle, i, (gint64) v);
    if (result == 0)
      return TRUE;
  }
  return FALSE;
}

/* ---- The whole ---- */
/* A value that every conversion leaves as it is has the range of each write of the cycle; and any
 * value has that of the writes of its widest type. */
static void limit_values (Circle *circle) {
  RspSolver *solver = circle->solver;
  guint8 widest = 0;
  for (guint i = 0; i < circle->n; i++)
    widest = MAX (widest, solver->pre->events[circle->reads[i]]->read->bits);
  for (guint i = 0; i < circle->n; i++) {
    RspWide low, high;
    solver_range (solver, solver->source[circle->reads[i]], &low, &high);
    if (circle->value[i].bits == 0 && low >= 0 && high <= G_MAXINT8)
      rsp_compounds_limit (&solver->compounds, circle->value[i].unknown, (gint64) low,
                           (gint64) high);
    const RspTerm *type = solver->pre->events[circle->reads[i]]->read;
    RspWide offset = circle->value[i].bits;
    if (type->bits == widest && widest <= 32
        && (low > rsp_type_low (widest, type->is_signed)
            || high < rsp_type_high (widest, type->is_signed)))
      rsp_compounds_limit (&solver->compounds, circle->value[i].unknown, (gint64) (low - offset),
                           (gint64) (high - offset));
  }
}

static gboolean solve_circle (Circle *circle, gboolean *thin_air) {
  /* The first evaluation of all equations. */
  Round round = LINKED;
  gboolean all_linear = TRUE;
  set_reads (circle);
  for (guint i = 0; i < circle->n && round != NO_VALUES; i++) {
    RspValue value;
    if (values_circle_evaluate (circle, i, &value) == RSP_TERM_UNDEFINED)
      round = NO_VALUES;
    else if (!is_inside (circle, value))
      round = COLLAPSED;
    circle->linear[i] = is_variable (circle, value);
    all_linear &= circle->linear[i];
  }
  forget_reads (circle);
  if (round == LINKED && !all_linear && has_no_solution (circle))
    return FALSE;
  if (round == LINKED)
    round = link_all (circle);
  if (round == NO_VALUES)
    return FALSE;
  if (round == COLLAPSED) {
    /* Some equations may have been simplified to values that do not depend on the cycle: their
     * reads are set, and the others stay open. */
    RspSolver *solver = circle->solver;
    g_autofree RspValue *value = g_new0 (RspValue, circle->n);
    gboolean any = FALSE;
    set_reads (circle);
    for (guint i = 0; i < circle->n; i++)
      values_circle_evaluate (circle, i, &value[i]);
    for (guint i = 0; i < circle->n; i++) {
      solver->known[circle->reads[i]] = FALSE;
      if (is_inside (circle, value[i]))
        continue;
      solver_set (solver, circle->reads[i], value[i]);
      any = TRUE;
    }
    return any;
  }
  *thin_air = TRUE;
  RspSolver *solver = circle->solver;
  limit_values (circle);
  set_reads (circle);
  for (guint i = 0; i < circle->n; i++)
    if (!circle->linear[i])
      solver_bind (solver, solver->source[circle->reads[i]], solver->values[circle->reads[i]]);
  return TRUE;
}

/* Call when some open reads depend on each other: gives values to those of at least one cycle.
 * FALSE if no values satisfy its equations. */
static gboolean solver_break_circle (RspSolver *solver, gboolean *thin_air) {
  g_autoptr (GArray) reads = find_circle (solver);
  Circle circle = { .solver = solver,
                    .reads = (const guint *) (gpointer) reads->data,
                    .n = reads->len,
                    .value = g_new0 (RspValue, reads->len),
                    .linear = g_new0 (gboolean, reads->len) };
  if (circle.n) {
    for (guint i = 0; i < circle.n; i++)
      circle.value[i].unknown = rsp_compounds_new_unknown (&circle.solver->compounds);
    circle.first = circle.value[0].unknown;
    circle.last = circle.value[circle.n - 1].unknown;
  }
  gboolean solved = circle.n > 0 && solve_circle (&circle, thin_air);
  g_free (circle.value);
  g_free (circle.linear);
  return solved;
}

/* ---- Values --------------------------------------------------------------------------------- */

/* Values of a complete reads-from: what each event reads and writes.
 *
 * A read's value is that of its source's term, over other reads. Almost always these can be
 * computed one after another; reads that depend on each other in a cycle are solved
 * together. */

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

/* ---- Constraints ---- */
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

/* FALSE if a pinned read cannot have its value. The result of an operation on other undetermined
 * values, which is not solved for it, has the pinned value. */
static gboolean justify_pins (RspSolver *solver, gboolean *pinned) {
  for (guint i = 0; i < solver->pre->n_reads; i++) {
    guint read = solver->pre->reads[i];
    RspValue value;
    if (!solver->pinned[read] || rsp_event_reads_any (solver->pre->events[read]))
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

static void clear_solver (RspSolver *solver) {
  rsp_compounds_clear (&solver->compounds);
  g_clear_pointer (&solver->bound, g_array_unref);
}

/* Reads that return any value, unless a constraint says which. */
static void set_any_values (RspSolver *solver) {
  for (guint i = 0; i < solver->pre->n_reads; i++) {
    guint read = solver->pre->reads[i];
    if (rsp_event_reads_any (solver->pre->events[read]) && !solver->pinned[read])
      solver_set (solver, read,
                  (RspValue){ .unknown = rsp_compounds_new_unknown (&solver->compounds) });
  }
}

/* Solves, and as long as a constraint says what an undetermined value is, once more with that.
 * pinned: is something pinned already? */
static gboolean solve_all (RspSolver *solver, gboolean pinned, RspThinAir *thin_air) {
  gboolean undetermined = FALSE, circular = FALSE, justified = TRUE;
  do {
    if (pinned) {
      /* Everything is solved anew with what is pinned. */
      for (guint i = 0; i < solver->pre->n_reads; i++)
        solver->known[solver->pre->reads[i]] = solver->pinned[solver->pre->reads[i]];
      clear_solver (solver);
      justified = FALSE;
    }
    undetermined = pinned = FALSE;
    set_any_values (solver);
    gboolean circle, solved;
    do
      solved = solve_in_order (solver, &circle)
               && (!circle || solver_break_circle (solver, &undetermined));
    while (solved && circle);
    circular |= undetermined;
    if (!solved || (!justified && !justify_pins (solver, &pinned)))
      return FALSE;
    const RspPreExecution *pre = solver->pre;
    for (guint t = 0; t < pre->program->n_threads; t++)
      for (guint i = 0; i < pre->paths[t]->n_constraints; i++)
        if (!meets (solver, t, pre->paths[t]->constraints[i].term, &pinned))
          return FALSE;
  } while (pinned);
  *thin_air = undetermined ? RSP_THIN_AIR_UNDETERMINED
              : circular   ? RSP_THIN_AIR_DETERMINED
                           : RSP_NO_THIN_AIR;
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
  RspThinAir thin_air;
  take_scratch (&trial, block);
  memcpy (trial.pinned, solver->pinned, n);
  if (!pin (&trial, value, number))
    return TRUE;
  gboolean may = solve_all (&trial, TRUE, &thin_air)
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
  gboolean solved = solve_all (&solver, FALSE, thin_air);
  for (guint e = 0; e < pre->n && solved; e++)
    solved = !pre->events[e]->written
             || solver_evaluate (&solver, e, &written[e]) != RSP_TERM_UNDEFINED;
  if (solved) {
    /* A register whose value divides by zero belongs to a path that has already failed. */
    for (guint i = 0; i < pre->program->n_observables; i++) {
      const RspObservable *observable = &pre->program->observables[i];
      if (observable->is_register)
        solver_evaluate_in_thread (&solver, observable->thread, final_term (pre, observable),
                                   &state[i]);
    }
    if (solver.compounds.n_unknowns) {
      /* Only for values that final states show. */
      const RspProgram *program = pre->program;
      gint64 numbers[RSP_MAX_COMPARED];
      guint n = rsp_compared_numbers (program, numbers);
      for (guint e = 0; e < pre->n; e++)
        if (pre->events[e]->written && rsp_location_is_shown (program, pre->events[e]->location))
          exclude (&solver, pre->events[e]->thread, pre->events[e]->written, numbers, n,
                   &written[e]);
      for (guint i = 0; i < program->n_observables; i++)
        if (program->observables[i].is_register)
          exclude (&solver, program->observables[i].thread,
                   final_term (pre, &program->observables[i]), numbers, n, &state[i]);
    }
    renumber (&solver, values, written, state);
  }
  clear_solver (&solver);
  g_free (heap);
  return solved;
}

gboolean rsp_execution_solve (RspExecution *execution, RspArena *arena) {
  const RspPreExecution *pre = execution->pre;
  guint *source = rsp_arena_new0 (arena, guint, pre->n + 1);
  for (guint w = 0; w < pre->n; w++)
    for (all_bits (r, rsp_matrix_row (execution->rf, w), execution->rf->words))
      source[r] = w;
  execution->values = rsp_arena_new0 (arena, RspValue, pre->n + 1);
  execution->written = rsp_arena_new0 (arena, RspValue, pre->n + 1);
  execution->state = rsp_arena_new0 (arena, RspValue, pre->program->n_observables + 1);
  RspThinAir thin_air;
  gboolean solved = rsp_values_solve (pre, source, execution->values, execution->written,
                                      execution->state, &thin_air);
  execution->thin_air = solved && thin_air != RSP_NO_THIN_AIR;
  return solved;
}
