/* The laws that keep the DAG small. Each is an equality of relation algebra that holds for
 * all values of rf, co and the orders; C, D stand for constants, s, t for sets. Unions and
 * intersections are in lattice.c. */
#include "model/dag/simplify.h"
#include "model/dag/dag.h"
#include "model/dag/lattice.h"

/* ---- When is one expression within another? ---- */

#define WITHIN_STEPS 48 /* a deeper search costs more than a smaller DAG gains */

static gboolean within (const RspDag *dag, RspNodeId a, RspNodeId b, guint *steps) {
  if (a == b)
    return TRUE;
  if (*steps == 0)
    return FALSE;
  --*steps;
  const RspNode *x = rsp_dag_node (dag, a), *y = rsp_dag_node (dag, b);
  if (y->op == RSP_NODE_CONSTANT && (b == dag->universe[FALSE] || b == dag->universe[TRUE]))
    return TRUE;
  if (x->op == RSP_NODE_CONSTANT && y->op == RSP_NODE_CONSTANT)
    return rsp_matrix_subset (x->constant, y->constant);
  if (x->op == RSP_NODE_UNION)
    return within (dag, x->a, b, steps) && within (dag, x->b, b, steps);
  if (y->op == RSP_NODE_INTER)
    return within (dag, a, y->a, steps) && within (dag, a, y->b, steps);
  if (y->op == RSP_NODE_UNION && (within (dag, a, y->a, steps) || within (dag, a, y->b, steps)))
    return TRUE;
  if (x->op == RSP_NODE_INTER && (within (dag, x->a, b, steps) || within (dag, x->b, b, steps)))
    return TRUE;
  if (x->op == RSP_NODE_DIFF && within (dag, x->a, b, steps))
    return TRUE;
  if (y->op == RSP_NODE_PLUS)
    return within (dag, x->op == RSP_NODE_PLUS ? x->a : a, x->op == RSP_NODE_PLUS ? b : y->a,
                   steps);
  if (x->op == RSP_NODE_SEQ && y->op == RSP_NODE_SEQ)
    return within (dag, x->a, y->a, steps) && within (dag, x->b, y->b, steps);
  return FALSE;
}

gboolean rsp_dag_within (const RspDag *dag, RspNodeId a, RspNodeId b) {
  guint steps = WITHIN_STEPS;
  return within (dag, a, b, &steps);
}

/* ---- Sequences ---- */

/* [s];x = x & (s * unv) and x;[s] = x & (unv * s), for a constant within the identity. */
static RspNodeId mask (RspDag *dag, RspNodeId identity_on, RspNodeId x, gboolean on_left) {
  RspMatrix *set = rsp_dag_scratch (dag, TRUE), *product = rsp_dag_scratch (dag, FALSE);
  const RspMatrix *all = rsp_dag_value (dag, dag->universe[TRUE]);
  rsp_relation_domain (set, rsp_dag_value (dag, identity_on));
  rsp_relation_product (product, on_left ? set : all, on_left ? all : set);
  return rsp_dag_binary (dag, RSP_NODE_INTER, rsp_dag_scratch_constant (dag, FALSE), x);
}

static gboolean is_partial_identity (const RspDag *dag, RspNodeId id) {
  return rsp_dag_is_constant (dag, id)
         && rsp_matrix_subset (rsp_dag_value (dag, id), rsp_dag_value (dag, dag->identity));
}

static RspNodeId simplify_seq (RspDag *dag, RspNodeId a, RspNodeId b) {
  RspNodeId none = dag->empty[FALSE];
  if (a == none || b == none)
    return none;
  if (is_partial_identity (dag, a))
    return a == dag->identity ? b : mask (dag, a, b, TRUE);
  if (is_partial_identity (dag, b))
    return b == dag->identity ? a : mask (dag, b, a, FALSE);
  RspNode x = *rsp_dag_node (dag, a), y = *rsp_dag_node (dag, b);
  if (x.op == RSP_NODE_IDENTITY && y.op == RSP_NODE_IDENTITY) /* [s];[t] = [s & t] */
    return rsp_dag_unary (dag, RSP_NODE_IDENTITY, rsp_dag_binary (dag, RSP_NODE_INTER, x.a, y.a));
  if (x.op == RSP_NODE_CONSTANT && y.op == RSP_NODE_SEQ && rsp_dag_is_constant (dag, y.a))
    return rsp_dag_binary (dag, RSP_NODE_SEQ, rsp_dag_binary (dag, RSP_NODE_SEQ, a, y.a), y.b);
  if (y.op == RSP_NODE_CONSTANT && x.op == RSP_NODE_SEQ && rsp_dag_is_constant (dag, x.b))
    return rsp_dag_binary (dag, RSP_NODE_SEQ, x.a, rsp_dag_binary (dag, RSP_NODE_SEQ, x.b, b));
  return rsp_dag_intern (dag, RSP_NODE_SEQ, FALSE, a, b);
}

/* ---- Differences ---- */

static RspNodeId complement_constant (RspDag *dag, gboolean is_set, const RspMatrix *value) {
  rsp_matrix_difference (rsp_dag_scratch (dag, is_set), rsp_dag_value (dag, dag->universe[is_set]),
                         value);
  return rsp_dag_scratch_constant (dag, is_set);
}

/* a \ b for a right side that contains a constant:
 *   a \ (C | y) = (a & ~C) \ y
 *   a \ (C & y) = a \ y              for a within C
 *   a \ (C \ y) = a & y              for a within C
 *   C \ (D \ y) = (C \ D) | (C & y)
 * FALSE if none applies. */
static gboolean simplify_right (RspDag *dag, gboolean is_set, RspNodeId a, RspNodeId b,
                                RspNodeId *result) {
  RspNode y = *rsp_dag_node (dag, b);
  if (rsp_node_arity (y.op) != 2 || !rsp_dag_is_constant (dag, y.a))
    return FALSE;
  const RspMatrix *constant = rsp_dag_value (dag, y.a);
  switch (y.op) {
  case RSP_NODE_UNION:
    a = rsp_dag_binary (dag, RSP_NODE_INTER, complement_constant (dag, is_set, constant), a);
    *result = rsp_dag_binary (dag, RSP_NODE_DIFF, a, y.b);
    return TRUE;
  case RSP_NODE_INTER:
    if (!rsp_dag_within (dag, a, y.a))
      return FALSE;
    *result = rsp_dag_binary (dag, RSP_NODE_DIFF, a, y.b);
    return TRUE;
  case RSP_NODE_DIFF:
    if (!rsp_dag_is_constant (dag, a) && !rsp_dag_within (dag, a, y.a))
      return FALSE;
    *result = rsp_dag_binary (dag, RSP_NODE_UNION, rsp_dag_binary (dag, RSP_NODE_DIFF, a, y.a),
                              rsp_dag_binary (dag, RSP_NODE_INTER, a, y.b));
    return TRUE;
  default:
    return FALSE;
  }
}

static RspNodeId simplify_diff (RspDag *dag, RspNodeId a, RspNodeId b) {
  gboolean is_set = rsp_dag_node (dag, a)->is_set;
  if (rsp_dag_is_constant (dag, b)) /* a \ C = a & ~C */
    return rsp_dag_binary (dag, RSP_NODE_INTER,
                           complement_constant (dag, is_set, rsp_dag_value (dag, b)), a);
  if (a == dag->empty[is_set] || rsp_dag_within (dag, a, b))
    return dag->empty[is_set];
  RspNodeId result;
  if (simplify_right (dag, is_set, a, b, &result))
    return result;
  return rsp_dag_intern (dag, RSP_NODE_DIFF, is_set, a, b);
}

RspNodeId rsp_dag_simplify_binary (RspDag *dag, RspNodeOp op, RspNodeId a, RspNodeId b) {
  switch (op) {
  case RSP_NODE_UNION:
    return dag_simplify_union (dag, a, b);
  case RSP_NODE_INTER:
    return dag_simplify_inter (dag, a, b);
  case RSP_NODE_DIFF:
    return simplify_diff (dag, a, b);
  case RSP_NODE_SEQ:
    return simplify_seq (dag, a, b);
  default:
    if (a == dag->empty[TRUE] || b == dag->empty[TRUE]) /* 0 * s = s * 0 = 0 */
      return dag->empty[FALSE];
    return rsp_dag_intern (dag, op, FALSE, a, b);
  }
}

/* ---- Unary operators ---- */

static RspNodeId inverse (RspDag *dag, RspNodeId a) {
  return rsp_dag_unary (dag, RSP_NODE_INVERSE, a);
}

static RspNodeId simplify_inverse (RspDag *dag, RspNodeId a) {
  RspNode x = *rsp_dag_node (dag, a);
  switch (x.op) {
  case RSP_NODE_INVERSE:
    return x.a;
  case RSP_NODE_IDENTITY:
    return a;
  case RSP_NODE_PRODUCT: /* (s * t)^-1 = t * s */
    return rsp_dag_binary (dag, RSP_NODE_PRODUCT, x.b, x.a);
  case RSP_NODE_UNION:
  case RSP_NODE_INTER:
  case RSP_NODE_DIFF: /* constants move outwards, where they meet others */
    if (!rsp_dag_is_constant (dag, x.a))
      break;
    return rsp_dag_binary (dag, x.op, inverse (dag, x.a), inverse (dag, x.b));
  default:
    break;
  }
  return rsp_dag_intern (dag, RSP_NODE_INVERSE, FALSE, a, 0);
}

/* (C | x)+ = ((C \ id)+ | x)+ | (C & id): closing a constant early saves work later. */
static RspNodeId simplify_plus_union (RspDag *dag, RspNodeId constant, RspNodeId x) {
  RspNodeId loops = rsp_dag_binary (dag, RSP_NODE_INTER, constant, dag->identity);
  RspNodeId rest = rsp_dag_binary (dag, RSP_NODE_DIFF, constant, dag->identity);
  rest = rsp_dag_unary (dag, RSP_NODE_PLUS, rest);
  RspNodeId body = rsp_dag_binary (dag, RSP_NODE_UNION, rest, x);
  RspNode y = *rsp_dag_node (dag, body);
  if (y.op == RSP_NODE_UNION && rsp_dag_is_constant (dag, y.a))
    body = rsp_dag_intern (dag, RSP_NODE_PLUS, FALSE, body, 0);
  else
    body = rsp_dag_unary (dag, RSP_NODE_PLUS, body);
  return rsp_dag_binary (dag, RSP_NODE_UNION, loops, body);
}

/* No pair of C can follow another. */
static gboolean never_chains (RspDag *dag, RspNodeId constant) {
  return rsp_dag_binary (dag, RSP_NODE_SEQ, constant, constant) == dag->empty[FALSE];
}

static RspNodeId simplify_plus (RspDag *dag, RspNodeId a) {
  RspNode x = *rsp_dag_node (dag, a);
  switch (x.op) {
  case RSP_NODE_PLUS:
  case RSP_NODE_IDENTITY:
  case RSP_NODE_PRODUCT: /* (s * t);(s * t) is within s * t */
    return a;
  case RSP_NODE_UNION:
    if (!rsp_dag_is_constant (dag, x.a))
      break;
    return simplify_plus_union (dag, x.a, x.b);
  case RSP_NODE_INTER:
  case RSP_NODE_DIFF:
    if (!rsp_dag_is_constant (dag, x.a) || !never_chains (dag, x.a))
      break;
    return a;
  default:
    break;
  }
  return rsp_dag_intern (dag, RSP_NODE_PLUS, FALSE, a, 0);
}

static RspNodeId simplify_domain (RspDag *dag, RspNodeId a) {
  RspNode x = *rsp_dag_node (dag, a);
  if (x.op == RSP_NODE_IDENTITY)
    return x.a;
  if (x.op == RSP_NODE_PLUS) /* a path leaves where its first step does */
    return rsp_dag_unary (dag, RSP_NODE_DOMAIN, x.a);
  if (x.op == RSP_NODE_PRODUCT && rsp_dag_is_constant (dag, x.b) && x.b != dag->empty[TRUE])
    return x.a;
  return rsp_dag_intern (dag, RSP_NODE_DOMAIN, TRUE, a, 0);
}

RspNodeId rsp_dag_simplify_unary (RspDag *dag, RspNodeOp op, RspNodeId a) {
  switch (op) {
  case RSP_NODE_INVERSE:
    return simplify_inverse (dag, a);
  case RSP_NODE_PLUS:
    return simplify_plus (dag, a);
  case RSP_NODE_DOMAIN:
    return simplify_domain (dag, a);
  default:
    return rsp_dag_intern (dag, op, FALSE, a, 0);
  }
}
