/* The inside of RspBounds: private to model/bounds/.
 *
 * Nodes are those of the DAG that the axioms need, operands first. A node has two sides, lower (LO)
 * and upper (HI) bound, each a matrix of rows like RspMatrix:
 *
 *   bits      the bound
 *   delta     bits that changed since the nodes above were last refreshed
 *   changed   one bit per row: rows with a delta
 *
 * The row operations are compiled for one word and for any number: see ops/ops.inc. */
#pragma once

#include "model/bounds/bounds.h"

enum { LO = 0, HI = 1 };

/* Nodes that are not operators of the DAG: base relations and their inverses, which change
 * together. */
enum { NODE_LEAF = 100 };

/* Where rf^-1 is among the nodes. */
enum { RF_INVERSE = 2 * RSP_LEAF_RF + 1 };

typedef struct Side {
  guint64 *bits;
  guint64 *delta;
  guint64 *changed;
  gboolean touched; /* has some row changed? */
} Side;

typedef struct Node {
  guint op;   /* RspNodeOp, or NODE_LEAF */
  guint rows; /* 1: a set; n: a relation */
  guint a, b; /* operands, as indices of nodes */
  guint leaf; /* NODE_LEAF: its number times two, plus one for the inverse */
  /* Is it rf, or rf^-1, or a union with it? */
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
 * another (on whose variables it depends) has no nodes here: it is iterated in each round of the
 * outer one. */
typedef struct Group {
  const RspFix *fix;
  guint outer;    /* the group whose inner nodes its FIX nodes are, or G_MAXUINT */
  RspNodeId lead; /* the first of its FIX nodes that is needed, or G_MAXUINT */
  guint n_inner;
  RspNodeId *inner;  /* DAG nodes inside it and not inside a deeper group, operands first */
  RspMatrix **value; /* per inner node: scratch */
  /* Of outermost groups only: */
  guint n_inputs;
  guint *inputs;  /* nodes outside that its bodies, or those of groups inside it, use */
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
  guint *node_of;  /* per DAG node outside all groups: its index, or G_MAXUINT */
  guint *inner_of; /* per DAG node inside a group: its index in Group.inner */
  AxiomState *axioms;
  guint n_axioms;
  guint8 *needed; /* per node: does an open axiom depend on it? */
  guint64 *trail; /* for each changed row: its former words and its address */
  gsize n_trail, trail_room;
  Side **touched; /* number of nodes with a delta */
  guint n_touched;
  AxiomChange *axiom_trail; /* an axiom changes once at most */
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

/* With room for so many nodes of the DAG and all axioms of the model, and none of them yet. */
RspBounds *bounds_allocate (const RspStagedModel *model, guint n_needed, RspArena *arena);

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
