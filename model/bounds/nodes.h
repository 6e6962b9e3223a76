#pragma once

#include "model/bounds/state.h"

/* The base relations and their inverses come first, see rsp_bounds_new. */
void bounds_add_leaves (RspBounds *b, RspExtent rf, RspExtent co);

/* Gives a node of the DAG that is in no recursive group a node here. Its operands have theirs. Of
 * the bounds only a constant's are known. */
void bounds_add_node (RspBounds *b, RspNodeId id);

/* Finds the rows in which the bounds of a node differ, and whether there are any. */
void bounds_find_open_rows (const RspBounds *b, Node *node);
