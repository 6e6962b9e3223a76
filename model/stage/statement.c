/* Statements: bindings go into the environment, axioms into the staged model. */
#include "model/stage/statement.h"
#include "model/axiom_kind.h"
#include "model/names.h"
#include "model/stage/choices/choice.h"
#include "model/stage/env.h"
#include "model/stage/expr.h"
#include "model/stage/let.h"
#include "model/stage/match.h"
#include "model/stage/choices/orders.h"
#include "model/stage/set.h"
#include "model/stage/value.h"
#include "model/stage/trace.h"

#include <string.h>

/* ---- Axioms ---- */

gboolean stage_is_settled (const RspStagedAxiom *axiom, const RspMatrix *value) {
  gboolean plain = axiom->role == RSPCHECK_ROLE_AXIOM || axiom->role == RSPCHECK_ROLE_ASSERT;
  return plain && value && rsp_axiom_holds (axiom, value);
}

void stage_add_axiom (Stage *stage, const RspStagedAxiom *axiom) {
  const RspNode *node = rsp_dag_node (stage->dag, axiom->node);
  if (stage->base->generic || !stage_is_settled (axiom, node->constant))
    g_array_append_vals (stage->axioms, axiom, 1);
}

/* The identifier of an unnamed axiom, for -skipcheck. */
static const char *place_of (Stage *stage, RspSpan span) {
  g_autofree char *place = rsp_model_place (span);
  return rsp_arena_strdup (stage->arena, place);
}

static gboolean is_skipped (const Stage *stage, const char *name) {
  const char *const *skipped = stage->options ? stage->options->skipped_checks : NULL;
  return name && skipped && g_strv_contains (skipped, name);
}

static guint flag_index (Stage *stage, const char *name) {
  for (guint i = 0; i < stage->flags->len; i++)
    if (strcmp (stage->flags->pdata[i], name) == 0)
      return i;
  g_ptr_array_add (stage->flags, (gpointer) name);
  return stage->flags->len - 1;
}

/* An axiom's node. For a set of values, only emptiness can be tested. */
static gboolean check_node (Stage *stage, const RspCatStatement *statement, const StageValue *value,
                            RspNodeId *node) {
  RspSpan span = statement->expr->span;
  value = stage_spell_out (stage, span, value);
  if (!value)
    return FALSE;
  if (!rsp_axiom_form (statement->axiom)->takes_sets)
    return stage_to_relation (stage, value, span, node);
  if (value->kind != STAGE_VALUES)
    return stage_to_node (stage, value, span, node);
  *node = stage->dag->universe[TRUE];
  return TRUE;
}

gboolean stage_has_open_sets (const RspBase *base) {
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    if (base->open[s])
      return TRUE;
  return FALSE;
}

/* The type checker has made sure that the axiom is `empty` of a set. */
static gboolean run_warning (Stage *stage, const RspCatStatement *statement, const StageEnv *env) {
  const StageValue *value = stage_eval (stage, statement->expr, env);
  RspNodeId node;
  if (!value || !stage_to_set (stage, value, statement->expr->span, &node))
    return FALSE;
  const char *message = statement->name ? statement->name : "warning";
  if (stage->base->generic) {
    RspStagedAxiom warning = { .role = statement->role, .node = node, .name = message };
    g_array_append_val (stage->axioms, warning);
    return TRUE;
  }
  const RspNode *set = rsp_dag_node (stage->dag, node);
  if (stage_has_open_sets (stage->base))
    return TRUE; /* with open sets there is no single program to warn about */
  if (set->op != RSP_NODE_CONSTANT)
    return stage_refuse (stage, statement->expr->span,
                         "`warn_unless` takes a set that the program alone determines");
  RspStagedWarning warning = { .message = message, .events = set->constant };
  if (!rsp_matrix_is_empty (set->constant))
    g_array_append_val (stage->warnings, warning);
  return TRUE;
}

static gboolean run_axiom (Stage *stage, const RspCatStatement *statement, const StageEnv *env) {
  gboolean flags
      = statement->role == RSPCHECK_ROLE_FLAG || statement->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
  gboolean keeps = flags && statement->name;
  const char *name = stage->renamed && !keeps ? stage->renamed : statement->name;
  const char *id = name ? name : place_of (stage, statement->span);
  if (is_skipped (stage, id) || is_skipped (stage, statement->name))
    return TRUE;
  if (statement->role == RSPCHECK_ROLE_WARN_UNLESS)
    return run_warning (stage, statement, env);
  const StageValue *value = stage_eval (stage, statement->expr, env);
  RspStagedAxiom axiom = { .role = statement->role,
                           .kind = statement->axiom,
                           .negated = statement->negated,
                           .name = name,
                           .id = id,
                           .span = statement->span };
  if (!value || !check_node (stage, statement, value, &axiom.node))
    return FALSE;
  if (axiom.role == RSPCHECK_ROLE_FLAG && !name)
    return TRUE; /* no log shows it */
  if (flags) {
    axiom.name = name ? name : RSP_UNNAMED_UNDEFINED;
    axiom.flag = flag_index (stage, axiom.name);
  }
  stage_add_axiom (stage, &axiom);
  stage_trace_axiom (stage, &axiom, value);
  return TRUE;
}

/* ---- Procedures ---- */

static void define_procedure (Stage *stage, const RspCatStatement *statement,
                              const StageEnv **env) {
  StageValue *value = rsp_arena_new0 (stage->arena, StageValue, 1);
  value->kind = STAGE_PROCEDURE;
  value->u.procedure.statement = statement;
  value->u.procedure.env = *env;
  *env = stage_bind (stage, *env, statement->name, value);
  if (statement->recursive)
    value->u.procedure.env = *env;
}

static gboolean call_procedure (Stage *stage, const RspCatStatement *statement,
                                const StageEnv *env) {
  gboolean own;
  const StageValue *procedure = stage_look_up (stage, env, statement->name, &own);
  if (!procedure || procedure->kind != STAGE_PROCEDURE)
    return stage_refuse (stage, statement->name_span, "`%s` is not a procedure", statement->name);
  const char *label = statement->names ? statement->names[0] : NULL;
  if (is_skipped (stage, label))
    return TRUE;
  const StageValue *argument = stage_eval (stage, statement->expr, env);
  const RspCatStatement *definition = procedure->u.procedure.statement;
  const StageEnv *inside = procedure->u.procedure.env;
  if (!argument || !stage_bind_pattern (stage, &inside, definition->pattern, argument))
    return FALSE;
  const char *renamed = stage->renamed;
  if (label)
    stage->renamed = label;
  gboolean done = stage_statements (stage, definition->body, &inside);
  stage->renamed = renamed;
  return done;
}

/* ---- The other statements ---- */

static void define_enum (Stage *stage, const RspCatStatement *statement, const StageEnv **env) {
  g_autoptr (GPtrArray) tags = g_ptr_array_new ();
  for (guint i = 0; statement->names && statement->names[i]; i++)
    g_ptr_array_add (tags, (gpointer) stage_tag (stage, statement->names[i]));
  const StageValue *all = stage_set_of (stage, (StageItems) tags->pdata, tags->len);
  *env = stage_bind (stage, *env, statement->name, all);
}

static gboolean run_forall (Stage *stage, const RspCatStatement *statement, const StageEnv *env) {
  StageItems items;
  guint n;
  const StageValue *set = stage_eval (stage, statement->expr, env);
  if (!set || !stage_elements (stage, set, statement->expr->span, &items, &n))
    return FALSE;
  for (guint i = 0; i < n; i++) {
    const StageEnv *inside = env;
    if (!stage_bind_pattern (stage, &inside, statement->pattern, items[i])
        || !stage_statements (stage, statement->body, &inside))
      return FALSE;
  }
  return TRUE;
}

static gboolean run_if (Stage *stage, const RspCatStatement *statement, const StageEnv **env) {
  gboolean truth;
  if (!stage_condition (stage, statement->condition, *env, &truth))
    return FALSE;
  return stage_statements (stage, truth ? statement->body : statement->otherwise, env);
}

static gboolean run_match (Stage *stage, const RspCatStatement *statement, const StageEnv **env) {
  const StageValue *value = stage_eval (stage, statement->expr, *env);
  if (!value)
    return FALSE;
  const RspCatClause *clause
      = stage_choose_clause (stage, statement->span, value, statement->clauses, env);
  return clause && stage_statements (stage, clause->statements, env);
}

static gboolean run_with (Stage *stage, const RspCatStatement *statement, const StageEnv **env) {
  const StageValue *value = stage_eval (stage, statement->expr, *env);
  return value && stage_with (stage, statement, value, env);
}

static gboolean run_include (Stage *stage, const RspCatStatement *statement, const StageEnv **env) {
  return stage_statements (stage, statement->included, env);
}

/* Records the names that the statement bound to sets and relations, from env down to outer. */
static void keep_names (Stage *stage, const StageEnv *env, const StageEnv *outer) {
  for (; env != outer; env = env->next)
    if (env->value->kind == STAGE_NODE) {
      RspStagedName name = { env->symbol, env->value->u.node };
      g_array_append_val (stage->names, name);
    }
}

static gboolean run_let (Stage *stage, const RspCatStatement *statement, const StageEnv **env) {
  const StageEnv *outer = *env;
  if (!stage_let (stage, statement->bindings, statement->recursive, env))
    return FALSE;
  if (stage->options && stage->options->keep_names)
    keep_names (stage, *env, outer);
  stage_trace_keep (stage, *env, outer);
  return TRUE;
}

static gboolean run_statement (Stage *stage, const RspCatStatement *statement,
                               const StageEnv **env) {
  switch (statement->kind) {
  case RSP_CAT_STMT_LET:
    return run_let (stage, statement, env);
  case RSP_CAT_STMT_AXIOM:
    return run_axiom (stage, statement, *env);
  case RSP_CAT_STMT_INCLUDE:
    return run_include (stage, statement, env);
  case RSP_CAT_STMT_PROCEDURE:
    define_procedure (stage, statement, env);
    return TRUE;
  case RSP_CAT_STMT_CALL:
    return call_procedure (stage, statement, *env);
  case RSP_CAT_STMT_ENUM:
    define_enum (stage, statement, env);
    return TRUE;
  case RSP_CAT_STMT_FORALL:
    return run_forall (stage, statement, *env);
  case RSP_CAT_STMT_WITH:
    return run_with (stage, statement, env);
  case RSP_CAT_STMT_IF:
    return run_if (stage, statement, env);
  case RSP_CAT_STMT_MATCH:
    return run_match (stage, statement, env);
  case RSP_CAT_STMT_SHOW:
  case RSP_CAT_STMT_UNSHOW:
    stage_trace_show (stage, statement, *env);
    return TRUE;
  default: /* INSTRUCTIONS: nothing to stage */
    return TRUE;
  }
}

/* A statement that needs an execution and defines nothing is left out, since the others may still
 * constrain all executions. (if and match may define names.) */
static gboolean leave_out (Stage *stage, const RspCatStatement *statement) {
  RspCatStatementKind kind = statement->kind;
  if (stage->status != STAGE_NEEDS_EXECUTION
      || (kind != RSP_CAT_STMT_AXIOM && kind != RSP_CAT_STMT_CALL && kind != RSP_CAT_STMT_FORALL))
    return FALSE;
  stage->status = STAGE_OK;
  if (!stage->missed)
    stage->n_diagnostics = rsp_diagnostics_count (stage->diagnostics);
  stage->missed = TRUE;
  return TRUE;
}

gboolean stage_statements (Stage *stage, const RspCatStatement *statement, const StageEnv **env) {
  for (; statement; statement = statement->next)
    if (!stage_may_go_on (stage, statement->span)
        || (!run_statement (stage, statement, env) && !leave_out (stage, statement)))
      return FALSE;
  return TRUE;
}
