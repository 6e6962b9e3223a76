#pragma once

#include "model/dag/private.h"

/* The laws: the node for op over operands at least one of which is not a constant. */
RspNodeId rsp_dag_simplify_unary (RspDag *dag, RspNodeOp op, RspNodeId a);
RspNodeId rsp_dag_simplify_binary (RspDag *dag, RspNodeOp op, RspNodeId a, RspNodeId b);

/* Is a within b whatever the search decides? TRUE only if the forms of the expressions show it. */
gboolean rsp_dag_within (const RspDag *dag, RspNodeId a, RspNodeId b);
