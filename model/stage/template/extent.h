#pragma once

#include "model/model.h"

/* The extents of a template's nodes on a base, in the executions for which the options say what rf and co contain; least and
 * most are one matrix if the value is known. roots: per node, is it an axiom's, or a recursive definition? Of nodes that no
 * root depends on, other than through an empty node, and of those that come after the budget is exhausted, both are
 * NULL. orders: of the staged model. */
const RspExtent *template_find_extents (const RspDag *from, const guint8 *roots, const RspBase *base,
                                      const RspStageOptions *options, const RspStagedOrder *orders,
                                      RspDag *dag);

/* Marks what the node needs. */
void template_need_operands (const RspDag *from, const RspNode *node, guint8 *needed);

static inline gboolean
extent_is_known (const RspExtent *extent)
{
  return extent->least == extent->most;
}
