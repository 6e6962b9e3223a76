#include "model/stage/template/undecided.h"
#include "model/stage/expr.h"
#include "model/stage/match.h"
#include "model/stage/value.h"

enum {
  MAX_UNDECIDED
  = 6 /* nested conditions: recursion that such a condition should end does not end here */
};

/* ---- Conditions ---- */

/* All pairs if the set or relation has an element, else none. */
static RspNodeId if_any (Stage *stage, RspNodeId node) {
  if (!rsp_dag_node (stage->dag, node)->is_set)
    node = rsp_dag_unary (stage->dag, RSP_NODE_DOMAIN, node);
  RspNodeId all = stage->dag->universe[TRUE];
  RspNodeId to = stage_binary_node (stage, RSP_NODE_PRODUCT, all, node);
  return stage_binary_node (stage, RSP_NODE_SEQ, to,
                            stage_binary_node (stage, RSP_NODE_PRODUCT, node, all));
}

static RspNodeId negation (Stage *stage, RspNodeId when) {
  return stage_binary_node (stage, RSP_NODE_DIFF, stage->dag->universe[FALSE], when);
}

/* Converts both to sets, or both to relations. */
static gboolean both_to_nodes (Stage *stage, const StageValue *a, const StageValue *b, RspSpan span,
                               RspNodeId *x, RspNodeId *y) {
  gboolean of_sets = stage_is_set (stage, a) || stage_is_set (stage, b);
  gboolean (*convert) (Stage *, const StageValue *, RspSpan, RspNodeId *)
      = of_sets ? stage_to_set : stage_to_relation;
  return convert (stage, a, span, x) && convert (stage, b, span, y);
}

static gboolean is_plain (const Stage *stage, const StageValue *value) {
  return value->kind == STAGE_EMPTY || value->kind == STAGE_UNIVERSE || stage_is_set (stage, value)
         || stage_is_relation (stage, value);
}

static gboolean comparison_as_relation (Stage *stage, const RspCatCondition *condition,
                                        const StageEnv *env, RspNodeId *when) {
  const StageValue *a = stage_eval (stage, condition->a, env);
  const StageValue *b = a ? stage_eval (stage, condition->b, env) : NULL;
  if (!b)
    return FALSE;
  RspNodeId x, y;
  if (condition->kind == RSP_CAT_COND_IN || !is_plain (stage, a) || !is_plain (stage, b))
    return stage_postpone (stage, condition->span);
  if (!both_to_nodes (stage, a, b, condition->span, &x, &y))
    return FALSE;
  RspNodeId differ = stage_binary_node (stage, RSP_NODE_DIFF, x, y);
  if (condition->kind != RSP_CAT_COND_SUBSET)
    differ = stage_binary_node (stage, RSP_NODE_UNION, differ,
                                stage_binary_node (stage, RSP_NODE_DIFF, y, x));
  *when = if_any (stage, differ);
  if (condition->kind != RSP_CAT_COND_NEQUAL)
    *when = negation (stage, *when);
  return TRUE;
}

static gboolean condition_as_relation (Stage *stage, const RspCatCondition *condition,
                                       const StageEnv *env, RspNodeId *when) {
  RspNodeId left, right;
  switch (condition->kind) {
  case RSP_CAT_COND_VARIANT: {
    gboolean truth;
    if (!stage_condition (stage, condition, env, &truth))
      return FALSE;
    *when = truth ? stage->dag->universe[FALSE] : stage->dag->empty[FALSE];
    return TRUE;
  }
  case RSP_CAT_COND_NOT:
    if (!condition_as_relation (stage, condition->c, env, &left))
      return FALSE;
    *when = negation (stage, left);
    return TRUE;
  case RSP_CAT_COND_AND:
  case RSP_CAT_COND_OR:
    if (!condition_as_relation (stage, condition->c, env, &left)
        || !condition_as_relation (stage, condition->d, env, &right))
      return FALSE;
    *when = stage_binary_node (
        stage, condition->kind == RSP_CAT_COND_AND ? RSP_NODE_INTER : RSP_NODE_UNION, left, right);
    return TRUE;
  default:
    return comparison_as_relation (stage, condition, env, when);
  }
}

/* ---- Values ---- */

static const StageValue *join (Stage *stage, RspSpan span, RspNodeId when, const StageValue *then,
                               const StageValue *otherwise) {
  RspNodeId x, y;
  if (!is_plain (stage, then) || !is_plain (stage, otherwise)
      || (!stage_is_set (stage, then) && !stage_is_relation (stage, then)
          && !stage_is_set (stage, otherwise) && !stage_is_relation (stage, otherwise)))
    return stage_await_execution (stage, span);
  if (!both_to_nodes (stage, then, otherwise, span, &x, &y))
    return NULL;
  if (rsp_dag_node (stage->dag, x)->is_set)
    when = rsp_dag_unary (stage->dag, RSP_NODE_DOMAIN, when);
  RspNodeId all = stage_binary_node (stage, RSP_NODE_UNION,
                                     stage_binary_node (stage, RSP_NODE_INTER, when, x),
                                     stage_binary_node (stage, RSP_NODE_DIFF, y, when));
  return stage_node (stage, all);
}

static const StageValue *both_sides (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  RspNodeId when;
  if (!condition_as_relation (stage, expr->condition, env, &when))
    return NULL;
  const StageValue *then = stage_eval (stage, expr->a, env);
  const StageValue *otherwise = then ? stage_eval (stage, expr->b, env) : NULL;
  return otherwise ? join (stage, expr->span, when, then, otherwise) : NULL;
}

/* The model might not evaluate this side, so an error in it is not reported yet. */
const StageValue *stage_undecided_if (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  guint n_before = rsp_diagnostics_count (stage->diagnostics);
  if (stage->n_undecided == MAX_UNDECIDED)
    return stage_await_execution (stage, expr->span);
  stage->n_undecided++;
  const StageValue *value = both_sides (stage, expr, env);
  stage->n_undecided--;
  if (!stage_has_failed (stage))
    return value;
  rsp_diagnostics_truncate (stage->diagnostics, n_before);
  stage->status = STAGE_OK;
  return stage_await_execution (stage, expr->span);
}
