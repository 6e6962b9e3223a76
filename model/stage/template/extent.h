#pragma once

#include "model/model.h"

typedef struct TemplateExtents {
  const RspExtent *of;   /* per node; least and most are one matrix if the value is known */
  const RspNodeId *open; /* the nodes with unknown values that a root depends on, other than through
                          * an empty node; operands first */
  guint n_open;
} TemplateExtents;

/* The extents of a template's nodes on a base, in the executions for which the options say what rf
 * and co contain. roots: per node, is it an axiom's, or a recursive definition? orders: of the
 * staged model. Incomplete if the budget is exhausted. */
TemplateExtents template_find_extents (const RspDag *from, const guint8 *roots, const RspBase *base,
                                       const RspStageOptions *options, const RspStagedOrder *orders,
                                       RspDag *dag);

/* Marks what the bodies of a recursive definition need. */
void template_need_bodies (const RspDag *from, const RspNode *node, guint8 *needed);

/* Marks what the node needs. */
static inline void template_need_operands (const RspDag *from, const RspNode *node,
                                           guint8 *needed) {
  guint arity = rsp_node_arity (node->op);
  if (arity >= 1)
    needed[node->a] = TRUE;
  if (arity == 2)
    needed[node->b] = TRUE;
  if (node->op == RSP_NODE_FIX)
    template_need_bodies (from, node, needed);
}

static inline gboolean extent_is_known (const RspExtent *extent) {
  return extent->least == extent->most;
}
