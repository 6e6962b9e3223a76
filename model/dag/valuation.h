#pragma once

#include "model/dag/dag.h"

/* Memory for evaluating the nodes that the roots need. */
RspValuation *rsp_valuation_new (RspDag *dag, const RspNodeId *roots, guint n_roots);
void rsp_valuation_free (RspValuation *valuation);
/* Computes every needed node from the given rf, co and orders. FALSE if a recursive definition does
 * not converge or the budget is exhausted. */
gboolean rsp_valuation_evaluate (RspValuation *valuation, const RspMatrix *rf, const RspMatrix *co,
                                 RspMatrix *const *orders);
const RspMatrix *rsp_valuation_get (const RspValuation *valuation, RspNodeId node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspValuation, rsp_valuation_free)
