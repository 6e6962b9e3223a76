/* Costs of edges: the size of a derivation if an edge is in a term, or of what is missing if it is
 * not. Both are computed for all pairs at once, by the rules of the term's operators over (minimum,
 * plus) in place of (or, and): a sequence is a matrix product, a closure shortest paths (Floyd
 * 1962). */
#pragma once

#include "model/trace/trace.h"

enum {
  COST_INFINITE = 1 << 24,
  COST_UNIT = 256,            /* unit of what is missing; the steps of a path cost less */
  COST_FIXED = 64 * COST_UNIT /* cost of what no change of a word would achieve */
};

typedef struct Costs Costs;

/* sizes: the costs are sizes of shortest derivations, in base edges; infinite if there is none.
 * Otherwise they are sizes of what is missing, weighted by how firmly the program fixes it; 0 if
 * nothing is missing. Terms are over n events and must outlive it. plain: the events that do not
 * synchronise (a set, kept by reference; NULL: none), whose missing edges cost more. */
Costs *costs_new (guint n, gboolean sizes, const RspMatrix *plain);
void costs_free (Costs *costs);
/* The cost of (a, b) in the term; for a set, only a matters. */
guint cost_of (Costs *costs, const RspTraceTerm *term, guint a, guint b);

/* Paths along the edges of a relation: the cost of a shortest one of at least one edge, from and to
 * each event (n × n); and the event after `from` on one. Edges cost at least 1. */
const guint *costs_of_paths (Costs *costs, const RspTraceTerm *relation);
guint costs_next (Costs *costs, const RspTraceTerm *relation, guint from, guint to);

gboolean term_has (const RspTraceTerm *term, guint a, guint b);
