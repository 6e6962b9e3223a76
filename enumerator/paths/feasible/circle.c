/* Finds the locations that may hold values that justify each other in a cycle.
 *
 * An edge leads from the location of a read to that of a write whose value depends on it. A cycle
 * of values follows a cycle of edges whose offsets add up to 0. So a strongly connected component
 * can have one only if some value is more than a read plus a constant, if offsets of both signs
 * meet, or if edges without an offset form a cycle on their own (offsets of one sign add up to 0
 * only by running through all the numbers of the type, which takes more writes than there are). */
#include "base/structures/components.h"
#include "enumerator/paths/feasible/circle.h"
#include "enumerator/terms/evaluate.h"

typedef enum EdgeKind {
  PLAIN,  /* the value read */
  UP,     /* plus a positive constant */
  DOWN,   /* plus a negative one */
  OPAQUE, /* anything else */
  N_EDGE_KINDS
} EdgeKind;

typedef struct Graph {
  const RspFeasibility *f;
  GHashTable *seen;            /* edges with their kinds, as numbers: each is kept once */
  GArray *edges[N_EDGE_KINDS]; /* of RspEdge, on locations */
  guint64 reach;               /* the sum of all offsets, without signs */
  guint8 narrowest;            /* bits of the narrowest value with an offset */
} Graph;

static EdgeKind classify (Graph *graph, const RspPathFacts *facts, const RspWriteFacts *write) {
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

static void add_edge (Graph *graph, EdgeKind kind, guint from, guint to) {
  gsize key = ((gsize) from * graph->f->program->n_locations + to) * N_EDGE_KINDS + kind;
  RspEdge edge = { from, to };
  if (g_hash_table_add (graph->seen, GSIZE_TO_POINTER (key)))
    g_array_append_val (graph->edges[kind], edge);
}

static void add_edges (Graph *graph, const RspPathFacts *facts) {
  for (guint i = 0; i < facts->n_writes; i++) {
    const RspWriteFacts *write = &facts->writes[i];
    if (!write->n_reads)
      continue;
    EdgeKind kind = classify (graph, facts, write);
    for (guint j = 0; j < write->n_reads; j++)
      add_edge (graph, kind, facts->reads[write->reads[j]].location, write->location);
  }
}

/* Per component, one bit for each kind of inner edge. */
static void note_inner_edges (const Graph *graph, const guint *component, guint8 *kinds) {
  for (guint kind = 0; kind < N_EDGE_KINDS; kind++)
    for (guint i = 0; i < graph->edges[kind]->len; i++) {
      RspEdge edge = g_array_index (graph->edges[kind], RspEdge, i);
      if (component[edge.from] == component[edge.to])
        kinds[component[edge.from]] |= (guint8) (1u << kind);
    }
}

/* Can a component with inner edges of these kinds have a cycle of values? (Cycles of plain edges
 * alone are searched for location by location.) */
static gboolean has_circle (const Graph *graph, guint8 kinds) {
  gboolean up = kinds & 1u << UP, down = kinds & 1u << DOWN;
  return kinds & 1u << OPAQUE || (up && down)
         || ((up || down) && graph->reach >> (MIN (graph->narrowest, 40) - 1));
}

static void mark_circles (const Graph *graph, const guint *component, guint8 *circles) {
  guint n = graph->f->program->n_locations;
  g_autofree guint8 *kinds = g_new0 (guint8, n + 1), *plain_kinds = g_new0 (guint8, n + 1);
  g_autofree guint *plain = g_new (guint, n + 1);
  note_inner_edges (graph, component, kinds);
  rsp_components_find (n, graph->edges[PLAIN], plain);
  note_inner_edges (graph, plain, plain_kinds);
  for (guint a = 0; a < n; a++)
    circles[a] = has_circle (graph, kinds[component[a]]) || plain_kinds[plain[a]] & 1u << PLAIN;
}

void feasibility_find_components (RspFeasibility *f) {
  guint n = f->program->n_locations;
  Graph graph = { .f = f, .seen = g_hash_table_new (NULL, NULL), .narrowest = 64 };
  f->circles = rsp_arena_new0 (f->arena, guint8, n + 1);
  f->component = rsp_arena_new0 (f->arena, guint, n + 1);
  for (guint kind = 0; kind < N_EDGE_KINDS; kind++)
    graph.edges[kind] = g_array_new (FALSE, FALSE, sizeof (RspEdge));
  for (guint t = 0; t < f->program->n_threads; t++)
    for (guint i = 0; i < f->facts[t]->len && !feasibility_is_exhausted (f); i++)
      add_edges (&graph, f->facts[t]->pdata[i]);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (RspEdge));
  for (guint kind = 0; kind < N_EDGE_KINDS; kind++)
    g_array_append_vals (all, graph.edges[kind]->data, graph.edges[kind]->len);
  f->n_components = rsp_components_find (n, all, f->component);
  mark_circles (&graph, f->component, f->circles);
  for (guint kind = 0; kind < N_EDGE_KINDS; kind++)
    g_array_unref (graph.edges[kind]);
  g_hash_table_unref (graph.seen);
}
