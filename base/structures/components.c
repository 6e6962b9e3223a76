#include "base/structures/components.h"

typedef struct Tarjan {
  const RspEdge *edges; /* by their origin */
  guint *first;         /* per node: its first edge; n + 1 entries */
  guint *next;          /* per node: the edge to follow next */
  guint *index, *low;   /* index 0: not visited */
  guint *stack, *path;  /* open nodes; the nodes on the path to the current one */
  guint n_stack, n_path, n_visited;
  guint *component; /* G_MAXUINT: none yet */
  guint n_components;
} Tarjan;

static int compare_edges (gconstpointer a, gconstpointer b) {
  const RspEdge *x = a, *y = b;
  return (x->from > y->from) - (x->from < y->from);
}

static void enter (Tarjan *t, guint node) {
  t->index[node] = t->low[node] = ++t->n_visited;
  t->stack[t->n_stack++] = t->path[t->n_path++] = node;
}

/* Everything reachable from the last node of the path has been visited: its component may be
 * complete. */
static void leave (Tarjan *t) {
  guint node = t->path[--t->n_path], last;
  if (t->n_path)
    t->low[t->path[t->n_path - 1]] = MIN (t->low[t->path[t->n_path - 1]], t->low[node]);
  if (t->low[node] != t->index[node])
    return;
  do {
    last = t->stack[--t->n_stack];
    t->component[last] = t->n_components;
  } while (last != node);
  t->n_components++;
}

static void visit (Tarjan *t, guint root) {
  enter (t, root);
  while (t->n_path) {
    guint node = t->path[t->n_path - 1];
    if (t->next[node] == t->first[node + 1]) {
      leave (t);
      continue;
    }
    guint to = t->edges[t->next[node]++].to;
    if (!t->index[to])
      enter (t, to);
    else if (t->component[to] == G_MAXUINT)
      t->low[node] = MIN (t->low[node], t->index[to]);
  }
}

static void index_edges (Tarjan *t, guint n, const GArray *edges) {
  for (guint i = 0; i < edges->len; i++)
    t->first[g_array_index (edges, RspEdge, i).from + 1]++;
  for (guint node = 0; node < n; node++) {
    t->first[node + 1] += t->first[node];
    t->next[node] = t->first[node];
  }
}

guint rsp_components_find (guint n, GArray *edges, guint *component) {
  g_autofree guint *block = g_new0 (guint, 6 * ((gsize) n + 1));
  Tarjan t = { .first = block, .component = component };
  t.next = t.first + n + 1;
  t.index = t.next + n + 1;
  t.low = t.index + n + 1;
  t.stack = t.low + n + 1;
  t.path = t.stack + n + 1;
  g_array_sort (edges, compare_edges);
  t.edges = (const RspEdge *) (gpointer) edges->data;
  index_edges (&t, n, edges);
  for (guint node = 0; node < n; node++)
    component[node] = G_MAXUINT;
  for (guint node = 0; node < n; node++)
    if (!t.index[node])
      visit (&t, node);
  /* A component is complete if all that it leads to are. */
  for (guint node = 0; node < n; node++)
    component[node] = t.n_components - 1 - component[node];
  return t.n_components;
}
