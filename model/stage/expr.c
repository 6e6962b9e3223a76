/* Staged evaluation of expressions, match and let. */
#include "model/dag/dag.h"
#include "model/model.h"
#include "model/stage/internal.h"

#include <string.h>

/* ---- Match ---------------------------------------------------------------------------------- */

/* match and conditions: the constructs that inspect values. */

/* ---- match ---- */
/* x ++ xs and xs U {x} U ys: does the clause fit a set, and with which parts? */
static gboolean try_parts (Stage *stage, RspSpan span, const StageValue *value,
                           const RspCatClause *clause, const StageEnv **env, gboolean *fits) {
  const StageValue *part[3] = { NULL };
  gboolean cons = clause->kind == RSP_CAT_CLAUSE_CONS;
  if (cons ? !stage_split_first (stage, value, span, fits, &part[0], &part[1])
           : !stage_split_middle (stage, value, span, fits, &part[0], &part[1], &part[2]))
    return FALSE;
  for (guint i = 0; *fits && i < (cons ? 2 : 3); i++)
    if (clause->names[i]) /* NULL is `_` */
      *env = stage_bind (stage, *env, clause->names[i], part[i]);
  return TRUE;
}

static gboolean try_clause (Stage *stage, RspSpan span, const StageValue *value,
                            const RspCatClause *clause, const StageEnv **env, gboolean *fits) {
  gboolean is_tag = value->kind == STAGE_TAG;
  switch (clause->kind) {
  case RSP_CAT_CLAUSE_ANY:
    *fits = TRUE;
    return TRUE;
  case RSP_CAT_CLAUSE_TAG:
    *fits = is_tag && strcmp (value->u.tag, clause->names[0]) == 0;
    return TRUE;
  case RSP_CAT_CLAUSE_EMPTY: {
    const StageValue *first, *rest;
    gboolean any = TRUE;
    if (!is_tag && !stage_split_first (stage, value, span, &any, &first, &rest))
      return FALSE;
    *fits = !any;
    return TRUE;
  }
  default:
    *fits = FALSE;
    return is_tag || try_parts (stage, span, value, clause, env, fits);
  }
}

const RspCatClause *stage_choose_clause (Stage *stage, RspSpan span, const StageValue *value,
                                         const RspCatClause *clauses, const StageEnv **env) {
  for (const RspCatClause *clause = clauses; clause; clause = clause->next) {
    gboolean fits;
    if (!try_clause (stage, span, value, clause, env, &fits))
      return NULL;
    if (fits)
      return clause;
  }
  if (value->kind == STAGE_TAG)
    return (const RspCatClause *) stage_fail (stage, span, "no clause for the tag '%s",
                                              value->u.tag);
  return (const RspCatClause *) stage_fail (stage, span, "no clause for %s",
                                            stage_describe (stage, value));
}

/* ---- Conditions ---- */
/* A condition that is being evaluated. */
typedef struct Evaluated {
  Stage *stage;
  const StageEnv *env;
} Evaluated;

/* Open if that is not known, or after an error. */
static RspTruth compare (const RspCatCondition *condition, gpointer data) {
  Stage *stage = ((const Evaluated *) data)->stage;
  const StageEnv *env = ((const Evaluated *) data)->env;
  const StageValue *a = stage->status == STAGE_OK ? stage_eval (stage, condition->a, env) : NULL;
  const StageValue *b = a ? stage_eval (stage, condition->b, env) : NULL;
  if (!b)
    return RSP_OPEN;
  RspTruth answer;
  if (condition->kind == RSP_CAT_COND_SUBSET)
    answer = stage_subset (stage, a, b, condition->span);
  else if (condition->kind == RSP_CAT_COND_IN)
    answer = stage_contains (stage, b, a, condition->span);
  else {
    a = stage_spell_out (stage, condition->span, a);
    b = a ? stage_spell_out (stage, condition->span, b) : NULL;
    answer = b ? stage_equal (stage, a, b) : RSP_OPEN;
  }
  if (answer == RSP_OPEN && stage->status == STAGE_OK)
    stage_postpone (stage, condition->span);
  if (stage->status != STAGE_OK)
    return RSP_OPEN;
  return rsp_truth ((answer == RSP_HOLDS) != (condition->kind == RSP_CAT_COND_NEQUAL));
}

gboolean stage_condition (Stage *stage, const RspCatCondition *condition, const StageEnv *env,
                          gboolean *truth) {
  *truth
      = model_condition (stage->model, condition, compare, &(Evaluated){ stage, env }) == RSP_HOLDS;
  return stage->status == STAGE_OK;
}

/* ---- Operator ------------------------------------------------------------------------------- */

static const StageValue *node_binary (Stage *stage, RspNodeOp op, RspNodeId a, RspNodeId b) {
  return stage_node (stage, rsp_dag_binary (stage->dag, op, a, b));
}

static const StageValue *complement (Stage *stage, RspSpan span, const StageValue *a) {
  if (a->kind == STAGE_EMPTY)
    return &stage_universe;
  if (a->kind == STAGE_UNIVERSE)
    return &stage_empty;
  RspNodeId node;
  if (!stage_to_node (stage, a, span, &node))
    return NULL;
  gboolean is_set = rsp_dag_node (stage->dag, node)->is_set;
  return node_binary (stage, RSP_NODE_DIFF, stage->dag->universe[is_set], node);
}

/* a | id */
static const StageValue *or_identity (Stage *stage, RspNodeId a) {
  return node_binary (stage, RSP_NODE_UNION, a, stage->dag->identity);
}

/* An operator of the DAG on sets, relations, and the literals 0 and unv, whose kind only the other
 * operand determines. b: NULL for unary ones. */
static const StageValue *apply_operator (Stage *stage, RspSpan span, RspNodeOp op,
                                         const StageValue *a, const StageValue *b) {
  RspNodeId x, y;
  gboolean of_sets = rsp_node_forms[op].of == RSP_EITHER
                         ? stage_is_set (stage, stage_is_literal (a) ? b : a)
                         : rsp_node_forms[op].of == RSP_SET;
  if (!stage_to_kind (stage, a, of_sets, span, &x)
      || (b && !stage_to_kind (stage, b, of_sets, span, &y)))
    return NULL;
  return b ? node_binary (stage, op, x, y) : stage_node (stage, rsp_dag_unary (stage->dag, op, x));
}

const StageValue *stage_unary (Stage *stage, RspSpan span, RspCatExprKind kind,
                               const StageValue *a) {
  RspNodeId node;
  RspNodeOp op;
  switch (kind) {
  case RSP_CAT_COMPLEMENT:
    return stage_traced (stage, complement (stage, span, a), RSP_TRACE_COMPLEMENT, a, NULL);
  case RSP_CAT_SQUARE:
    return stage_traced (stage, apply_operator (stage, span, RSP_NODE_PRODUCT, a, a),
                         RSP_TRACE_PRODUCT, a, a);
  case RSP_CAT_STAR:
    if (!stage_to_relation (stage, a, span, &node))
      return NULL;
    return stage_traced (stage, or_identity (stage, rsp_dag_plus (stage->dag, node)),
                         RSP_TRACE_STAR, a, NULL);
  case RSP_CAT_OPTION:
    if (!stage_to_relation (stage, a, span, &node))
      return NULL;
    return stage_traced (stage, or_identity (stage, node), RSP_TRACE_OPTION, a, NULL);
  default:
    if (!rsp_node_op_of_cat (kind, &op))
      g_assert_not_reached ();
    return stage_traced (stage, apply_operator (stage, span, op, a, NULL), rsp_node_forms[op].trace,
                         a, NULL);
  }
}

const StageValue *stage_binary (Stage *stage, RspSpan span, RspCatExprKind kind,
                                const StageValue *a, const StageValue *b) {
  RspNodeOp op;
  if (!rsp_node_op_of_cat (kind, &op)) /* a ++ b */
    return stage_add (stage, span, a, b);
  gboolean on_anything = rsp_node_forms[op].of == RSP_EITHER;
  gboolean x = a->kind == STAGE_UNIVERSE, y = b->kind == STAGE_UNIVERSE;
  const StageValue *result;
  if (on_anything && stage_is_literal (a) && stage_is_literal (b))
    /* 0 is no, unv is yes. */
    result = (op == RSP_NODE_UNION   ? x || y
              : op == RSP_NODE_INTER ? x && y
                                     : x && !y)
                 ? &stage_universe
                 : &stage_empty;
  else if (on_anything && (stage_is_collection (a) || stage_is_collection (b)))
    result = stage_combine_values (stage, span, kind, a, b);
  else
    result = apply_operator (stage, span, op, a, b);
  return stage_traced (stage, result, rsp_node_forms[op].trace, a, b);
}

/* ---- Expr ----------------------------------------------------------------------------------- */

/* Expressions: one case for each kind of the syntax tree. */

#define MAX_STEPS   G_GUINT64_CONSTANT (10000000)
#define MANY_EVENTS 500 /* a relation over more events takes 32 KB or more */

/* Is the budget exhausted? If so, the status is set accordingly. */
static gboolean stage_is_exhausted (Stage *stage) {
  if (rsp_budget_is_exhausted (stage->options ? stage->options->budget : NULL))
    stage->status = STAGE_EXHAUSTED;
  return stage->status == STAGE_EXHAUSTED;
}

static gsize max_memory (const Stage *stage) {
  const RspBudget *budget = stage->options ? stage->options->budget : NULL;
  return budget && budget->max_memory ? budget->max_memory : RSP_DEFAULT_MEMORY;
}

gboolean stage_spend (Stage *stage, RspSpan span, guint64 steps) {
  RspBudget *budget = stage->options ? stage->options->budget : NULL;
  gsize own = rsp_arena_size (stage->arena) - stage->size_before;
  stage->steps += steps;
  if (own > max_memory (stage)
      || (own > max_memory (stage) / 2 && !rsp_budget_affords (budget, 0))) {
    /* Values take all the memory, or most of what the check holds. The place in the model is
     * reported, since the model may be at fault; for tests with very many events, their number. */
    g_autofree char *limit = rsp_size_format (max_memory (stage));
    if (budget)
      rsp_budget_end (budget, RSPCHECK_STOP_MEMORY);
    if (stage->base->n > MANY_EVENTS)
      return stage_refuse (stage, span,
                           "the relations of this model on %u events take more than %s",
                           stage->base->n, limit);
    return stage_refuse (stage, span,
                         "the values of this model take more than %s: is there endless recursion?",
                         limit);
  }
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

static const StageValue *eval_list (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  const StageValue **items = rsp_arena_new0 (stage->arena, const StageValue *, expr->n_items);
  for (guint i = 0; i < expr->n_items; i++)
    if (!(items[i] = stage_eval (stage, expr->items[i], env)))
      return NULL;
  if (expr->kind == RSP_CAT_TUPLE)
    return stage_list (stage, STAGE_TUPLE, items, expr->n_items);
  return stage_set_of (stage, items, expr->n_items);
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

static const StageValue *eval_apply (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  /* `WW r`, `ext r`: a name that is not a function but is applied as one in the 2015 dialect. */
  if (expr->a->kind == RSP_CAT_NAME && stage_is_filter (expr->a->name)) {
    gboolean own;
    const StageValue *named = stage_look_up (stage, env, expr->a->name, &own);
    if (!own && (!named || !stage_is_function (named))) {
      const StageValue *argument = stage_eval (stage, expr->b, env);
      return argument ? stage_filter (stage, expr->span, expr->a->name, argument) : NULL;
    }
  }
  const StageValue *function = stage_eval (stage, expr->a, env);
  const StageValue *argument = function ? stage_eval (stage, expr->b, env) : NULL;
  const StageValue *result = argument ? stage_apply (stage, expr->span, function, argument) : NULL;
  return stage_traced_call (stage, result, expr, env);
}

/* Is the condition only undecided, since the execution or a chosen order is not known yet? If so,
 * undoes the effects of the attempt. */
static gboolean is_undecided (Stage *stage, gboolean looked, guint n_diagnostics) {
  if (stage->status == STAGE_NEEDS_ORDER)
    rsp_diagnostics_truncate (stage->diagnostics, n_diagnostics);
  else if (stage->status != STAGE_NEEDS_EXECUTION || (stage->options && stage->options->direct))
    return FALSE;
  stage->status = STAGE_OK;
  stage->looked = looked;
  return TRUE;
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

static StageValue *new_closure (Stage *stage, const RspCatExpr *fun, const StageEnv *env) {
  StageValue *closure = stage_value (stage, STAGE_CLOSURE);
  closure->u.closure.pattern = fun->pattern;
  closure->u.closure.body = fun->a;
  closure->u.closure.env = env;
  return closure;
}

const StageValue *stage_eval (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  if (!stage_may_go_on (stage, expr->span))
    return NULL;
  switch (expr->kind) {
  case RSP_CAT_NAME: {
    gboolean own;
    const StageValue *value = stage_look_up (stage, env, expr->name, &own);
    if (!value)
      return stage_fail (stage, expr->span, "unbound name `%s`", expr->name);
    if (value->kind == STAGE_UNKNOWN)
      return stage_await_execution (stage, expr->span);
    return own ? value : stage_traced_base (stage, value, expr->name);
  }
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
    return new_closure (stage, expr, env);
  case RSP_CAT_LET:
    if (!stage_let (stage, expr->bindings, expr->recursive, &env))
      return NULL;
    return stage_eval (stage, expr->a, env);
  case RSP_CAT_IF: {
    gboolean truth, looked = stage->looked;
    guint n_diagnostics = rsp_diagnostics_count (stage->diagnostics);
    if (stage_condition (stage, expr->condition, env, &truth))
      return stage_eval (stage, truth ? expr->a : expr->b, env);
    return is_undecided (stage, looked, n_diagnostics) ? stage_undecided_if (stage, expr, env)
                                                       : NULL;
  }
  case RSP_CAT_MATCH: {
    const StageValue *value = stage_eval (stage, expr->a, env);
    if (!value)
      return NULL;
    const RspCatClause *clause
        = stage_choose_clause (stage, expr->span, value, expr->clauses, &env);
    return clause ? stage_eval (stage, clause->body, env) : NULL;
  }
  case RSP_CAT_TRY:
    return eval_try (stage, expr, env);
  default:
    return eval_operator (stage, expr, env);
  }
}

/* ---- Let ------------------------------------------------------------------------------------ */

/* let and let rec.
 *
 * Recursive sets and relations become a recursive group of the DAG. That requires their kinds,
 * which are those of the bodies' values when the names are empty. A group whose bodies inspect the
 * names' values (match, if) cannot be staged in this way; it is iterated directly, which requires
 * known values. */

/* ---- let rec ---- */
typedef enum Kind {
  KIND_OPEN, /* 0 so far */
  KIND_SET,
  KIND_RELATION,
  KIND_OTHER /* a set of values, … */
} Kind;

typedef struct Rec {
  const RspCatBinding *bindings;
  const StageEnv *outer;
  guint n; /* the names that are not functions */
  const RspCatBinding **names;
  const StageValue **values; /* their current values */
  Kind *kinds;
} Rec;

static gboolean is_function (const RspCatBinding *binding) {
  return binding->value->kind == RSP_CAT_FUN;
}

/* Binds all names: functions to closures over these same bindings, the others to their values. */
static const StageEnv *bind_names (Stage *stage, const Rec *rec) {
  const StageEnv *env = rec->outer;
  g_autoptr (GPtrArray) closures = g_ptr_array_new ();
  guint at = 0;
  for (const RspCatBinding *binding = rec->bindings; binding; binding = binding->next) {
    const StageValue *value;
    if (is_function (binding)) {
      StageValue *closure = new_closure (stage, binding->value, NULL);
      closure->u.closure.name = binding->pattern->name;
      g_ptr_array_add (closures, closure);
      value = closure;
    } else
      value = rec->values[at++];
    if (binding->pattern->name)
      env = stage_bind (stage, env, binding->pattern->name, value);
  }
  for (guint i = 0; i < closures->len; i++)
    ((StageValue *) closures->pdata[i])->u.closure.env = env;
  return env;
}

/* The bodies' values if the names have rec->values. */
static gboolean eval_bodies (Stage *stage, const Rec *rec, const StageValue **bodies) {
  const StageEnv *env = bind_names (stage, rec);
  for (guint i = 0; i < rec->n; i++)
    if (!(bodies[i] = stage_eval (stage, rec->names[i]->value, env)))
      return FALSE;
  return TRUE;
}

static Kind kind_of (const Stage *stage, const StageValue *value) {
  if (value->kind == STAGE_EMPTY)
    return KIND_OPEN;
  if (value->kind == STAGE_UNIVERSE || stage_is_relation (stage, value))
    return KIND_RELATION;
  return stage_is_set (stage, value) ? KIND_SET : KIND_OTHER;
}

/* Makes every name the empty value of its kind. */
static void empty_names (Stage *stage, const Rec *rec) {
  for (guint i = 0; i < rec->n; i++) {
    const StageValue *empty
        = rec->kinds[i] == KIND_SET        ? stage_node (stage, stage->dag->empty[TRUE])
          : rec->kinds[i] == KIND_RELATION ? stage_node (stage, stage->dag->empty[FALSE])
                                           : &stage_empty;
    rec->values[i] = stage_traced_round (stage, empty, rec->names[i]->pattern->name, NULL);
  }
}

static gboolean diverges (Stage *stage, const Rec *rec) {
  if (!rsp_dag_diverged (stage->dag) && stage_is_exhausted (stage))
    return FALSE;
  return stage_refuse (stage, rec->names[0]->span, "this recursive definition does not converge");
}

/* Iterates from empty values. *known: FALSE if some value depends on what the search decides. */
static gboolean iterate (Stage *stage, const Rec *rec, const StageValue **bodies, gboolean *known) {
  gsize n = stage->dag->n, rounds = n * n * rec->n + 2;
  *known = TRUE;
  empty_names (stage, rec);
  for (gsize round = 0; round < rounds; round++) {
    gboolean stable = TRUE;
    if (!eval_bodies (stage, rec, bodies))
      return FALSE;
    for (guint i = 0; i < rec->n; i++) {
      *known &= stage_is_known (stage, bodies[i]);
      stable &= stage_equal (stage, bodies[i], rec->values[i]) == RSP_HOLDS;
      rec->values[i]
          = stage_traced_round (stage, bodies[i], rec->names[i]->pattern->name, rec->values[i]);
    }
    if (stable || !*known)
      return TRUE;
  }
  return diverges (stage, rec);
}

/* Makes a recursive group of the DAG. */
static gboolean close_group (Stage *stage, const Rec *rec, const StageValue **bodies) {
  g_autofree gboolean *is_set = g_new (gboolean, rec->n);
  g_autofree RspNodeId *nodes = g_new (RspNodeId, rec->n);
  g_autofree RspNodeId *fixes = g_new (RspNodeId, rec->n);
  for (guint i = 0; i < rec->n; i++)
    is_set[i] = rec->kinds[i] == KIND_SET;
  guint group = rsp_dag_fix_begin (stage->dag, rec->n, is_set, nodes);
  g_array_index (stage->dag->groups, RspFix, group).span = rec->names[0]->span;
  for (guint i = 0; i < rec->n; i++)
    rec->values[i] = stage_node (stage, nodes[i]);
  if (!eval_bodies (stage, rec, bodies))
    return FALSE;
  for (guint i = 0; i < rec->n; i++)
    if (!stage_to_kind (stage, bodies[i], is_set[i], rec->names[i]->value->span, &nodes[i]))
      return FALSE;
  if (!rsp_dag_fix_end (stage->dag, group, nodes, fixes))
    return diverges (stage, rec);
  for (guint i = 0; i < rec->n; i++)
    rec->values[i] = stage_node (stage, fixes[i]);
  return TRUE;
}

static gboolean has_other_kind (const Rec *rec) {
  for (guint i = 0; i < rec->n; i++)
    if (rec->kinds[i] == KIND_OTHER)
      return TRUE;
  return FALSE;
}

/* Finds the names' values. If a complete execution is given, everything is known except what
 * depends on chosen orders, so iteration comes first; otherwise it is the fallback for bodies that
 * inspect values. */
static gboolean solve (Stage *stage, const Rec *rec, const StageValue **bodies) {
  gboolean known;
  /* One kind may determine another, so this repeats until nothing changes. */
  gboolean found = TRUE;
  while (found) {
    found = FALSE;
    empty_names (stage, rec);
    if (!eval_bodies (stage, rec, bodies))
      return FALSE;
    for (guint i = 0; i < rec->n; i++)
      if (rec->kinds[i] == KIND_OPEN && kind_of (stage, bodies[i]) != KIND_OPEN) {
        rec->kinds[i] = kind_of (stage, bodies[i]);
        found = TRUE;
      }
  }
  if (stage->base->generic && has_other_kind (rec))
    return stage_postpone (stage, rec->names[0]->span);
  if (stage->base->rf || has_other_kind (rec)) {
    if (!iterate (stage, rec, bodies, &known))
      return FALSE;
    if (known)
      return TRUE;
    if (has_other_kind (rec))
      return stage_postpone (stage, rec->names[0]->span);
  }
  if (close_group (stage, rec, bodies))
    return TRUE;
  if (stage->status != STAGE_NEEDS_EXECUTION)
    return FALSE;
  stage->status = STAGE_OK;
  if (!iterate (stage, rec, bodies, &known))
    return FALSE;
  return known || stage_postpone (stage, rec->names[0]->span);
}

static gboolean let_rec (Stage *stage, const RspCatBinding *bindings, const StageEnv **env) {
  guint n = 0;
  for (const RspCatBinding *b = bindings; b; b = b->next)
    n++;
  Rec rec = { .bindings = bindings, .outer = *env };
  rec.names = rsp_arena_new0 (stage->arena, const RspCatBinding *, n);
  rec.values = rsp_arena_new0 (stage->arena, const StageValue *, n);
  rec.kinds = rsp_arena_new0 (stage->arena, Kind, n);
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next) {
    if (binding->pattern->is_tuple)
      return stage_refuse (stage, binding->pattern->span,
                           "a recursive definition must define a name");
    if (!is_function (binding))
      rec.names[rec.n++] = binding;
  }
  const StageValue **bodies = rsp_arena_new0 (stage->arena, const StageValue *, n);
  if (rec.n && !solve (stage, &rec, bodies))
    return FALSE;
  *env = bind_names (stage, &rec);
  return TRUE;
}

/* ---- let ---- */
/* A value that cannot be evaluated yet may never be needed, so unknown values are not a failure. */
static gboolean bind_unknown (Stage *stage, const RspCatBinding *binding, gboolean all,
                              const StageEnv **env) {
  if (stage->status != STAGE_NEEDS_EXECUTION)
    return FALSE;
  stage->status = STAGE_OK;
  for (; binding; binding = all ? binding->next : NULL)
    stage_bind_unknown (stage, env, binding->pattern);
  return TRUE;
}

gboolean stage_let (Stage *stage, const RspCatBinding *bindings, gboolean recursive,
                    const StageEnv **env) {
  const StageEnv *outer = *env;
  if (recursive && !let_rec (stage, bindings, env) && !bind_unknown (stage, bindings, TRUE, env))
    return FALSE;
  for (const RspCatBinding *binding = bindings; binding && !recursive; binding = binding->next) {
    const StageValue *value = stage_eval (stage, binding->value, outer);
    if (value ? !stage_bind_pattern (stage, env, binding->pattern, value)
              : !bind_unknown (stage, binding, FALSE, env))
      return FALSE;
  }
  stage_trace_names (stage, *env, outer);
  return TRUE;
}
