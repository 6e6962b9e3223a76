/* Costs of edges: how much it takes to show that an edge is in a term, or what is missing if it is
 * not. Both are computed for all pairs at once, by the rules of the term's operators over (minimum,
 * plus) in place of (or, and): a sequence is a matrix product, a closure shortest paths (Floyd
 * 1962). */
#ifndef EXPLAIN_COSTS_H
#define EXPLAIN_COSTS_H

#include "model/trace.h"

enum
{
  COST_INFINITE = 1 << 24,
  COST_UNIT = 256,            /* of what is missing; less than that are the steps of a path */
  COST_FIXED = 64 * COST_UNIT /* what no change of a word would bring about */
};

typedef struct Costs Costs;

/* sizes: of a shortest derivation, in base edges; infinite where there is none. Otherwise of what is
 * missing, weighted by how firmly the program fixes it; 0 where nothing is. Terms are over n events
 * and must outlive it. plain: the events that do not synchronise (a set, copied by reference; NULL:
 * none): what is missing of them counts more. */
Costs *costs_new (guint n, gboolean sizes, const RspMatrix *plain);
void costs_free (Costs *costs);
/* Of (a, b) in the term; of a set, a alone counts. */
guint cost_of (Costs *costs, const RspTraceTerm *term, guint a, guint b);
/* All of a relation's, n × n, row by row; of a set, n. The costs'. */
const guint *costs_of (Costs *costs, const RspTraceTerm *term);

/* Paths along the edges of a relation: the cost of a shortest one of at least one edge, from and to
 * each event (n × n); and the event after `from` on one. Edges cost at least 1. */
const guint *costs_of_paths (Costs *costs, const RspTraceTerm *relation);
guint costs_next (Costs *costs, const RspTraceTerm *relation, guint from, guint to);

gboolean term_has (const RspTraceTerm *term, guint a, guint b);

#endif
