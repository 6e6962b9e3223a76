/* Private part of the DAG: what dag.c, simplify.c and fix.c share. */
#ifndef RSP_DAG_PRIVATE_H
#define RSP_DAG_PRIVATE_H

#include "model/dag/dag.h"

/* The node with exactly these fields (group is filled in), made if there is none: no laws. */
RspNodeId rsp_dag_intern (RspDag *dag, RspNodeOp op, gboolean is_set, RspNodeId a, RspNodeId b);
/* A node of its own, shared with nothing: variables and fixes. */
RspNodeId rsp_dag_append (RspDag *dag, const RspNode *node);

/* An empty matrix of the kind. */
RspMatrix *rsp_dag_matrix (const RspDag *dag, gboolean is_set);
/* Where to compute a constant of the kind (its bits are anything), and the constant computed there:
 * a copy is made only of values that are new. One at a time. */
RspMatrix *rsp_dag_scratch (RspDag *dag, gboolean is_set);
RspNodeId rsp_dag_scratch_constant (RspDag *dag, gboolean is_set);

static inline gboolean
rsp_dag_is_constant (const RspDag *dag, RspNodeId id)
{
  return rsp_dag_node (dag, id)->op == RSP_NODE_CONSTANT;
}

static inline const RspMatrix *
rsp_dag_value (const RspDag *dag, RspNodeId id)
{
  return rsp_dag_node (dag, id)->constant;
}

/* Number of operands that are nodes: 0, 1 or 2; a FIX has none of this kind. */
guint rsp_node_arity (RspNodeOp op);

/* Computes one operator on values (b NULL for unary ones) into out. */
void rsp_node_compute (RspNodeOp op, RspMatrix *out, const RspMatrix *a, const RspMatrix *b);

/* The laws: the node for op over operands of which at least one is no constant. */
RspNodeId rsp_dag_simplify_unary (RspDag *dag, RspNodeOp op, RspNodeId a);
RspNodeId rsp_dag_simplify_binary (RspDag *dag, RspNodeOp op, RspNodeId a, RspNodeId b);

/* Is a within b whatever the search decides? TRUE only when the expressions' shapes show it. */
gboolean rsp_dag_within (const RspDag *dag, RspNodeId a, RspNodeId b);

#endif
