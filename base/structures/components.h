/* Strongly connected components of a directed graph (R. Tarjan, Depth-first search and linear graph
 * algorithms, SIAM J. Comput. 1, 1972), in time linear in its edges. */
#pragma once

#include <glib.h>

typedef struct RspEdge {
  guint from, to;
} RspEdge;

/* Numbers the component of each of n nodes; sources of edges have lower numbers than their targets.
 * Returns the number of components. edges is a GArray of RspEdge; it is sorted. */
guint rsp_components_find (guint n, GArray *edges, guint *component);
