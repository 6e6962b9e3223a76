/* Values that justify each other in a circle.
 *
 * Going once round a circle of reads gives an equation x = f (x). Where f adds a constant c
 * (through casts too, modulo the narrowest type on the way), every value solves it when c is 0, and
 * none does otherwise. In the first case nothing says which value: it stays undetermined, one
 * number for the circle, the reads' values being that number plus offsets. Any other f (x | 1, a
 * product, a comparison) is not solved: what is written by it is undetermined by itself; but where
 * the values f can give are few, and none of them satisfies the equation, there is no solution and
 * the candidate is dropped. */
#include "enumerator/values/values_private.h"

enum
{
  FEW = 256
};

/* ---- Strongly connected components (Tarjan) of the open reads ---- */

typedef struct Components
{
  RspSolver *solver;
  guint *index; /* 0: not visited */
  guint *low;
  guint n;
  GArray *stack;     /* of guint */
  GArray *component; /* of guint: the first circle found, dependencies before dependents */
  gboolean found;
} Components;

static GArray *
open_reads_of (const RspSolver *solver, guint read)
{
  GArray *reads = g_array_new (FALSE, FALSE, sizeof (guint));
  guint first = rsp_solver_first_event (solver, solver->source[read]), kept = 0;
  rsp_term_add_reads (rsp_solver_term (solver, read), reads);
  for (guint i = 0; i < reads->len; i++)
    {
      guint event = first + g_array_index (reads, guint, i);
      if (!solver->known[event])
        g_array_index (reads, guint, kept++) = event;
    }
  g_array_set_size (reads, kept);
  return reads;
}

static void
take_component (Components *c, guint root, gboolean loops)
{
  guint read;
  g_array_set_size (c->component, 0);
  do
    {
      read = g_array_index (c->stack, guint, c->stack->len - 1);
      g_array_set_size (c->stack, c->stack->len - 1);
      c->low[read] = G_MAXUINT; /* done */
      g_array_append_val (c->component, read);
    }
  while (read != root);
  c->found = loops || c->component->len > 1;
}

static void
visit (Components *c, guint read)
{
  GArray *inputs = open_reads_of (c->solver, read);
  gboolean loops = FALSE;
  c->index[read] = c->low[read] = ++c->n;
  g_array_append_val (c->stack, read);
  for (guint i = 0; i < inputs->len && !c->found; i++)
    {
      guint input = g_array_index (inputs, guint, i);
      loops |= input == read;
      if (!c->index[input])
        visit (c, input);
      if (c->low[input] != G_MAXUINT)
        c->low[read] = MIN (c->low[read], c->low[input]);
    }
  g_array_unref (inputs);
  if (!c->found && c->low[read] == c->index[read])
    take_component (c, read, loops);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;
  return x < y ? -1 : x > y;
}

/* One circle that hangs on no other: its reads, in order. */
static GArray *
find_circle (RspSolver *solver)
{
  const RspPreExecution *pre = solver->pre;
  Components c = { .solver = solver,
                   .index = g_new0 (guint, pre->n),
                   .low = g_new0 (guint, pre->n),
                   .stack = g_array_new (FALSE, FALSE, sizeof (guint)),
                   .component = g_array_new (FALSE, FALSE, sizeof (guint)) };
  for (guint i = 0; i < pre->n_reads && !c.found; i++)
    if (!solver->known[pre->reads[i]] && !c.index[pre->reads[i]])
      visit (&c, pre->reads[i]);
  g_free (c.index);
  g_free (c.low);
  g_array_unref (c.stack);
  g_array_sort (c.component, compare_numbers);
  return c.component;
}

/* ---- Equations ---- */

/* A read of the circle, given that the reads of the circle are undetermined values: it is read
 * number `input` of the circle plus `offset`, or something opaque. */
typedef struct Equation
{
  guint read;
  RspTermOutcome outcome;
  RspValue value; /* unknown: 1 + the number in the circle, on top of `first_variable` */
} Equation;

typedef struct Circle
{
  RspSolver *solver;
  Equation *equations;
  guint n;
  guint first_variable; /* unknown number of the first read of the circle */
} Circle;

static guint8
type_bits (const Circle *circle, guint i)
{
  return circle->solver->pre->events[circle->equations[i].read]->read->bits;
}

static gboolean
is_linear (const Circle *circle, guint i)
{
  const Equation *equation = &circle->equations[i];
  return equation->outcome == RSP_TERM_DETERMINED
         && equation->value.unknown >= circle->first_variable;
}

static guint
input (const Circle *circle, guint i)
{
  return circle->equations[i].value.unknown - circle->first_variable;
}

/* Evaluates every equation of the circle with a variable for each of its reads. */
static void
set_equations (Circle *circle)
{
  RspSolver *solver = circle->solver;
  for (guint i = 0; i < circle->n; i++)
    rsp_solver_set (solver, circle->equations[i].read,
                    (RspValue){ .unknown = circle->first_variable + i });
  for (guint i = 0; i < circle->n; i++)
    {
      Equation *equation = &circle->equations[i];
      equation->outcome
          = rsp_solver_evaluate (solver, solver->source[equation->read], TRUE, &equation->value);
    }
  for (guint i = 0; i < circle->n; i++)
    solver->known[circle->equations[i].read] = FALSE;
}

/* An equation may have collapsed to a value that needs nothing of the circle: it is set, and there
 * is progress. */
static gboolean
set_collapsed (Circle *circle)
{
  gboolean any = FALSE;
  for (guint i = 0; i < circle->n; i++)
    if (circle->equations[i].outcome == RSP_TERM_DETERMINED && !is_linear (circle, i))
      {
        rsp_solver_set (circle->solver, circle->equations[i].read, circle->equations[i].value);
        any = TRUE;
      }
  return any;
}

/* The read whose value that of read i is an offset from, at the end of linear equations; *offset.
 * For a circle of linear equations it is `start`. */
static guint
follow (const Circle *circle, guint i, guint start, gint64 *offset)
{
  *offset = 0;
  do
    {
      *offset = (gint64) ((guint64) *offset + (guint64) circle->equations[i].value.bits);
      i = input (circle, i);
    }
  while (i != start && is_linear (circle, i));
  return i;
}

/* The circle whose equations are all linear. FALSE: once round it adds up to something. */
static gboolean
solve_linear (Circle *circle)
{
  guint8 narrowest = 64;
  gint64 sum, offset;
  for (guint i = 0; i < circle->n; i++)
    narrowest = MIN (narrowest, type_bits (circle, i));
  follow (circle, 0, 0, &sum);
  if (rsp_wrap (sum, MAX (narrowest, 8), TRUE) != 0)
    return FALSE;
  guint number = rsp_solver_new_unknown (circle->solver);
  rsp_solver_set (circle->solver, circle->equations[0].read, (RspValue){ .unknown = number });
  for (guint i = 1; i < circle->n; i++)
    {
      follow (circle, i, 0, &offset);
      rsp_solver_set (circle->solver, circle->equations[i].read,
                      (RspValue){ .bits = offset, .unknown = number });
    }
  return TRUE;
}

/* ---- Circles of other equations ---- */

/* Does some way round the circle bring value v of read `root` back? Every other read must follow
 * from it. -1: they do not. */
static int
closes (Circle *circle, guint root, gint64 v)
{
  RspSolver *solver = circle->solver;
  int result = -1;
  gboolean progress = TRUE;
  RspValue value;
  rsp_solver_set (solver, circle->equations[root].read, (RspValue){ .bits = v });
  while (progress && result < 0)
    {
      progress = FALSE;
      for (guint i = 0; i < circle->n; i++)
        {
          guint read = circle->equations[i].read;
          if (i != root && solver->known[read])
            continue;
          RspTermOutcome outcome
              = rsp_solver_evaluate (solver, solver->source[read], FALSE, &value);
          if (outcome == RSP_TERM_UNDEFINED)
            result = 0;
          else if (outcome != RSP_TERM_OPEN && i == root)
            result = outcome == RSP_TERM_OPAQUE || value.unknown || value.bits == v;
          else if (outcome == RSP_TERM_DETERMINED)
            {
              rsp_solver_set (solver, read, value);
              progress = TRUE;
            }
        }
    }
  for (guint i = 0; i < circle->n; i++)
    solver->known[circle->equations[i].read] = FALSE;
  return result;
}

/* Is it plain that no value solves the circle's equations? */
static gboolean
has_no_solution (Circle *circle)
{
  for (guint i = 0; i < circle->n; i++)
    {
      RspWide low, high;
      rsp_term_range (rsp_solver_term (circle->solver, circle->equations[i].read), &low, &high);
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

static gboolean
solve_opaque (Circle *circle)
{
  gint64 offset;
  if (has_no_solution (circle))
    return FALSE;
  for (guint i = 0; i < circle->n; i++)
    {
      guint root = i;
      offset = 0;
      if (is_linear (circle, i))
        root = follow (circle, i, G_MAXUINT, &offset);
      guint source = circle->solver->source[circle->equations[root].read];
      guint number = rsp_solver_number_write (circle->solver, source);
      rsp_solver_set (circle->solver, circle->equations[i].read,
                      (RspValue){ .bits = offset, .unknown = number });
    }
  return TRUE;
}

static gboolean
solve_circle (Circle *circle, gboolean *thin_air)
{
  gboolean linear = TRUE;
  set_equations (circle);
  if (set_collapsed (circle))
    return TRUE;
  for (guint i = 0; i < circle->n; i++)
    {
      if (circle->equations[i].outcome == RSP_TERM_UNDEFINED)
        return FALSE;
      linear &= is_linear (circle, i);
    }
  *thin_air = TRUE;
  return linear ? solve_linear (circle) : solve_opaque (circle);
}

gboolean
rsp_solver_break_circle (RspSolver *solver, gboolean *thin_air)
{
  GArray *reads = find_circle (solver);
  Circle circle = { .solver = solver,
                    .equations = g_new0 (Equation, reads->len),
                    .n = reads->len,
                    .first_variable = G_MAXUINT / 2 };
  for (guint i = 0; i < reads->len; i++)
    circle.equations[i].read = g_array_index (reads, guint, i);
  gboolean solved = reads->len > 0 && solve_circle (&circle, thin_air);
  g_free (circle.equations);
  g_array_unref (reads);
  return solved;
}
