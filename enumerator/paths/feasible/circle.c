/* Which locations may hold values that justify each other in a circle?
 *
 * An edge leads from the location of a read to that of a write whose value depends on it. A circle
 * of values goes round a circle of edges whose offsets add up to 0. So in a strongly connected
 * component there can be one where some value is more than a read plus a constant, where offsets of
 * both signs meet, or where edges without an offset alone make a circle (offsets of one sign add up
 * to 0 only by going round all the numbers of the type, which takes more writes than there are). */
#include "enumerator/paths/feasible/circle.h"
#include "enumerator/terms/evaluate.h"

typedef enum EdgeKind
{
  PLAIN,  /* the value read */
  UP,     /* plus a positive constant */
  DOWN,   /* plus a negative one */
  OPAQUE, /* anything else */
  N_EDGE_KINDS
} EdgeKind;

typedef struct Graph
{
  const RspFeasibility *f;
  RspArena *arena;
  RspMatrix *edges[N_EDGE_KINDS]; /* on locations */
  guint64 reach;                  /* the sum of all offsets, without signs */
  guint8 narrowest;               /* bits of the narrowest value with an offset */
} Graph;

static EdgeKind
classify (Graph *graph, const RspPathFacts *facts, const RspWriteFacts *write)
{
  RspValue *values = graph->f->values, value;
  if (write->n_reads != 1)
    return OPAQUE;
  values[facts->reads[write->reads[0]].event] = (RspValue){ .unknown = 1 };
  RspEvaluation evaluation = { .reads = values, .symbolic = TRUE };
  if (rsp_term_evaluate_outcome (write->term, &evaluation, &value) != RSP_TERM_DETERMINED
      || !value.unknown)
    return OPAQUE;
  guint8 bits = MAX (write->term->bits, 8);
  gint64 offset = rsp_wrap (value.bits, bits, TRUE);
  if (offset == 0)
    return PLAIN;
  graph->narrowest = MIN (graph->narrowest, bits);
  graph->reach
      += MIN (offset < 0 ? -(guint64) offset : (guint64) offset, G_GUINT64_CONSTANT (1) << 40);
  return offset > 0 ? UP : DOWN;
}

static void
add_edges (Graph *graph, const RspPathFacts *facts)
{
  for (guint i = 0; i < facts->n_writes; i++)
    {
      const RspWriteFacts *write = &facts->writes[i];
      if (!write->n_reads)
        continue;
      EdgeKind kind = classify (graph, facts, write);
      for (guint j = 0; j < write->n_reads; j++)
        rsp_matrix_add (graph->edges[kind], facts->reads[write->reads[j]].location,
                        write->location);
    }
}

/* Is there an edge of the kind inside the component of location a? */
static gboolean
component_has (const Graph *graph, EdgeKind kind, const RspMatrix *closure, guint a)
{
  const RspMatrix *edges = graph->edges[kind];
  for (guint b = 0; b < edges->n; b++)
    if (rsp_matrix_get (closure, a, b) && rsp_matrix_get (closure, b, a))
      for (all_bits (c, rsp_matrix_row (edges, b), edges->words))
        if (rsp_matrix_get (closure, c, a))
          return TRUE;
  return FALSE;
}

static RspMatrix *
close_all (const Graph *graph)
{
  RspMatrix *closure = rsp_matrix_copy (graph->arena, graph->edges[PLAIN]);
  for (guint kind = UP; kind < N_EDGE_KINDS; kind++)
    rsp_matrix_union (closure, closure, graph->edges[kind]);
  rsp_relation_close (closure);
  return closure;
}

static void
mark_circles (const Graph *graph, const RspMatrix *all, guint8 *circles)
{
  RspMatrix *plain = rsp_matrix_copy (graph->arena, graph->edges[PLAIN]);
  rsp_relation_close (plain);
  for (guint a = 0; a < all->n; a++)
    if (rsp_matrix_get (all, a, a))
      {
        gboolean up = component_has (graph, UP, all, a);
        gboolean down = component_has (graph, DOWN, all, a);
        circles[a] = rsp_matrix_get (plain, a, a) || (up && down)
                     || component_has (graph, OPAQUE, all, a)
                     || ((up || down) && graph->reach >> (MIN (graph->narrowest, 40) - 1));
      }
}

/* Numbers the components: first those that nothing leads to. */
static void
number_components (RspFeasibility *f, const RspMatrix *all)
{
  guint left = all->n;
  for (guint i = 0; i < all->n; i++)
    f->component[i] = G_MAXUINT;
  while (left)
    for (guint a = 0; a < all->n; a++)
      {
        gboolean ready = f->component[a] == G_MAXUINT;
        for (guint b = 0; b < all->n && ready; b++)
          ready = f->component[b] != G_MAXUINT || !rsp_matrix_get (all, b, a)
                  || rsp_matrix_get (all, a, b);
        if (!ready)
          continue;
        for (guint b = 0; b < all->n; b++)
          if (b == a || (rsp_matrix_get (all, a, b) && rsp_matrix_get (all, b, a)))
            {
              f->component[b] = f->n_components;
              left--;
            }
        f->n_components++;
      }
}

void
feasibility_find_components (RspFeasibility *f)
{
  guint n = f->program->n_locations;
  Graph graph = { .f = f, .arena = rsp_arena_new (), .narrowest = 64 };
  f->circles = rsp_arena_new0 (f->arena, guint8, n + 1);
  f->component = rsp_arena_new0 (f->arena, guint, n + 1);
  for (guint kind = 0; kind < N_EDGE_KINDS; kind++)
    graph.edges[kind] = rsp_relation_new (graph.arena, n);
  for (guint t = 0; t < f->program->n_threads; t++)
    for (guint i = 0; i < f->facts[t]->len && !rsp_feasibility_is_late (f); i++)
      add_edges (&graph, f->facts[t]->pdata[i]);
  RspMatrix *all = close_all (&graph);
  mark_circles (&graph, all, f->circles);
  number_components (f, all);
  rsp_arena_free (graph.arena);
}
