/* Private part of the DAG: the laws of union and intersection. */
#pragma once

#include "model/dag/private.h"

/* a | b and a & b, at least one of which is not a constant. */
RspNodeId dag_simplify_union (RspDag *dag, RspNodeId a, RspNodeId b);
RspNodeId dag_simplify_inter (RspDag *dag, RspNodeId a, RspNodeId b);
