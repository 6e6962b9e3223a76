/* Nodes of the DAG: hash-consing and folding of constants. The laws are in simplify.c,
 * recursive groups in fix.c. */
#include "model/dag/dag.h"
#include "model/dag/simplify.h"

enum {
  FIRST_SLOTS = 32, /* a power of two, and so all sizes; at most half of them are used */
  FIRST_NODES = FIRST_SLOTS / 2
};

static guint hash_node (const RspNode *node) {
  if (node->op == RSP_NODE_CONSTANT)
    return node->index * 2 + (guint) node->is_set;
  guint hash = (guint) node->op * 2654435761u;
  hash = (hash ^ node->a) * 2246822519u;
  hash = (hash ^ node->b) * 3266489917u;
  return hash ^ (hash >> 15) ^ node->index;
}

static gboolean same_node (const RspNode *a, const RspNode *b) {
  if (a->op != b->op || a->is_set != b->is_set || a->index != b->index)
    return FALSE;
  if (a->op == RSP_NODE_CONSTANT)
    return rsp_matrix_equal (a->constant, b->constant);
  return a->a == b->a && a->b == b->b;
}

RspNodeId rsp_dag_append (RspDag *dag, const RspNode *node) {
  g_array_append_vals (dag->nodes, node, 1);
  return dag->nodes->len - 1;
}

/* The slot of the node equal to `node`, or the free slot where it belongs. */
static guint *slot_of (const RspDag *dag, const RspNode *node) {
  guint last = dag->n_slots - 1, at = (hash_node (node) * 2654435769u >> 7) & last;
  while (dag->index[at] && !same_node (rsp_dag_node (dag, dag->index[at] - 1), node))
    at = (at + 1) & last;
  return &dag->index[at];
}

static void grow_index (RspDag *dag) {
  const guint *before = dag->index;
  guint n_before = dag->n_slots;
  dag->n_slots = 2 * n_before;
  dag->index = rsp_arena_new0 (dag->arena, guint, dag->n_slots);
  for (guint i = 0; i < n_before; i++)
    if (before[i])
      *slot_of (dag, rsp_dag_node (dag, before[i] - 1)) = before[i];
}

/* Adds a node that equals no other; slot: where it belongs. */
static RspNodeId append_indexed (RspDag *dag, const RspNode *node, guint *slot) {
  RspNodeId id = rsp_dag_append (dag, node);
  *slot = id + 1;
  if (++dag->n_indexed * 2 > dag->n_slots)
    grow_index (dag);
  return id;
}

/* The node equal to `node`, which is added if it is new. */
static RspNodeId find_or_append (RspDag *dag, const RspNode *node) {
  guint *slot = slot_of (dag, node);
  return *slot ? *slot - 1 : append_indexed (dag, node, slot);
}

RspNodeId rsp_dag_intern (RspDag *dag, RspNodeOp op, gboolean is_set, RspNodeId a, RspNodeId b) {
  guint group = rsp_dag_node (dag, a)->group;
  if (rsp_node_arity (op) == 2)
    group = MAX (group, rsp_dag_node (dag, b)->group);
  RspNode node = { .op = op, .is_set = is_set, .a = a, .b = b, .group = group };
  return find_or_append (dag, &node);
}

RspMatrix *rsp_dag_matrix (const RspDag *dag, gboolean is_set) {
  return is_set ? rsp_set_new (dag->arena, dag->n) : rsp_relation_new (dag->arena, dag->n);
}

RspMatrix *rsp_dag_scratch (RspDag *dag, gboolean is_set) { return dag->scratch[is_set]; }

static RspNode constant_node (gboolean is_set, RspMatrix *value) {
  return (RspNode){
    .op = RSP_NODE_CONSTANT, .is_set = is_set, .constant = value, .index = rsp_matrix_hash (value)
  };
}

RspNodeId rsp_dag_scratch_constant (RspDag *dag, gboolean is_set) {
  RspNode node = constant_node (is_set, dag->scratch[is_set]);
  guint *slot = slot_of (dag, &node);
  if (*slot)
    return *slot - 1;
  node.constant = rsp_matrix_copy (dag->arena, node.constant);
  return append_indexed (dag, &node, slot);
}

static void add_usual_constants (RspDag *dag) {
  for (gboolean is_set = FALSE; is_set <= TRUE; is_set++) {
    RspMatrix *all = rsp_dag_matrix (dag, is_set);
    rsp_matrix_fill (all);
    dag->empty[is_set] = rsp_dag_constant (dag, is_set, rsp_dag_matrix (dag, is_set));
    dag->universe[is_set] = rsp_dag_constant (dag, is_set, all);
  }
  RspMatrix *identity = rsp_dag_matrix (dag, FALSE);
  rsp_relation_identity (identity, rsp_dag_value (dag, dag->universe[TRUE]));
  dag->identity = rsp_dag_constant (dag, FALSE, identity);
}

RspDag *rsp_dag_new (RspArena *arena, guint n) {
  RspDag *dag = rsp_arena_new0 (arena, RspDag, 1);
  dag->arena = arena;
  dag->n = n;
  dag->diverged = rsp_arena_new0 (arena, const RspFix *, 1);
  dag->nodes = g_array_sized_new (FALSE, FALSE, sizeof (RspNode), FIRST_NODES);
  dag->groups = g_array_new (FALSE, TRUE, sizeof (RspFix));
  dag->n_slots = FIRST_SLOTS;
  dag->index = rsp_arena_new0 (arena, guint, dag->n_slots);
  for (gboolean is_set = FALSE; is_set <= TRUE; is_set++)
    dag->scratch[is_set] = rsp_dag_matrix (dag, is_set);
  add_usual_constants (dag);
  return dag;
}

void rsp_dag_free (RspDag *dag) {
  g_array_unref (dag->nodes);
  g_array_unref (dag->groups);
}

RspNodeId rsp_dag_constant (RspDag *dag, gboolean is_set, RspMatrix *value) {
  RspNode node = constant_node (is_set, value);
  return find_or_append (dag, &node);
}

RspNodeId rsp_dag_base (RspDag *dag, RspNodeOp op, guint index) {
  g_assert (op == RSP_NODE_RF || op == RSP_NODE_CO || op == RSP_NODE_ORDER || op == RSP_NODE_OPEN);
  gboolean counted = op == RSP_NODE_ORDER || op == RSP_NODE_OPEN;
  gboolean is_set = op == RSP_NODE_OPEN && index < RSP_N_BASE_SETS;
  RspNode node = { .op = op, .is_set = is_set, .index = counted ? index : 0 };
  return find_or_append (dag, &node);
}

/* ---- Operators ---- */

void rsp_node_compute (RspNodeOp op, RspMatrix *out, const RspMatrix *a, const RspMatrix *b) {
  switch (op) {
  case RSP_NODE_UNION:
    rsp_matrix_union (out, a, b);
    break;
  case RSP_NODE_INTER:
    rsp_matrix_intersect (out, a, b);
    break;
  case RSP_NODE_DIFF:
    rsp_matrix_difference (out, a, b);
    break;
  case RSP_NODE_SEQ:
    rsp_relation_compose (out, a, b);
    break;
  case RSP_NODE_INVERSE:
    rsp_relation_inverse (out, a);
    break;
  case RSP_NODE_PLUS:
    rsp_matrix_assign (out, a);
    rsp_relation_close (out);
    break;
  case RSP_NODE_PRODUCT:
    rsp_relation_product (out, a, b);
    break;
  case RSP_NODE_IDENTITY:
    rsp_relation_identity (out, a);
    break;
  case RSP_NODE_DOMAIN:
    rsp_relation_domain (out, a);
    break;
  default:
    g_assert_not_reached ();
  }
}

void rsp_dag_mark_below (const RspDag *dag, guint8 *needed) {
  for (RspNodeId id = dag->nodes->len; id-- > 0;) {
    const RspNode *node = rsp_dag_node (dag, id);
    guint arity = needed[id] ? rsp_node_arity (node->op) : 0;
    if (arity >= 1)
      needed[node->a] = TRUE;
    if (arity == 2)
      needed[node->b] = TRUE;
    if (!needed[id] || node->op != RSP_NODE_FIX)
      continue;
    const RspFix *fix = &g_array_index (dag->groups, RspFix, node->index);
    for (guint i = 0; i < fix->n; i++)
      needed[fix->bodies[i]] = needed[fix->variables[i]] = TRUE;
  }
}

/* Is the result of op on an operand of kind a_is_set a set? Asserts that the operand fits. */
static gboolean result_is_set (RspNodeOp op, gboolean a_is_set) {
  switch (op) {
  case RSP_NODE_UNION:
  case RSP_NODE_INTER:
  case RSP_NODE_DIFF:
    return a_is_set;
  case RSP_NODE_PRODUCT:
  case RSP_NODE_IDENTITY:
    g_assert (a_is_set);
    return FALSE;
  case RSP_NODE_DOMAIN:
    g_assert (!a_is_set);
    return TRUE;
  default:
    g_assert (!a_is_set);
    return FALSE;
  }
}

RspNodeId rsp_dag_unary (RspDag *dag, RspNodeOp op, RspNodeId a) {
  g_assert (rsp_node_arity (op) == 1);
  gboolean is_set = result_is_set (op, rsp_dag_node (dag, a)->is_set);
  if (dag->generic)
    return rsp_dag_intern (dag, op, is_set, a, 0);
  if (!rsp_dag_is_constant (dag, a))
    return rsp_dag_simplify_unary (dag, op, a);
  rsp_node_compute (op, rsp_dag_scratch (dag, is_set), rsp_dag_value (dag, a), NULL);
  return rsp_dag_scratch_constant (dag, is_set);
}

RspNodeId rsp_dag_binary (RspDag *dag, RspNodeOp op, RspNodeId a, RspNodeId b) {
  g_assert (rsp_node_arity (op) == 2);
  g_assert (rsp_dag_node (dag, a)->is_set == rsp_dag_node (dag, b)->is_set);
  gboolean is_set = result_is_set (op, rsp_dag_node (dag, a)->is_set);
  if (dag->generic)
    return rsp_dag_intern (dag, op, is_set, a, b);
  if (!rsp_dag_is_constant (dag, a) || !rsp_dag_is_constant (dag, b))
    return rsp_dag_simplify_binary (dag, op, a, b);
  const RspMatrix *x = rsp_dag_value (dag, a), *y = rsp_dag_value (dag, b);
  rsp_node_compute (op, rsp_dag_scratch (dag, is_set), x, y);
  return rsp_dag_scratch_constant (dag, is_set);
}

const RspFix *rsp_dag_diverged (const RspDag *dag) { return g_atomic_pointer_get (dag->diverged); }

void rsp_dag_diverge (const RspDag *dag, const RspFix *fix) {
  g_atomic_pointer_set (dag->diverged, fix);
  if (dag->budget)
    rsp_budget_end (dag->budget, RSPCHECK_STOP_ERROR);
}

gboolean rsp_dag_report_divergence (const RspDag *dag, RspDiagnostics *diagnostics) {
  const RspFix *fix = rsp_dag_diverged (dag);
  if (fix)
    rsp_error (diagnostics, fix->span, "its definition uses its own complement: see \\ and ~",
               "this recursive definition does not converge");
  return fix != NULL;
}
