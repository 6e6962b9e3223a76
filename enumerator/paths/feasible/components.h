/* Strongly connected components of a directed graph (R. Tarjan, Depth-first search and linear graph
 * algorithms, SIAM J. Comput. 1, 1972), in time linear in its edges. */
#ifndef RSP_ENUMERATOR_PATHS_FEASIBLE_COMPONENTS_H
#define RSP_ENUMERATOR_PATHS_FEASIBLE_COMPONENTS_H

#include <glib.h>

typedef struct Edge
{
  guint from, to;
} Edge;

/* Numbers the component of each of n nodes; sources of edges have lower numbers than their targets.
 * Returns the number of components. edges is a GArray of Edge; it is sorted. */
guint find_components (guint n, GArray *edges, guint *component);

#endif
