#pragma once

#include "model/model.h"

typedef struct TemplateExtents
{
  const RspExtent *of; /* per node; least and most are one matrix if the value is known */
  const RspNodeId
      *list; /* the nodes that a root depends on, other than through an empty node; operands last */
  guint n;   /* of the list */
} TemplateExtents;

/* The extents of a template's nodes on a base, in the executions for which the options say what rf and co contain. roots:
 * per node, is it an axiom's, or a recursive definition? orders: of the staged model. Incomplete if the budget is
 * exhausted. */
TemplateExtents template_find_extents (const RspDag *from, const guint8 *roots, const RspBase *base,
                                       const RspStageOptions *options, const RspStagedOrder *orders,
                                       RspDag *dag);

/* Marks what the node needs. */
void template_need_operands (const RspDag *from, const RspNode *node, guint8 *needed);

static inline gboolean
extent_is_known (const RspExtent *extent)
{
  return extent->least == extent->most;
}
