/* Expressions: one case for each kind of the syntax tree. */
#include "model/stage/expr.h"
#include "model/stage/predefined/functions.h"
#include "model/stage/env.h"
#include "model/stage/let.h"
#include "model/stage/match.h"
#include "model/stage/operator.h"
#include "model/stage/predefined/names.h"
#include "model/stage/set.h"
#include "model/stage/template/undecided.h"
#include "model/stage/value.h"
#include "model/stage/trace.h"

#define MAX_STEPS   G_GUINT64_CONSTANT (10000000)
#define MANY_EVENTS 500 /* a relation over more events takes 32 KB or more */

gboolean stage_is_exhausted (Stage *stage) {
  if (rsp_budget_is_exhausted (stage->options ? stage->options->budget : NULL))
    stage->status = STAGE_EXHAUSTED;
  return stage->status == STAGE_EXHAUSTED;
}

static gsize max_memory (const Stage *stage) {
  const RspBudget *budget = stage->options ? stage->options->budget : NULL;
  return budget && budget->max_memory ? budget->max_memory : RSP_DEFAULT_MEMORY;
}

/* If values fill the memory, the place in the model is reported, since the model may be at fault.
 * For tests with very many events the message names their number instead. */
static gboolean give_up_memory (Stage *stage, RspSpan span) {
  g_autofree char *limit = rsp_size_format (max_memory (stage));
  if (stage->options && stage->options->budget)
    rsp_budget_end (stage->options->budget, RSPCHECK_STOP_MEMORY);
  if (stage->base->n > MANY_EVENTS)
    return stage_refuse (stage, span, "the relations of this model on %u events take more than %s",
                         stage->base->n, limit);
  return stage_refuse (stage, span,
                       "the values of this model take more than %s: is there endless recursion?",
                       limit);
}

/* Do values take all the memory, or most of what the check holds? */
static gboolean is_full (Stage *stage) {
  RspBudget *budget = stage->options ? stage->options->budget : NULL;
  gsize own = rsp_arena_size (stage->arena) - stage->size_before;
  return own > max_memory (stage)
         || (own > max_memory (stage) / 2 && !rsp_budget_affords (budget, 0));
}

gboolean stage_spend (Stage *stage, RspSpan span, guint64 steps) {
  stage->steps += steps;
  if (is_full (stage))
    return give_up_memory (stage, span);
  if (stage_is_exhausted (stage))
    return FALSE;
  if (stage->steps > MAX_STEPS)
    return stage_refuse (stage, span,
                         "the model does not terminate: gave up after 10 million steps");
  return TRUE;
}

gboolean stage_may_go_on (Stage *stage, RspSpan span) {
  if ((guintptr) __builtin_frame_address (0) < stage->stack_limit)
    return stage_refuse (stage, span,
                         "recursion is too deep: does a function call itself without end?");
  return stage_spend (stage, span, 1);
}

static const StageValue *eval_name (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  gboolean own;
  const StageValue *value = stage_look_up (stage, env, expr->name, &own);
  if (!value)
    return stage_fail (stage, expr->span, "unbound name `%s`", expr->name);
  if (value->kind == STAGE_UNKNOWN)
    return stage_await_execution (stage, expr->span);
  return own ? value : stage_traced_base (stage, value, expr->name);
}

/* The values of items, in the arena; FALSE if one has none. */
static gboolean eval_items (Stage *stage, const RspCatExpr *expr, const StageEnv *env,
                            const StageValue **items) {
  for (guint i = 0; i < expr->n_items; i++)
    if (!(items[i] = stage_eval (stage, expr->items[i], env)))
      return FALSE;
  return TRUE;
}

static const StageValue *eval_list (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  const StageValue **items = rsp_arena_new0 (stage->arena, const StageValue *, expr->n_items);
  if (!eval_items (stage, expr, env, items))
    return NULL;
  if (expr->kind == RSP_CAT_TUPLE)
    return stage_list (stage, STAGE_TUPLE, items, expr->n_items);
  return stage_set_of (stage, items, expr->n_items);
}

static const StageValue *eval_fun (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  StageValue *value = rsp_arena_new0 (stage->arena, StageValue, 1);
  value->kind = STAGE_CLOSURE;
  value->u.closure.pattern = expr->pattern;
  value->u.closure.body = expr->a;
  value->u.closure.env = env;
  return value;
}

const StageValue *stage_apply (Stage *stage, RspSpan span, const StageValue *function,
                               const StageValue *argument) {
  if (function->kind == STAGE_BUILTIN)
    return stage_call_builtin (stage, span, function, argument);
  if (function->kind != STAGE_CLOSURE)
    return stage_fail (stage, span, "%s is applied as if it were a function",
                       stage_describe (stage, function));
  const StageEnv *env = function->u.closure.env;
  if (!stage_bind_pattern (stage, &env, function->u.closure.pattern, argument))
    return NULL;
  return stage_eval (stage, function->u.closure.body, env);
}

/* `WW r`, `ext r`: a name that is not a function but is applied as one in the 2015 dialect. */
static gboolean is_filter_call (Stage *stage, const RspCatExpr *function, const StageEnv *env) {
  if (function->kind != RSP_CAT_NAME || !stage_is_filter (function->name))
    return FALSE;
  gboolean own;
  const StageValue *value = stage_look_up (stage, env, function->name, &own);
  return !own && (!value || !stage_is_function (value));
}

static const StageValue *eval_apply (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  if (is_filter_call (stage, expr->a, env)) {
    const StageValue *argument = stage_eval (stage, expr->b, env);
    return argument ? stage_filter (stage, expr->span, expr->a->name, argument) : NULL;
  }
  const StageValue *function = stage_eval (stage, expr->a, env);
  const StageValue *argument = function ? stage_eval (stage, expr->b, env) : NULL;
  const StageValue *result = argument ? stage_apply (stage, expr->span, function, argument) : NULL;
  return stage_traced_call (stage, result, expr, env);
}

static const StageValue *eval_let (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  if (!stage_let (stage, expr->bindings, expr->recursive, &env))
    return NULL;
  return stage_eval (stage, expr->a, env);
}

/* Could a condition not be evaluated because the execution, or a chosen order, is not known yet?
 * Then the effects of the attempt are undone. */
static gboolean is_undecided (Stage *stage, gboolean looked, guint n_diagnostics) {
  if (stage->status == STAGE_NEEDS_ORDER)
    rsp_diagnostics_truncate (stage->diagnostics, n_diagnostics);
  else if (stage->status != STAGE_NEEDS_EXECUTION || (stage->options && stage->options->direct))
    return FALSE;
  stage->status = STAGE_OK;
  stage->looked = looked;
  return TRUE;
}

static const StageValue *eval_if (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  gboolean truth, looked = stage->looked;
  guint n_diagnostics = rsp_diagnostics_count (stage->diagnostics);
  if (stage_condition (stage, expr->condition, env, &truth))
    return stage_eval (stage, truth ? expr->a : expr->b, env);
  return is_undecided (stage, looked, n_diagnostics) ? stage_undecided_if (stage, expr, env) : NULL;
}

static const StageValue *eval_match (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  const StageValue *value = stage_eval (stage, expr->a, env);
  if (!value)
    return NULL;
  const RspCatClause *clause = stage_choose_clause (stage, expr->span, value, expr->clauses, &env);
  return clause ? stage_eval (stage, clause->body, env) : NULL;
}

/* `try a with b`: if a fails, the error is not reported, and b is the value. */
static const StageValue *eval_try (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  guint n_before = rsp_diagnostics_count (stage->diagnostics);
  const StageValue *value = stage_eval (stage, expr->a, env);
  if (!stage_has_failed (stage))
    return value;
  rsp_diagnostics_truncate (stage->diagnostics, n_before);
  stage->status = STAGE_OK;
  return stage_eval (stage, expr->b, env);
}

static const StageValue *eval_operator (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  const StageValue *a = stage_eval (stage, expr->a, env);
  if (!a)
    return NULL;
  if (!expr->b)
    return stage_unary (stage, expr->span, expr->kind, a);
  const StageValue *b = stage_eval (stage, expr->b, env);
  return b ? stage_binary (stage, expr->span, expr->kind, a, b) : NULL;
}

const StageValue *stage_eval (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  if (!stage_may_go_on (stage, expr->span))
    return NULL;
  switch (expr->kind) {
  case RSP_CAT_NAME:
    return eval_name (stage, expr, env);
  case RSP_CAT_TAG:
    return stage_tag (stage, expr->name);
  case RSP_CAT_EMPTY:
    return &stage_empty;
  case RSP_CAT_UNIVERSE:
    return stage_traced_base (stage, stage_node (stage, stage->dag->universe[TRUE]), "_");
  case RSP_CAT_SET:
  case RSP_CAT_TUPLE:
    return eval_list (stage, expr, env);
  case RSP_CAT_APPLY:
    return eval_apply (stage, expr, env);
  case RSP_CAT_FUN:
    return eval_fun (stage, expr, env);
  case RSP_CAT_LET:
    return eval_let (stage, expr, env);
  case RSP_CAT_IF:
    return eval_if (stage, expr, env);
  case RSP_CAT_MATCH:
    return eval_match (stage, expr, env);
  case RSP_CAT_TRY:
    return eval_try (stage, expr, env);
  default:
    return eval_operator (stage, expr, env);
  }
}
