/* Bounds: a staged model on a partial execution.
 *
 * Every node r of the DAG has a lower bound r- (pairs in every completion) and an upper bound r+
 * (pairs in some). Along a branch of the search lower bounds only grow and upper bounds only
 * shrink; a trail undoes both. From the bounds follow, per axiom, whether it holds in all
 * completions, in none, or is open; and, backwards, which undecided pairs of the base relations an
 * open plain axiom forbids or requires.
 *
 *   axiom  r- breaks it             → no completion passes
 *          r+ passes it             → every completion passes: settled
 *   \      (a \ b)- = a- \ b+       (a \ b)+ = a+ \ b-        the others are monotone
 *   rf     every event with candidates (pairs of rf+ to it) reads from one of them: what all of them have in common is certain
 *
 * Backwards (forbid): if a pair must not be in a;b, then, with b- known, neither must the pairs of
 * a that would produce it; and so on through each operator, until a base relation is reached. */
#pragma once

#include "base/hash.h"
#include "base/truth.h"
#include "model/model.h"

typedef enum RspLeaf {
  RSP_LEAF_RF,
  RSP_LEAF_CO,
  RSP_LEAF_ORDER /* + index of a chosen order */
} RspLeaf;

typedef struct RspBounds RspBounds;

/* Starts with the given bounds of rf (write → read) and co, and for each chosen order of the model
 * with none and all distinct pairs of its set. NULL if the budget is exhausted. */
RspBounds *rsp_bounds_new (const RspStagedModel *model, RspExtent rf, RspExtent co,
                           RspArena *arena);
void rsp_bounds_free (RspBounds *bounds);

/* The rows of a base relation's bounds, and of its inverse's. */
const guint64 *rsp_bounds_lo (const RspBounds *bounds, guint leaf, guint row);
const guint64 *rsp_bounds_hi (const RspBounds *bounds, guint leaf, guint row);
const guint64 *rsp_bounds_inverse_lo (const RspBounds *bounds, guint leaf, guint row);
const guint64 *rsp_bounds_inverse_hi (const RspBounds *bounds, guint leaf, guint row);

/* Adds a pair to the lower bound, or removes it from the upper bound. The caller keeps lo within
 * hi. */
void rsp_bounds_decide (RspBounds *bounds, guint leaf, guint a, guint b);
void rsp_bounds_exclude (RspBounds *bounds, guint leaf, guint a, guint b);

/* Levels of the trail. pop undoes everything since the matching push. */
void rsp_bounds_push (RspBounds *bounds);
void rsp_bounds_pop (RspBounds *bounds);

/* Updates the open axioms after decisions and exclusions. FALSE if a plain axiom fails in all
 * completions or the budget is exhausted. */
gboolean rsp_bounds_update (RspBounds *bounds);
guint rsp_bounds_broken (const RspBounds *bounds); /* which, after FALSE */
RspTruth rsp_bounds_axiom (const RspBounds *bounds, guint axiom);

/* Is the axiom open and not dropped? */
gboolean rsp_bounds_is_followed (const RspBounds *bounds, guint axiom);

/* Stop following an axiom from this level of the trail on: its truth no longer matters. */
void rsp_bounds_drop (RspBounds *bounds, guint axiom);

/* One undecided pair of a base relation that an open plain axiom forbids (must not be in) or
 * requires. */
typedef struct RspForced {
  guint leaf, a, b;
  gboolean required;
} RspForced;

/* Appends to forced (of RspForced) the pairs that the open plain axioms force; call after
 * update. */
void rsp_bounds_force (RspBounds *bounds, GArray *forced);
/* The same for one axiom alone. Over all axioms, these calls give the result of rsp_bounds_force,
 * with some pairs repeated. */
void rsp_bounds_force_by (RspBounds *bounds, guint axiom, GArray *forced);

/* A hash of what the open axioms can still distinguish: two states of one RspBounds with equal
 * keys, and equal open parts of the base relations, have the same truth of the open axioms in
 * corresponding completions. */
RspHash rsp_bounds_key (RspBounds *bounds);
