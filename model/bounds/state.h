/* The inside of RspBounds: private to model/bounds/.
 *
 * Nodes are those of the DAG that the axioms need, operands first. A node has two sides, lower (LO)
 * and upper (HI) bound, each a matrix of rows like RspMatrix:
 *
 *   bits      the bound
 *   delta     bits that changed since the nodes above were last refreshed
 *   changed   one bit per row: rows with a delta
 *
 * The row operations are compiled per width (1, 2, 4 and any number of words): see ops.inc. */
#ifndef RSP_MODEL_BOUNDS_STATE_H
#define RSP_MODEL_BOUNDS_STATE_H

#include "model/bounds/bounds.h"

enum
{
  LO = 0,
  HI = 1
};

/* Nodes that are not operators of the DAG: base relations and their inverses, moved together. */
enum
{
  NODE_LEAF = 100
};

typedef struct Side
{
  guint64 *bits;
  guint64 *delta;
  guint64 *changed;
  gboolean touched; /* some row changed */
} Side;

typedef struct Node
{
  guint op;         /* RspNodeOp, or NODE_LEAF */
  guint rows;       /* 1: a set; n: a relation */
  guint a, b;       /* operands, as indices of nodes */
  guint leaf;       /* NODE_LEAF: which, times two, plus one for the inverse */
  gboolean dynamic; /* lo and hi differ somewhere at the root */
  guint group;      /* FIX: index of its group */
  guint member;     /* FIX: which definition of the group */
  Side side[2];
  /* Backward passes; all within the undecided bits. */
  guint64 *forbidden, *required;
  guint64 *marked; /* one bit per row: rows in which either may have bits */
  gboolean has_forbidden, has_required;
} Node;

/* A recursive group of the DAG, evaluated whole on each side. One inside another's bodies (whose
 * variables it depends on) has no nodes here: it is iterated anew in each round of that one. */
typedef struct Group
{
  const RspFix *fix;
  guint outer;    /* the group whose inner nodes its FIX nodes are, or G_MAXUINT */
  RspNodeId lead; /* the first of its FIX nodes that is needed; G_MAXUINT when none is */
  guint n_inner;
  RspNodeId *inner;  /* DAG nodes inside it and not inside a deeper group, operands first */
  RspMatrix **value; /* per inner node: scratch */
  /* Of groups inside no other: */
  guint n_inputs;
  guint *inputs;  /* nodes outside that its bodies use, also those of groups inside */
  guint *members; /* per definition: its FIX node here, or G_MAXUINT if it is not used */
  guint first;    /* the first of them in order: refreshed with it */
} Group;

typedef struct AxiomState
{
  const RspStagedAxiom *axiom;
  gboolean diagonal; /* only pairs of an event with itself are forbidden; else all are */
  guint node;
  RspTruth truth;
  gboolean dropped;
  guint8 *needs; /* per node: does the axiom depend on it */
} AxiomState;

/* The length of the trail when a level began. */
typedef struct Mark
{
  gsize rows;
  guint axioms;
} Mark;

typedef struct AxiomChange
{
  guint axiom;
  RspTruth truth;
  gboolean dropped;
} AxiomChange;

struct RspBounds
{
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
  guint *node_of;  /* per DAG node outside all groups: its index, or G_MAXUINT */
  guint *inner_of; /* per DAG node inside a group: its place in Group.inner */
  AxiomState *axioms;
  guint n_axioms;
  guint8 *needed; /* per node: some open axiom depends on it */
  guint64 *trail; /* for each row changed, its words before and its address */
  gsize n_trail, trail_room;
  Side **touched; /* those with a delta */
  guint n_touched;
  GArray *axiom_trail;  /* of AxiomChange */
  GArray *marks;        /* of Mark */
  guint broken;         /* the axiom for which update last gave FALSE */
  guint64 *table;       /* n rows */
  const guint *names;   /* per event: see rsp_bounds_name; else NULL */
  guint name_words;     /* of a row of names */
  guint64 *labels;      /* per node: what it computes, distinct */
  guint64 *row_by_name; /* scratch: name_words */
  RspHash key;          /* while it is made; with names, a sum of the hashes of entries */
};

/* The operations that depend on the width of a row. */
typedef struct RspBoundsOps
{
  void (*evaluate) (RspBounds *b, Node *node); /* both sides, from nothing */
  gboolean (*update) (RspBounds *b); /* all sides that open axioms need; FALSE: no budget left */
  void (*set) (RspBounds *b, Node *node, int side, guint row, guint bit, gboolean value);
  void (*forget) (RspBounds *b);
  void (*undo) (RspBounds *b, gsize to);
  RspTruth (*truth) (const RspBounds *b, const AxiomState *axiom);
  void (*start) (RspBounds *b, const AxiomState *axiom);
  void (*force) (RspBounds *b, GArray *forced);
  RspHash (*key) (RspBounds *b);
} RspBoundsOps;

void bounds_lengthen_trail (RspBounds *b);

/* Rows of one word are quick: there the search's own looks at the clock suffice. */
static inline gboolean
bounds_is_exhausted (const RspBounds *b)
{
  return b->words > 1 && rsp_budget_is_exhausted (b->dag->budget);
}

extern const RspBoundsOps rsp_bounds_ops_1, rsp_bounds_ops_2, rsp_bounds_ops_4, rsp_bounds_ops_n;

#endif
