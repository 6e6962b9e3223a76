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
 * give equal results (compound.h). Congruence closure finds this: the equations are evaluated
 * repeatedly, and values that turn out to be equal are linked. */
#include "enumerator/values/values_circle.h"
#include "base/structures/components.h"

enum { FEW = 256 };

/* ---- Which reads ---- */

static GArray *open_reads_of (const RspSolver *solver, guint read) {
  GArray *reads = g_array_new (FALSE, FALSE, sizeof (guint));
  guint first = solver_first_event (solver, solver->source[read]), kept = 0;
  rsp_term_add_reads (solver_term (solver, read), reads);
  for (guint i = 0; i < reads->len; i++) {
    guint event = first + g_array_index (reads, guint, i);
    if (!solver->known[event])
      g_array_index (reads, guint, kept++) = event;
  }
  g_array_set_size (reads, kept);
  return reads;
}

/* Edges lead from what a read depends on to the read. */
static GArray *open_edges (const RspSolver *solver) {
  const RspPreExecution *pre = solver->pre;
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (RspEdge));
  for (guint i = 0; i < pre->n_reads; i++)
    if (!solver->known[pre->reads[i]]) {
      g_autoptr (GArray) inputs = open_reads_of (solver, pre->reads[i]);
      for (guint k = 0; k < inputs->len; k++) {
        RspEdge edge = { g_array_index (inputs, guint, k), pre->reads[i] };
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

static RspTermOutcome evaluate (Circle *circle, guint i, RspValue *value) {
  return solver_evaluate_symbolic (circle->solver, circle->solver->source[circle->reads[i]], value);
}

static gboolean is_variable (const Circle *circle, RspValue value) {
  return value.unknown >= circle->first && value.unknown <= circle->last;
}

/* Does a value depend on the cycle? */
static gboolean is_inside (const Circle *circle, RspValue value) {
  return value.unknown
         && rsp_compounds_newest (&circle->solver->compounds, value.unknown) >= circle->first;
}

/* Some equations may have been simplified to values that do not depend on the cycle: their reads
 * are set, and the others stay open. */
static gboolean set_collapsed (Circle *circle) {
  RspSolver *solver = circle->solver;
  g_autofree RspValue *value = g_new0 (RspValue, circle->n);
  gboolean any = FALSE;
  set_reads (circle);
  for (guint i = 0; i < circle->n; i++)
    evaluate (circle, i, &value[i]);
  for (guint i = 0; i < circle->n; i++) {
    solver->known[circle->reads[i]] = FALSE;
    if (is_inside (circle, value[i]))
      continue;
    solver_set (solver, circle->reads[i], value[i]);
    any = TRUE;
  }
  return any;
}

typedef enum Round {
  LINKED,    /* are all equations links? */
  COLLAPSED, /* does one not depend on the cycle? */
  NO_VALUES
} Round;

/* The first evaluation of all equations. */
static Round look_at_equations (Circle *circle) {
  Round round = LINKED;
  set_reads (circle);
  for (guint i = 0; i < circle->n && round != NO_VALUES; i++) {
    RspValue value;
    if (evaluate (circle, i, &value) == RSP_TERM_UNDEFINED)
      round = NO_VALUES;
    else if (!is_inside (circle, value))
      round = COLLAPSED;
    circle->linear[i] = is_variable (circle, value);
  }
  forget_reads (circle);
  return round;
}

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
    RspTermOutcome outcome = evaluate (circle, i, &value);
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
      RspTermOutcome outcome = solver_probe (solver, solver->source[read], &value);
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

/* Is it obvious that no value solves the cycle's equations? */
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

static gboolean all_linear (const Circle *circle) {
  for (guint i = 0; i < circle->n; i++)
    if (!circle->linear[i])
      return FALSE;
  return TRUE;
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

static void fix_values (Circle *circle) {
  RspSolver *solver = circle->solver;
  limit_values (circle);
  set_reads (circle);
  for (guint i = 0; i < circle->n; i++)
    if (!circle->linear[i])
      solver_bind (solver, solver->source[circle->reads[i]], solver->values[circle->reads[i]]);
}

static gboolean solve_circle (Circle *circle, gboolean *thin_air) {
  Round round = look_at_equations (circle);
  if (round == LINKED && !all_linear (circle) && has_no_solution (circle))
    return FALSE;
  if (round == LINKED)
    round = link_all (circle);
  if (round == NO_VALUES)
    return FALSE;
  if (round == COLLAPSED)
    return set_collapsed (circle);
  *thin_air = TRUE;
  fix_values (circle);
  return TRUE;
}

static void make_variables (Circle *circle) {
  for (guint i = 0; i < circle->n; i++)
    circle->value[i].unknown = rsp_compounds_new_unknown (&circle->solver->compounds);
  circle->first = circle->value[0].unknown;
  circle->last = circle->value[circle->n - 1].unknown;
}

gboolean solver_break_circle (RspSolver *solver, gboolean *thin_air) {
  g_autoptr (GArray) reads = find_circle (solver);
  Circle circle = { .solver = solver,
                    .reads = (const guint *) (gpointer) reads->data,
                    .n = reads->len,
                    .value = g_new0 (RspValue, reads->len),
                    .linear = g_new0 (gboolean, reads->len) };
  if (circle.n)
    make_variables (&circle);
  gboolean solved = circle.n > 0 && solve_circle (&circle, thin_air);
  g_free (circle.value);
  g_free (circle.linear);
  return solved;
}
