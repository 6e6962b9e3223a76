#include "enumerator/search/sat/relations/may.h"
#include "model/bounds/between.h"

typedef struct May {
  const SatFold *fold;
  const SatChoices *choices;
  const RspDag *dag;
} May;

static void bound_constant (const May *may, RspNodeId id, RspMatrix *out) {
  const RspDag *dag = may->dag;
  if (id == dag->universe[TRUE])
    rsp_matrix_fill (out);
  else if (id == dag->universe[FALSE])
    rsp_matrix_assign (out, may->fold->together);
  else if (id == dag->identity)
    for (guint e = 0; e < out->n; e++)
      rsp_matrix_add (out, e, e);
}

static void bound_open (const May *may, const RspNode *node, RspMatrix *out) {
  const RspBase *base = may->fold->pre->base;
  if (node->is_set)
    rsp_matrix_assign (out, base->sets[node->index]);
  else
    rsp_matrix_intersect (out, base->relations[node->index - RSP_N_BASE_SETS], may->fold->together);
  if (node->is_set && node->index == RSP_BASE_SET_DIVERGENT_FENCE)
    rsp_matrix_assign (out, base->sets[RSP_BASE_SET_ENTRY_FENCE]);
}

static void bound_rf (const May *may, RspMatrix *out) {
  for (guint w = 0; w < out->n; w++)
    for (guint r = 0; r < out->n; r++)
      if (sat_choices_rf (may->choices, w, r) != LIT_FALSE)
        rsp_matrix_add (out, w, r);
}

static void bound (gpointer data, RspNodeId id, G_GNUC_UNUSED RspMatrix *least, RspMatrix *most) {
  const May *may = data;
  const RspNode *node = rsp_dag_node (may->dag, id);
  switch (node->op) {
  case RSP_NODE_CONSTANT:
    bound_constant (may, id, most);
    return;
  case RSP_NODE_RF:
    bound_rf (may, most);
    return;
  case RSP_NODE_CO:
    rsp_matrix_assign (most, may->choices->co.pairs);
    return;
  case RSP_NODE_ORDER:
    rsp_matrix_assign (most, may->choices->orders[node->index].pairs);
    return;
  default:
    bound_open (may, node, most);
  }
}

RspMatrix **may_new (const SatFold *fold, const SatChoices *choices, const RspStagedModel *model) {
  May may = { .fold = fold, .choices = choices, .dag = model->dag };
  RspBetween *between = rsp_between_new_upper (model, fold->pre->n, fold->together, fold->arena);
  rsp_between_compute (between, bound, &may);
  return between->most;
}
