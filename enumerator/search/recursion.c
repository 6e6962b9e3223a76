/* Recursive definitions that do not converge: `let rec r = id \ (r | rf)` never stops changing,
 * whatever the execution. Before a search, they are tried on one candidate execution, so that both
 * engines find a faulty model at once, even if the bounded one would prune every branch. A
 * definition that converges there but not on another execution is found when the search reaches
 * that execution. */
#include "enumerator/search/recursion.h"
#include "model/dag/valuation.h"

void search_report_divergence (RspSearch *search, RspDag *dag) {
  if (rsp_dag_report_divergence (dag, search->diagnostics))
    rsp_budget_end (search->budget, RSPCHECK_STOP_ERROR);
}

static gboolean may_diverge (const RspDag *dag) {
  for (guint i = 0; i < dag->groups->len; i++)
    if (!g_array_index (dag->groups, RspFix, i).monotone)
      return TRUE;
  return FALSE;
}

/* Every read takes its first candidate. */
static RspMatrix *first_rf (const RspPreExecution *pre, RspArena *arena) {
  RspMatrix *rf = rsp_relation_new (arena, pre->n);
  for (guint i = 0; i < pre->n_reads; i++) {
    const guint64 *row = rsp_matrix_row (pre->candidates, pre->reads[i]);
    guint write = rsp_next_bit (row, pre->candidates->words, 0);
    if (write != G_MAXUINT)
      rsp_matrix_add (rf, write, pre->reads[i]);
  }
  return rf;
}

/* Orders the members of a set by number, those of different locations separately. */
static RspMatrix *by_number (const RspPreExecution *pre, const RspMatrix *set,
                             gboolean per_location, RspArena *arena) {
  RspMatrix *order = rsp_relation_new (arena, pre->n);
  for (all_bits (a, set->bits, set->words))
    for (all_bits (b, set->bits, set->words))
      if (a < b && (!per_location || pre->events[a]->location == pre->events[b]->location))
        rsp_matrix_add (order, a, b);
  return order;
}

static void try_model (const RspPreExecution *pre, const RspStagedModel *model) {
  g_autoptr (RspArena) arena = rsp_arena_new ();
  RspNodeId *roots = rsp_arena_new0 (arena, RspNodeId, model->n_axioms);
  for (guint i = 0; i < model->n_axioms; i++)
    roots[i] = model->axioms[i].node;
  RspMatrix **orders = rsp_arena_new0 (arena, RspMatrix *, model->n_orders);
  for (guint i = 0; i < model->n_orders; i++)
    orders[i] = by_number (pre, model->orders[i].set, FALSE, arena);
  g_autoptr (RspValuation) valuation = rsp_valuation_new (model->dag, roots, model->n_axioms);
  rsp_valuation_evaluate (valuation, first_rf (pre, arena),
                          by_number (pre, pre->base->sets[RSP_BASE_SET_W], TRUE, arena), orders);
}

gboolean try_recursions (RspSearch *search, const RspStaging *staging) {
  for (guint i = 0; i <= staging->n_models; i++) {
    const RspStagedModel *model = i < staging->n_models ? staging->models[i] : staging->known;
    if (!model || !may_diverge (model->dag))
      continue;
    try_model (search->pre, model);
    search_report_divergence (search, model->dag);
    if (rsp_budget_stop (search->budget) != RSPCHECK_STOP_COMPLETE)
      return FALSE;
  }
  return TRUE;
}
