/* Upper bounds of all executions at once. Differences are bounded by their left side, so that everything only
 * grows, and recursive definitions are iterated from empty. */
#include "enumerator/search/sat/relations/may.h"

typedef struct May
{
  const SatFold *fold;
  const SatChoices *choices;
  const RspDag *dag;
  guint8 *needed;
  RspMatrix **values;
} May;

static void
bound_constant (const May *may, RspNodeId id, RspMatrix *out)
{
  const RspDag *dag = may->dag;
  if (id == dag->universe[TRUE])
    rsp_matrix_fill (out);
  else if (id == dag->universe[FALSE])
    rsp_matrix_assign (out, may->fold->together);
  else if (id == dag->identity)
    for (guint e = 0; e < out->n; e++)
      rsp_matrix_add (out, e, e);
}

static void
bound_open (const May *may, const RspNode *node, RspMatrix *out)
{
  const RspBase *base = may->fold->pre->base;
  if (node->is_set)
    rsp_matrix_assign (out, base->sets[node->index]);
  else
    rsp_matrix_intersect (out, base->relations[node->index - RSP_N_BASE_SETS], may->fold->together);
  if (node->is_set && node->index == RSP_BASE_SET_DIVERGENT_FENCE)
    rsp_matrix_assign (out, base->sets[RSP_BASE_SET_ENTRY_FENCE]);
}

static void
bound_operator (const May *may, const RspNode *node, RspMatrix *out)
{
  const RspMatrix *a = may->values[node->a];
  if (node->op == RSP_NODE_DIFF)
    rsp_matrix_assign (out, a);
  else
    rsp_node_compute (node->op, out, a,
                      rsp_node_arity (node->op) == 2 ? may->values[node->b] : NULL);
  if (!node->is_set)
    rsp_matrix_intersect (out, out, may->fold->together);
}

static void
bound_rf (const May *may, RspMatrix *out)
{
  for (guint w = 0; w < out->n; w++)
    for (guint r = 0; r < out->n; r++)
      if (sat_choices_rf (may->choices, w, r) != LIT_FALSE)
        rsp_matrix_add (out, w, r);
}

static void
bound (const May *may, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (may->dag, id);
  RspMatrix *out = may->values[id];
  const RspFix *fix;
  switch (node->op)
    {
    case RSP_NODE_CONSTANT:
      bound_constant (may, id, out);
      return;
    case RSP_NODE_RF:
      bound_rf (may, out);
      return;
    case RSP_NODE_CO:
      rsp_matrix_assign (out, may->choices->co.pairs);
      return;
    case RSP_NODE_ORDER:
      rsp_matrix_assign (out, may->choices->orders[node->index].pairs);
      return;
    case RSP_NODE_OPEN:
      bound_open (may, node, out);
      return;
    case RSP_NODE_FIX:
      fix = &g_array_index (may->dag->groups, RspFix, node->index);
      rsp_matrix_assign (out, may->values[fix->variables[node->b]]);
      return;
    case RSP_NODE_VARIABLE: /* see grow_variable */
      return;
    default:
      bound_operator (may, node, out);
    }
}

/* Gives a variable the value of its body. FALSE if it has that. */
static gboolean
grow_variable (const May *may, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (may->dag, id);
  const RspFix *fix = &g_array_index (may->dag->groups, RspFix, node->group - 1);
  const RspMatrix *body = may->values[fix->bodies[node->index]];
  if (rsp_matrix_equal (may->values[id], body))
    return FALSE;
  rsp_matrix_assign (may->values[id], body);
  return TRUE;
}

static void
bound_all (const May *may)
{
  gboolean grows = TRUE;
  while (grows && !rsp_arena_is_exhausted (may->fold->arena))
    {
      grows = FALSE;
      for (RspNodeId id = 0; id < may->dag->nodes->len; id++)
        if (may->needed[id])
          bound (may, id);
      for (RspNodeId id = 0; id < may->dag->nodes->len; id++)
        if (may->needed[id] && rsp_dag_node (may->dag, id)->op == RSP_NODE_VARIABLE)
          grows |= grow_variable (may, id);
    }
}

RspMatrix **
may_new (const SatFold *fold, const SatChoices *choices, const RspStagedModel *model)
{
  const RspDag *dag = model->dag;
  guint n = dag->nodes->len;
  May may = { .fold = fold, .choices = choices, .dag = dag };
  may.needed = rsp_arena_new0 (fold->arena, guint8, n + 1);
  may.values = rsp_arena_new0 (fold->arena, RspMatrix *, n + 1);
  for (guint i = 0; i < model->n_axioms; i++)
    rsp_dag_mark_below (dag, model->axioms[i].node, may.needed);
  for (RspNodeId id = 0; id < n && !rsp_arena_is_exhausted (fold->arena); id++)
    if (may.needed[id])
      may.values[id] = rsp_dag_node (dag, id)->is_set
                           ? rsp_set_new (fold->arena, fold->pre->n)
                           : rsp_relation_new (fold->arena, fold->pre->n);
  bound_all (&may);
  return may.values;
}
