#pragma once

#include "base/base.h"
#include "model/model.h"

/* ---- Between -------------------------------------------------------------------------------- */

/* Least and most: bounds of a model's nodes, computed once from bounds of its leaves. RspBounds
 * (below) follows a search. */

/* Writes a leaf's bounds into empty matrices; one that is not wanted is NULL. Constants are leaves
 * too; those of an open model have no value. */
typedef void (*RspBetweenLeaf) (gpointer data, RspNodeId id, RspMatrix *least, RspMatrix *most);

typedef struct RspBetween {
  const RspDag *dag;
  RspArena *arena;
  const RspMatrix *together; /* the only possible pairs; NULL: all are possible */
  gboolean is_part;          /* see rsp_between_new_part */
  guint8 *needed;            /* per node: does an axiom need it? */
  RspMatrix **least, **most; /* per node of which it is needed */
  RspBetweenLeaf leaf;       /* while the bounds are computed */
  gpointer data;
} RspBetween;

/* For n events. Has the bounds that decide whether plain axioms hold and flags are raised. NULL if
 * a recursive definition is not monotone. */
RspBetween *rsp_between_new (const RspStagedModel *model, guint n, RspArena *arena);

/* Upper bounds only, for callers that read `most`; a difference has the bound of its left side. */
RspBetween *rsp_between_new_upper (const RspStagedModel *model, guint n, const RspMatrix *together,
                                   RspArena *arena);

/* The same for some of an execution's events, with the others unknown. A sequence of two relations
 * may lead by way of unknown events, so that only its lower bound is known; likewise closures and
 * domains. Decides whether plain axioms fail. NULL as above. */
RspBetween *rsp_between_new_part (const RspStagedModel *model, guint n, RspArena *arena);

/* May be called again, with other bounds of the leaves. */
void rsp_between_compute (RspBetween *between, RspBetweenLeaf leaf, gpointer data);

/* Does the plain axiom hold, whatever its node contains between the bounds? Is the flag raised? */
gboolean rsp_between_holds (const RspBetween *between, const RspStagedAxiom *axiom);
gboolean rsp_between_raises (const RspBetween *between, const RspStagedAxiom *axiom);

/* TRUE only if the plain axiom fails in every execution that contains the part. */
gboolean rsp_between_fails (const RspBetween *between, const RspStagedAxiom *axiom);

/* ---- Bounds --------------------------------------------------------------------------------- */

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

/* ---- State ---------------------------------------------------------------------------------- */

/* The inside of RspBounds: private to model/bounds/.
 *
 * Nodes are those of the DAG that the axioms need, operands first. A node has two sides, lower (LO)
 * and upper (HI) bound, each a matrix of rows like RspMatrix:
 *
 *   bits      the bound
 *   delta     bits that changed since the nodes above were last refreshed
 *   changed   one bit per row: rows with a delta
 *
 * The row operations are compiled for one word and for any number: see ops.inc. */

enum { LO = 0, HI = 1 };

/* Nodes that are not operators of the DAG: base relations and their inverses, which change
 * together. */
#define NODE_LEAF ((RspNodeOp) RSP_N_NODE_OPS)

/* Where rf^-1 is among the nodes. */
enum { RF_INVERSE = 2 * RSP_LEAF_RF + 1 };

typedef struct Side {
  guint64 *bits;
  guint64 *delta;
  guint64 *changed;
  gboolean touched; /* has some row changed? */
} Side;

typedef struct Node {
  RspNodeOp op;    /* or NODE_LEAF */
  guint rows;      /* 1: a set; n: a relation */
  guint a, b;      /* operands, as indices of nodes */
  guint8 falls[2]; /* see RspNodeForm */
  guint leaf;      /* NODE_LEAF: its number times two, plus one for the inverse */
  /* rf, or rf^-1, or a union with one of them. */
  gboolean contains_rf, contains_rf_inverse;
  gboolean dynamic; /* do lo and hi differ at the root of the search? */
  guint64 *open;    /* one bit per row: rows in which they do */
  guint group;      /* FIX: index of its group */
  guint member;     /* FIX: index of the definition in the group */
  Side side[2];
  /* Used by backward passes, within the undecided bits. */
  guint64 *forbidden, *required;
  guint64 *marked; /* one bit per row: rows in which either may have bits */
  gboolean has_forbidden, has_required;
  gboolean
      on_circle; /* PLUS or SEQ, while a key is made: does an open axiom forbid its diagonal? */
} Node;

/* A recursive group of the DAG, evaluated as a whole on each side. A group inside the bodies of
 * another (on whose variables it depends) has no nodes here, and only `outer` of what follows.
 */
typedef struct Group {
  const RspFix *fix;
  guint outer;    /* the group inside which it is, or G_MAXUINT */
  GArray *inputs; /* of guint: nodes outside that its bodies, or those of groups inside it, use */
  guint *members; /* per definition: its FIX node here, or G_MAXUINT if it is not used */
  guint first;    /* the first of them in order: the group is refreshed with it */
} Group;

typedef struct AxiomState {
  const RspStagedAxiom *axiom;
  gboolean diagonal; /* are only pairs of an event with itself forbidden, or all? */
  guint node;
  /* One bit per row of the node: rows in which pairs that it forbids are possible at the root. */
  guint64 *rows;
  RspTruth truth;
  gboolean dropped;
  guint8 *needs; /* per node: does the axiom depend on it? */
} AxiomState;

/* The lengths of the trails when a level began. */
typedef struct Mark {
  gsize rows;
  guint axioms;
} Mark;

typedef struct AxiomChange {
  guint axiom;
  RspTruth truth;
  gboolean dropped;
} AxiomChange;

struct RspBounds {
  const RspStagedModel *model;
  const RspDag *dag; /* the model's, which bounds only read */
  RspArena *arena;
  guint n, words;
  const struct RspBoundsOps *ops;
  Node *nodes;
  guint n_nodes;
  guint n_leaves; /* base relations; their nodes come first, two each */
  Group *groups;
  guint n_groups;
  guint *node_of;          /* per DAG node outside all groups: its index, or G_MAXUINT */
  RspValuation *recursion; /* of the groups; NULL if there are none */
  AxiomState *axioms;
  guint n_axioms;
  guint8 *needed; /* per node: does an open axiom depend on it? */
  guint64 *trail; /* for each changed row: its former words and its address */
  gsize n_trail, trail_room;
  Side **touched; /* number of nodes with a delta */
  guint n_touched;
  AxiomChange *axiom_trail; /* at most one change per axiom */
  guint n_axiom_trail;
  Mark *marks;
  guint n_marks, marks_room;
  guint broken;                 /* the axiom because of which update last returned FALSE */
  guint64 *open_reads;          /* a row: reads with several candidates, when last updated */
  guint64 *table, *other_table; /* n rows each */
  const guint *names;           /* per event: see rsp_bounds_name; else NULL */
  guint name_words;             /* of a row of names */
  guint64 *labels;              /* per node: what it computes, distinct */
  guint64 *row_by_name;         /* scratch: name_words */
  RspHash key; /* the key being made; with names, a sum of the hashes of its entries */
};

/* The operations that depend on the width of a row. */
typedef struct RspBoundsOps {
  void (*evaluate) (RspBounds *b, Node *node); /* computes both sides from scratch */
  gboolean (*update) (RspBounds *b); /* updates sides that open axioms need; FALSE: no budget
                                      * left */
  void (*set) (RspBounds *b, Node *node, int side, guint row, guint bit, gboolean value);
  void (*forget) (RspBounds *b);
  void (*undo) (RspBounds *b, gsize to);
  RspTruth (*truth) (const RspBounds *b, const AxiomState *axiom);
  void (*start) (RspBounds *b, const AxiomState *axiom);
  void (*force) (RspBounds *b, GArray *forced);
  RspHash (*key) (RspBounds *b);
} RspBoundsOps;

static inline void bounds_lengthen_trail (RspBounds *b) {
  b->trail_room = 2 * b->trail_room + (gsize) 1024 * (b->words + 1);
  b->trail = g_renew (guint64, b->trail, b->trail_room);
}

/* Rows of one word are quick, so the search checks the clock often enough for them. */
static inline gboolean bounds_is_exhausted (const RspBounds *b) {
  return b->words > 1 && rsp_budget_is_exhausted (b->dag->budget);
}

/* Has the work been stopped, by a limit or by a definition that does not converge? A group is then
 * left in the middle of its iteration, where its bounds mean nothing. */
static inline gboolean bounds_is_stopped (const RspBounds *b) {
  return b->dag->budget && rsp_budget_stop (b->dag->budget) != RSPCHECK_STOP_COMPLETE;
}

extern const RspBoundsOps rsp_bounds_ops_1, rsp_bounds_ops_n;

/* ---- Label ---------------------------------------------------------------------------------- */

/* A label of an axiom: of its kind and its node. Call after rsp_bounds_name. */
guint64 bounds_axiom_label (const RspBounds *b, guint axiom);

/* Makes keys comparable with those of bounds of other pre-executions: events are identified by
 * names (names[e] < n_names, distinct), nodes by what they compute, and constants by the bits that
 * matter, in no order. names must outlive the bounds, and may change between keys. FALSE, with keys
 * unchanged, if the model has a recursive definition that depends on what is decided. */
gboolean rsp_bounds_name (RspBounds *bounds, const guint *names, guint n_names);

/* ---- Nodes ---------------------------------------------------------------------------------- */

/* Finds the rows in which the bounds of a node differ, and whether there are any. */
void bounds_find_open_rows (const RspBounds *b, Node *node);

/* ---- Remove --------------------------------------------------------------------------------- */

/* Does a model's verdict on an execution carry over to the execution without some reads, and
 * read-modify-writes that write what they read? (What read from one of these reads from its source
 * then.) full and part are bounds on a pre-execution and on the same one without those events;
 * kept[e] is the event of full that event e of part is. TRUE: if the model accepts an execution of
 * full, it accepts the part that remains, which raises every flag that the whole raises. FALSE
 * proves nothing. */
gboolean rsp_bounds_bear_removal (const RspBounds *full, const RspBounds *part, const guint *kept);

/* ---- Stepwise ------------------------------------------------------------------------------- */

/* Models under which an execution happens step by step. */

/* What is known about all accesses of a program, initial writes aside: the sets that all are in,
 * and the relations that all pairs of different ones are in. */
typedef struct RspUniform {
  gboolean sets[RSP_N_BASE_SETS], relations[RSP_N_BASE_RELATIONS];
} RspUniform;

/* Does an execution of the program under the model happen step by step? Then there is no cycle of
 * po and rf, and every beginning of it (events, with all that come before them) is an execution,
 * too. FALSE proves nothing. */
gboolean rsp_model_is_stepwise (const RspModel *model, const RspLanguage *language,
                                const RspUniform *uniform, const RspStageOptions *options);
