/* Private part of the DAG: what dag.c, simplify.c and fix.c share. */
#pragma once

#include "model/dag/dag.h"

static inline gboolean rsp_dag_is_constant (const RspDag *dag, RspNodeId id) {
  return rsp_dag_node (dag, id)->op == RSP_NODE_CONSTANT;
}

static inline const RspMatrix *rsp_dag_value (const RspDag *dag, RspNodeId id) {
  return rsp_dag_node (dag, id)->constant;
}
