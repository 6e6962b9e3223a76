/* Evaluation of the DAG on a complete candidate execution: nodes in the order of their numbers,
 * which puts operands first; recursive groups by iteration from empty. */
#include "model/dag/valuation.h"
#include "model/dag/cycle.h"
#include "model/dag/private.h"

struct RspValuation {
  RspDag *dag;
  RspArena *arena;
  const RspMatrix **values; /* per node; NULL if not needed */
  RspMatrix **own;          /* per node: the matrix that holds its result; NULL for leaves */
  GArray *leaves;           /* of RspNodeId: RF, CO, ORDER */
  /* Strata: the nodes (of RspNodeId, ascending) that are computed together. Stratum 0 is outside
   * all groups; stratum g + 1 has the nodes whose innermost group is g, which are computed in each
   * round of its iteration. */
  guint n_strata;
  GArray **strata;
};

static gboolean evaluate_stratum (RspValuation *valuation, guint index);

/* ---- Preparation ---- */

/* Gives the nodes below the roots their values: that of a constant, or a matrix for what is
 * computed. */
static void prepare (RspValuation *valuation, const RspNodeId *roots, guint n_roots) {
  const RspDag *dag = valuation->dag;
  g_autofree guint8 *needed = g_new0 (guint8, dag->nodes->len + 1);
  for (guint i = 0; i < n_roots; i++)
    needed[roots[i]] = TRUE;
  rsp_dag_mark_below (dag, needed);
  for (RspNodeId id = 0; id < dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (dag, id);
    if (!needed[id])
      continue;
    valuation->values[id] = node->constant;
    if (node->op != RSP_NODE_CONSTANT)
      valuation->values[id] = valuation->own[id]
          = node->is_set ? rsp_set_new (valuation->arena, dag->n)
                         : rsp_relation_new (valuation->arena, dag->n);
  }
}

/* Computing one fix of a group also gives the values of the others. */
static gboolean is_first_fix (const RspValuation *valuation, RspNodeId id) {
  const RspNode *node = rsp_dag_node (valuation->dag, id);
  const RspFix *fix = &g_array_index (valuation->dag->groups, RspFix, node->index);
  for (guint i = 0; i < node->b; i++)
    if (valuation->own[fix->fixes[i]])
      return FALSE;
  return TRUE;
}

static void place_node (RspValuation *valuation, RspNodeId id) {
  const RspNode *node = rsp_dag_node (valuation->dag, id);
  gboolean leaf = node->op == RSP_NODE_RF || node->op == RSP_NODE_CO || node->op == RSP_NODE_ORDER;
  if (leaf)
    g_array_append_val (valuation->leaves, id);
  else if (node->op != RSP_NODE_VARIABLE
           && (node->op != RSP_NODE_FIX || is_first_fix (valuation, id)))
    g_array_append_val (valuation->strata[node->group], id);
}

RspValuation *rsp_valuation_new (RspDag *dag, const RspNodeId *roots, guint n_roots) {
  RspValuation *valuation = g_new0 (RspValuation, 1);
  valuation->dag = dag;
  valuation->arena = rsp_arena_new_within (dag->budget);
  valuation->values = rsp_arena_new0 (valuation->arena, const RspMatrix *, dag->nodes->len);
  valuation->own = rsp_arena_new0 (valuation->arena, RspMatrix *, dag->nodes->len);
  valuation->leaves = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
  valuation->n_strata = dag->groups->len + 1;
  valuation->strata = g_new0 (GArray *, valuation->n_strata);
  for (guint i = 0; i < valuation->n_strata; i++)
    valuation->strata[i] = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
  prepare (valuation, roots, n_roots);
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    if (valuation->own[id])
      place_node (valuation, id);
  return valuation;
}

void rsp_valuation_free (RspValuation *valuation) {
  if (!valuation)
    return;
  for (guint i = 0; i < valuation->n_strata; i++)
    g_array_unref (valuation->strata[i]);
  g_free (valuation->strata);
  g_array_unref (valuation->leaves);
  rsp_arena_free (valuation->arena);
  g_free (valuation);
}

/* ---- Evaluation ---- */

/* Gives the variables the values of their bodies. FALSE if nothing changed. */
static gboolean advance_variables (RspValuation *valuation, const RspFix *fix) {
  gboolean changed = FALSE;
  for (guint i = 0; i < fix->n; i++) {
    RspMatrix *variable = valuation->own[fix->variables[i]];
    const RspMatrix *body = valuation->values[fix->bodies[i]];
    if (!rsp_matrix_equal (variable, body)) {
      rsp_matrix_assign (variable, body);
      changed = TRUE;
    }
  }
  return changed;
}

/* Iterates until nothing changes. A monotone group grows by at least one pair in every round but
 * the last; any other settles or returns to earlier values. */
static gboolean iterate (RspValuation *valuation, guint group, RspMatrix *const *variables) {
  const RspFix *fix = &g_array_index (valuation->dag->groups, RspFix, group);
  RspCycle cycle = { 0 };
  gboolean changed = TRUE, goes_on = TRUE;
  while (changed && goes_on) {
    goes_on = !rsp_budget_is_exhausted (valuation->dag->budget)
              && evaluate_stratum (valuation, group + 1);
    changed = goes_on && advance_variables (valuation, fix);
    if (changed && !fix->monotone && rsp_cycle_closes (&cycle, variables, fix->n)) {
      rsp_dag_diverge (valuation->dag, fix);
      goes_on = FALSE;
    }
  }
  rsp_cycle_clear (&cycle);
  return goes_on;
}

static gboolean evaluate_group (RspValuation *valuation, guint group) {
  const RspFix *fix = &g_array_index (valuation->dag->groups, RspFix, group);
  g_autofree RspMatrix **variables = g_new (RspMatrix *, fix->n);
  for (guint i = 0; i < fix->n; i++) {
    variables[i] = valuation->own[fix->variables[i]];
    rsp_matrix_clear (variables[i]);
  }
  if (!iterate (valuation, group, variables))
    return FALSE;
  for (guint i = 0; i < fix->n; i++)
    if (valuation->own[fix->fixes[i]])
      rsp_matrix_assign (valuation->own[fix->fixes[i]], valuation->own[fix->variables[i]]);
  return TRUE;
}

static gboolean evaluate_stratum (RspValuation *valuation, guint index) {
  const GArray *nodes = valuation->strata[index];
  for (guint i = 0; i < nodes->len; i++) {
    RspNodeId id = g_array_index (nodes, RspNodeId, i);
    const RspNode *node = rsp_dag_node (valuation->dag, id);
    if (node->op == RSP_NODE_FIX) {
      if (!evaluate_group (valuation, node->index))
        return FALSE;
      continue;
    }
    rsp_node_compute (node->op, valuation->own[id], valuation->values[node->a],
                      rsp_node_arity (node->op) == 2 ? valuation->values[node->b] : NULL);
  }
  return TRUE;
}

gboolean rsp_valuation_evaluate (RspValuation *valuation, const RspMatrix *rf, const RspMatrix *co,
                                 RspMatrix *const *orders) {
  for (guint i = 0; i < valuation->leaves->len; i++) {
    RspNodeId id = g_array_index (valuation->leaves, RspNodeId, i);
    const RspNode *node = rsp_dag_node (valuation->dag, id);
    valuation->values[id] = node->op == RSP_NODE_RF   ? rf
                            : node->op == RSP_NODE_CO ? co
                                                      : orders[node->index];
  }
  return evaluate_stratum (valuation, 0);
}

const RspMatrix *rsp_valuation_get (const RspValuation *valuation, RspNodeId node) {
  return valuation->values[node];
}
