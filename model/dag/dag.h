#pragma once

#include "base/base.h"
#include "model/matrix.h"
#include "model/trace_op.h"
#include "parser/cat/cat.h"

/* ---- Dag ------------------------------------------------------------------------------------ */

/* The DAG: a model evaluated on one pre-execution, as far as that determines it.
 *
 * Whatever depends only on the pre-execution is a constant matrix; the rest is a hash-consed graph
 * of relational operators over the few relations that the search decides (rf, co, and chosen orders
 * such as S). Nodes are numbered so that operands come first, except for the variables of a
 * recursive definition. Few operators suffice; staging rewrites cat's others: a? = a | id, a* = a+
 * | id, ~a = unv \ a, range(a) = domain(a^-1), rf^-1;co\id for fr, and so on.
 *
 *   op              a, b         value                      grows with
 *   CONSTANT        –            constant                   –
 *   RF, CO          –            reads-from, coherence      –
 *   ORDER           index        the index-th chosen order  –
 *   OPEN            index        a base set not known yet;  –
 *                                RSP_N_BASE_SETS + i: the
 *                                i-th base relation
 *   UNION, INTER    a, b         (sets or relations)        a, b
 *   DIFF            a, b         a \ b                      a; falls with b
 *   SEQ             a, b         relational composition     a, b
 *   INVERSE         a                                       a
 *   PLUS            a            transitive closure         a
 *   PRODUCT         a, b (sets)  a * b                      a, b
 *   IDENTITY        a (set)      [a]                        a
 *   DOMAIN          a (relation) a set                      a
 *   FIX             a = body     least fixpoint: see RspFix body, inputs as the body's operators
 *   VARIABLE        index        a FIX's own value inside the bodies of its group
 *
 * Readers may rely on these normal forms: a constant operand
 * of UNION or INTER is `a`; the right side of a DIFF is never constant (x \ C is x & ~C); [s];x
 * with a constant s is an INTER of x with the constant s * unv, x;[s] one with unv * s. */

typedef enum RspNodeOp {
#define RSP_LEAF(id, ...)            RSP_NODE_##id,
#define RSP_OPERATOR(id, value, ...) RSP_NODE_##id,
#include "model/dag/operators.def"
} RspNodeOp;

enum {
  RSP_N_NODE_OPS = 0
#define RSP_LEAF(id, ...)            +1
#define RSP_OPERATOR(id, value, ...) +1
#include "model/dag/operators.def"
};

/* In a switch: case RSP_NODE_BASES, case RSP_NODE_LEAVES. */
#define RSP_NODE_BASES  RSP_NODE_CONSTANT... RSP_NODE_OPEN
#define RSP_NODE_LEAVES RSP_NODE_CONSTANT... RSP_NODE_VARIABLE

typedef enum RspKind { RSP_EITHER, RSP_SET, RSP_RELATION } RspKind;

/* A row of operators.def. */
typedef struct RspNodeForm {
  guint arity;                /* number of operands that are nodes; 0 for a FIX */
  gboolean chosen;            /* does the search decide it? */
  gboolean falls[2];          /* by operand: does it fall as that grows? It grows otherwise */
  gboolean other_if_empty[2]; /* by operand: is it the other operand if that is empty? It is empty
                               * otherwise */
  gboolean commutes;
  gboolean by_others; /* do its pairs come about by way of events that are not in them? */
  RspKind of, gives;  /* kinds of operands and value; EITHER: they are the same */
  RspCatExprKind cat; /* how cat writes it; 0: as a function */
  RspTraceOp trace;   /* how terms of a trace are printed */
} RspNodeForm;

extern const RspNodeForm rsp_node_forms[RSP_N_NODE_OPS];

static inline guint rsp_node_arity (RspNodeOp op) { return rsp_node_forms[op].arity; }

static inline gboolean rsp_node_is_leaf (RspNodeOp op) { return op <= RSP_NODE_VARIABLE; }

/* Is it a leaf with a value of its own? The others are FIX and VARIABLE. */
static inline gboolean rsp_node_is_base (RspNodeOp op) { return op <= RSP_NODE_OPEN; }

/* The operator that an expression of cat writes. FALSE if there is none, or more than one. */
gboolean rsp_node_op_of_cat (RspCatExprKind kind, RspNodeOp *op);

typedef guint RspNodeId;

typedef struct RspNode {
  RspNodeOp op;
  gboolean is_set;
  RspNodeId a, b;
  guint index; /* ORDER, OPEN: its index; VARIABLE: its index in its group; FIX: its group, with `a`
                * its body and `b` its index in the group; CONSTANT: hash of the value */
  RspMatrix *constant; /* CONSTANT */
  guint group;         /* innermost recursive group whose variables it depends on, + 1; 0: none */
} RspNode;

/* A group of mutually recursive definitions `let rec v0 = e0 and v1 = e1 …`: variables[i] is the
 * value inside the bodies, fixes[i] the value outside. Evaluated by iteration from empty. */
typedef struct RspFix {
  guint n;
  RspNodeId *variables;
  RspNodeId *bodies;
  RspNodeId *fixes;
  gboolean monotone; /* is there no variable below the right side of a DIFF? */
  gboolean open;     /* begun but not ended: its variables may occur free in nodes */
  RspSpan span;      /* the definition, for messages; zero if there is none */
} RspFix;

typedef struct RspDag {
  RspArena *arena;
  guint n;        /* events */
  GArray *nodes;  /* of RspNode */
  GArray *groups; /* of RspFix */
  guint *index;   /* private: hash table with open addressing of node ids + 1; 0: free */
  guint n_slots, n_indexed;
  /* Constants that every DAG has; the first two by is_set. Equal constants are one node. */
  RspNodeId empty[2], universe[2], identity;
  RspMatrix *scratch[2];   /* private: scratch matrices for constants, by is_set */
  gboolean generic;        /* for any number of events: nothing is simplified */
  RspBudget *budget;       /* budget of all computations on it; NULL: no limits */
  const RspFix **diverged; /* private, what it points to is atomic: see rsp_dag_diverged */
} RspDag;

RspDag *rsp_dag_new (RspArena *arena, guint n);
void rsp_dag_free (RspDag *dag); /* frees the lists; the rest belongs to the arena */

static inline const RspNode *rsp_dag_node (const RspDag *dag, RspNodeId id) {
  return &g_array_index (dag->nodes, RspNode, id);
}

/* Each returns the node for the expression: an existing one if there is one, a constant if the
 * operands are constants, or a simpler one by the usual laws (x|x, x&unv, 0;x, [a];[b], (a^-1)^-1,
 * …). */
RspNodeId rsp_dag_constant (RspDag *dag, gboolean is_set, RspMatrix *value);
RspNodeId rsp_dag_base (RspDag *dag, RspNodeOp op, guint index); /* RF, CO, ORDER, OPEN */
RspNodeId rsp_dag_unary (RspDag *dag, RspNodeOp op, RspNodeId a);
RspNodeId rsp_dag_binary (RspDag *dag, RspNodeOp op, RspNodeId a, RspNodeId b);

/* The same for each operator: rsp_dag_union (dag, a, b), … */
#define RSP_DAG_UNARY(name, op)                                                                    \
  static inline RspNodeId rsp_dag_##name (RspDag *dag, RspNodeId a) {                              \
    return rsp_dag_unary (dag, RSP_NODE_##op, a);                                                  \
  }
#define RSP_DAG_BINARY(name, op)                                                                   \
  static inline RspNodeId rsp_dag_##name (RspDag *dag, RspNodeId a, RspNodeId b) {                 \
    return rsp_dag_binary (dag, RSP_NODE_##op, a, b);                                              \
  }

RSP_DAG_BINARY (union, UNION)
RSP_DAG_BINARY (inter, INTER)
RSP_DAG_BINARY (diff, DIFF)
RSP_DAG_BINARY (seq, SEQ)
RSP_DAG_BINARY (product, PRODUCT)
RSP_DAG_UNARY (inverse, INVERSE)
RSP_DAG_UNARY (plus, PLUS)
RSP_DAG_UNARY (identity_on, IDENTITY) /* of a set */
RSP_DAG_UNARY (domain, DOMAIN)

/* ---- Evaluation on a complete candidate execution (the naive engine) ---- */
typedef struct RspValuation RspValuation;

/* A node that is never shared: for variables and fixes. */
RspNodeId rsp_dag_append (RspDag *dag, const RspNode *node);

/* An empty matrix of the kind. */
RspMatrix *rsp_dag_matrix (const RspDag *dag, gboolean is_set);

/* A scratch matrix of the kind, with arbitrary bits, to compute a constant in; and the constant
 * computed there, which is copied only if the value is new. Only one at a time. */
RspMatrix *rsp_dag_scratch (RspDag *dag, gboolean is_set);
RspNodeId rsp_dag_scratch_constant (RspDag *dag, gboolean is_set);

/* Marks what the node needs: its operands, and the bodies of a recursive definition. */
void rsp_dag_mark_operands (const RspDag *dag, const RspNode *node, guint8 *needed);

/* needed: per node; marks what the marked nodes need, too. Whatever a node needs has a lower
 * number. */
void rsp_dag_mark_below (const RspDag *dag, guint8 *needed);

/* Computes one operator on values (b NULL for unary ones) into out. */
void rsp_node_compute (RspNodeOp op, RspMatrix *out, const RspMatrix *a, const RspMatrix *b);

/* The recursive definition that did not converge in an evaluation of the DAG, by any engine and
 * thread, or NULL. The model is at fault: its values and bounds mean nothing, and the budget is
 * exhausted. */
const RspFix *rsp_dag_diverged (const RspDag *dag);
void rsp_dag_diverge (const RspDag *dag, const RspFix *fix);

/* Reports the recursive definition that did not converge. FALSE if there is none. */
gboolean rsp_dag_report_divergence (const RspDag *dag, RspDiagnostics *diagnostics);

/* ---- Fix ------------------------------------------------------------------------------------ */

/* A recursive group: begin creates n variables (kinds[i]: is it a set?); end closes the group over
 * the bodies and stores the fix nodes in fixes. Static groups are computed at once and become
 * constants; FALSE if such a group does not converge or the budget is exhausted. */
guint rsp_dag_fix_begin (RspDag *dag, guint n, const gboolean *is_set, RspNodeId *variables);
gboolean rsp_dag_fix_end (RspDag *dag, guint group, const RspNodeId *bodies, RspNodeId *fixes);

/* ---- Walk ----------------------------------------------------------------------------------- */

/* A domain: what is computed of each node, such as bounds or facts. */
typedef struct RspDomain {
  void (*base) (gpointer data, RspNodeId id);  /* of a leaf other than FIX and VARIABLE */
  void (*apply) (gpointer data, RspNodeId id); /* its operands have their values */
  gboolean (*take) (gpointer data, RspNodeId to, RspNodeId from); /* FALSE: it had that value */
} RspDomain;

/* Computes all nodes, operands first: bases once, and the others until no variable changes. A FIX
 * takes the value of its variable, and a variable that of its body after each round. */
void rsp_dag_walk (const RspDag *dag, const RspDomain *domain, gpointer data);

static inline const RspFix *rsp_dag_group (const RspDag *dag, guint group) {
  return &g_array_index (dag->groups, RspFix, group);
}

/* ---- Part ----------------------------------------------------------------------------------- */

/* An execution and a part of it, without some events: what follows for the value of a node on the
 * part. */

/* Compared with its value on the whole, restricted to events of the part, a node's value on the
 * part */
enum {
  RSP_PART_WITHIN = 1, /* is contained in that */
  RSP_PART_COVERS = 2, /* contains that */
  RSP_PART_SAME = RSP_PART_WITHIN | RSP_PART_COVERS
};

static inline guint rsp_part_swapped (guint facts) {
  return (facts & RSP_PART_WITHIN ? RSP_PART_COVERS : 0)
         | (facts & RSP_PART_COVERS ? RSP_PART_WITHIN : 0);
}

/* What follows from that of the operands (b: as a for a unary operator). What comes about by way of
 * events that the part lacks may be lost. */
static inline guint rsp_part_follows (RspNodeOp op, guint a, guint b, gboolean loses_nothing) {
  const RspNodeForm *form = &rsp_node_forms[op];
  guint facts
      = (form->falls[0] ? rsp_part_swapped (a) : a) & (form->falls[1] ? rsp_part_swapped (b) : b);
  return facts & (form->by_others && !loses_nothing ? RSP_PART_WITHIN : RSP_PART_SAME);
}

/* ---- Private -------------------------------------------------------------------------------- */

/* Private part of the DAG. */

static inline gboolean rsp_dag_is_constant (const RspDag *dag, RspNodeId id) {
  return rsp_dag_node (dag, id)->op == RSP_NODE_CONSTANT;
}

static inline const RspMatrix *rsp_dag_value (const RspDag *dag, RspNodeId id) {
  return rsp_dag_node (dag, id)->constant;
}

/* ---- Simplify ------------------------------------------------------------------------------- */

/* Is a within b whatever the search decides? TRUE only if the forms of the expressions show it. */
gboolean rsp_dag_within (const RspDag *dag, RspNodeId a, RspNodeId b);

/* The same, with what else is known of a and b, and of the expressions that they consist of. */
typedef gboolean (*RspKnownWithin) (gconstpointer data, RspNodeId a, RspNodeId b);
gboolean rsp_dag_known_within (const RspDag *dag, RspNodeId a, RspNodeId b, RspKnownWithin known,
                               gconstpointer data);

/* ---- Valuation ------------------------------------------------------------------------------ */

/* Memory for evaluating the nodes that the roots need. */
RspValuation *rsp_valuation_new (const RspDag *dag, const RspNodeId *roots, guint n_roots);
void rsp_valuation_free (RspValuation *valuation);

/* Computes every needed node from the given rf, co and orders. FALSE if a recursive definition does
 * not converge or the budget is exhausted. */
gboolean rsp_valuation_evaluate (RspValuation *valuation, const RspMatrix *rf, const RspMatrix *co,
                                 RspMatrix *const *orders);
const RspMatrix *rsp_valuation_get (const RspValuation *valuation, RspNodeId node);

/* Memory for bounds of the needed recursive groups. The caller sets the bounds of nodes outside
 * them, whose contents may change later. */
RspValuation *rsp_valuation_new_groups (const RspDag *dag, const guint8 *needed);
void rsp_valuation_set_bounds (RspValuation *valuation, RspNodeId id, const RspMatrix *lower,
                               const RspMatrix *upper);

/* Computes the lower (side 0) or upper (side 1) bounds of an outermost group, which are then the
 * values of its variables. Of a group that is not monotone nothing is known unless all bounds from
 * outside are values. FALSE as above. */
gboolean rsp_valuation_bound_group (RspValuation *valuation, guint group, guint side,
                                    gboolean outside_is_known);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspValuation, rsp_valuation_free)
