/* Staged evaluation of statements: a model on one pre-execution becomes a DAG. */
#include "model/dag/dag.h"
#include "model/matrix.h"
#include "model/model.h"
#include "model/stage/internal.h"
#include "model/stage/stage.h"

#include <string.h>

static gboolean stage_statements (Stage *stage, const RspCatStatement *statement,
                                  const StageEnv **env);

/* ---- Terms as text -------------------------------------------------------------------------- */

enum { BIND_ATOM = 9 };

static void format_operand (const RspTraceTerm *operand, guint least, GString *out) {
  gboolean loose = (operand->name ? BIND_ATOM : rsp_trace_spellings[operand->op].binding) < least;
  g_string_append (out, loose ? "(" : "");
  rsp_trace_term_format (operand, out);
  g_string_append (out, loose ? ")" : "");
}

void rsp_trace_term_format (const RspTraceTerm *term, GString *out) {
  const RspTraceSpelling *spelling = &rsp_trace_spellings[term->op];
  if (term->name || spelling->arity == 0) {
    g_string_append (out, term->name ? term->name : term->is_set ? "a set" : "a relation");
    return;
  }
  gboolean encloses = spelling->binding == BIND_ATOM;
  g_string_append (out, spelling->before);
  format_operand (term->operands[0], encloses ? 0 : spelling->binding, out);
  g_string_append (out, spelling->between);
  if (spelling->arity == 2)
    format_operand (term->operands[1], spelling->binding + (term->op == RSP_TRACE_DIFFERENCE), out);
  g_string_append (out, spelling->after);
}

/* ---- Trace ---------------------------------------------------------------------------------- */

/* Traces: the evaluator keeps, with each set and relation, the term that produced it. */

/* The record of the statements. */
struct StageTrace {
  GPtrArray *names;  /* of const RspTraceTerm * */
  GPtrArray *shown;  /* of const RspTraceTerm * */
  GPtrArray *hidden; /* of const char * */
  GArray *axioms;    /* of RspTracedAxiom */
};

/* ---- Terms ---- */
static RspTraceTerm *new_term (Stage *stage, RspTraceOp op, RspNodeId node) {
  const RspNode *constant = rsp_dag_node (stage->dag, node);
  RspTraceTerm *term = rsp_arena_new0 (stage->arena, RspTraceTerm, 1);
  term->op = op;
  term->is_set = constant->is_set;
  term->value = constant->constant;
  return term;
}

/* The term of a value; a leaf for one that has none. */
static const RspTraceTerm *term_of (Stage *stage, const StageValue *value, gboolean is_set) {
  RspNodeId node;
  if (value->term)
    return value->term;
  RspSpan nowhere = { 0 };
  if (!(is_set ? stage_to_set : stage_to_relation) (stage, value, nowhere, &node))
    return NULL;
  RspTraceTerm *leaf = new_term (stage, RSP_TRACE_VALUE, node);
  leaf->name = value->kind == STAGE_EMPTY ? "0" : value->kind == STAGE_UNIVERSE ? "unv" : NULL;
  return leaf;
}

static const StageValue *with_term (Stage *stage, const StageValue *value,
                                    const RspTraceTerm *term) {
  StageValue *own = rsp_arena_copy (stage->arena, value, sizeof *value);
  own->term = term;
  return own;
}

static gboolean is_traced (const Stage *stage, const StageValue *value) {
  return stage->trace && value && value->kind == STAGE_NODE;
}

/* Are the operands of an operator sets? */
static gboolean takes_sets (RspTraceOp op, gboolean gives_set) {
  switch (op) {
  case RSP_TRACE_PRODUCT:
  case RSP_TRACE_IDENTITY:
    return TRUE;
  case RSP_TRACE_DOMAIN:
  case RSP_TRACE_RANGE:
    return FALSE;
  default:
    return gives_set;
  }
}

const StageValue *stage_traced (Stage *stage, const StageValue *result, RspTraceOp op,
                                const StageValue *a, const StageValue *b) {
  if (!is_traced (stage, result))
    return result;
  RspTraceTerm *term = new_term (stage, op, result->u.node);
  gboolean sets = takes_sets (op, term->is_set);
  term->operands[0] = a ? term_of (stage, a, sets) : NULL;
  term->operands[1] = b ? term_of (stage, b, sets) : NULL;
  return with_term (stage, result, term);
}

const StageValue *stage_traced_base (Stage *stage, const StageValue *value, const char *name) {
  if (!is_traced (stage, value))
    return value;
  RspTraceTerm *term = new_term (stage, RSP_TRACE_BASE, value->u.node);
  term->name = name;
  return with_term (stage, value, term);
}

/* The value under a name of its own. If the term already has a name, the new one is an alias. */
static const StageValue *named (Stage *stage, const StageValue *value, const char *name) {
  const RspTraceTerm *term = term_of (stage, value, stage_is_set (stage, value));
  if (term->name && strcmp (term->name, name) == 0)
    return value;
  RspTraceTerm *own = rsp_arena_copy (stage->arena, term, sizeof *term);
  own->name = name;
  if (term->name) {
    own->op = RSP_TRACE_ALIAS;
    own->operands[0] = term;
    own->operands[1] = NULL;
    own->before = NULL;
  }
  return with_term (stage, value, own);
}

void stage_trace_names (Stage *stage, const StageEnv *env, const StageEnv *outer) {
  for (; stage->trace && env != outer; env = env->next)
    if (is_traced (stage, env->value))
      ((StageEnv *) env)->value = named (stage, env->value, env->symbol);
    else if (env->value->kind == STAGE_CLOSURE && !env->value->u.closure.name) {
      /* A function keeps the first name that it gets. */
      StageValue *own = rsp_arena_copy (stage->arena, env->value, sizeof *env->value);
      own->u.closure.name = env->symbol;
      ((StageEnv *) env)->value = own;
    }
}

void stage_trace_chosen (Stage *stage, const StageEnv *env, const StageEnv *outer) {
  for (; stage->trace && env != outer; env = env->next)
    if (is_traced (stage, env->value)) {
      RspTraceTerm *term = new_term (stage, RSP_TRACE_CHOSEN, env->value->u.node);
      term->name = env->symbol;
      ((StageEnv *) env)->value = with_term (stage, env->value, term);
    }
}

const StageValue *stage_traced_round (Stage *stage, const StageValue *value, const char *name,
                                      const StageValue *before) {
  if (!is_traced (stage, value) || !name)
    return value;
  value = named (stage, value, name);
  RspTraceTerm *term = rsp_arena_copy (stage->arena, value->term, sizeof *value->term);
  term->before = before ? before->term : NULL;
  return with_term (stage, value, term);
}

/* ---- Calls ---- */
/* An argument as the caller sees it: a parameter's value, not its name. */
static void append_argument (Stage *stage, const RspCatExpr *expr, const StageEnv *env,
                             GString *text) {
  gboolean own;
  const StageValue *value
      = expr->kind == RSP_CAT_NAME ? stage_look_up (stage, env, expr->name, &own) : NULL;
  if (expr->kind == RSP_CAT_TUPLE) {
    for (guint i = 0; i < expr->n_items; i++) {
      g_string_append (text, i ? ", " : "");
      append_argument (stage, expr->items[i], env, text);
    }
  } else if (value && value->term)
    rsp_trace_term_format (value->term, text);
  else if (value && value->kind == STAGE_CLOSURE)
    g_string_append (text, value->u.closure.name);
  else
    rsp_span_append (expr->span, text);
}

/* "f(a, b)" of `f a b` and of `f(a,b)`; the function first. */
static void append_call (Stage *stage, const RspCatExpr *call, const StageEnv *env, GString *text) {
  if (call->a->kind == RSP_CAT_APPLY) {
    append_call (stage, call->a, env, text);
    g_string_truncate (text, text->len - 1);
    g_string_append (text, ", ");
  } else {
    append_argument (stage, call->a, env, text);
    g_string_append_c (text, '(');
  }
  append_argument (stage, call->b, env, text);
  g_string_append_c (text, ')');
}

static const StageValue *function_of (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  gboolean own;
  const StageValue *value
      = expr->kind == RSP_CAT_NAME ? stage_look_up (stage, env, expr->name, &own) : NULL;
  return value && stage_is_function (value) ? value : NULL;
}

static gboolean has_function (Stage *stage, const RspCatExpr *argument, const StageEnv *env) {
  gboolean found = argument->kind == RSP_CAT_FUN || function_of (stage, argument, env);
  for (guint i = 0; argument->kind == RSP_CAT_TUPLE && i < argument->n_items; i++)
    found |= has_function (stage, argument->items[i], env);
  return found;
}

/* Calls of unnamed functions, and calls with functions as arguments, have no name: the parts
 * explain more than `fold(fun (part, sum) -> …)`. */
static gboolean is_nameless (Stage *stage, const RspCatExpr *call, const StageEnv *env) {
  for (; call->kind == RSP_CAT_APPLY; call = call->a)
    if (has_function (stage, call->b, env))
      return TRUE;
  const StageValue *function = function_of (stage, call, env);
  return !function || (function->kind == STAGE_CLOSURE && !function->u.closure.name);
}

const StageValue *stage_traced_call (Stage *stage, const StageValue *result, const RspCatExpr *call,
                                     const StageEnv *env) {
  if (!is_traced (stage, result) || (result->term && result->term->name)
      || is_nameless (stage, call, env))
    return result;
  g_autoptr (GString) text = g_string_new (NULL);
  append_call (stage, call, env, text);
  return named (stage, result, rsp_arena_strdup (stage->arena, text->str));
}

/* ---- Statements ---- */
static void stage_trace_axiom (Stage *stage, const RspStagedAxiom *axiom, const StageValue *value) {
  if (!stage->trace)
    return;
  const RspNode *node = rsp_dag_node (stage->dag, axiom->node);
  RspTracedAxiom traced
      = { .id = axiom->id,
          .role = axiom->role,
          .kind = axiom->kind,
          .negated = axiom->negated,
          .holds = rsp_axiom_holds (axiom, node->constant),
          .span = axiom->span,
          .term = term_of (stage, stage_node (stage, axiom->node), node->is_set) };
  if (value->term)
    traced.term = value->term;
  g_array_append_val (stage->trace->axioms, traced);
}

/* `show e as n`, `show a, b`; `unshow a, b`. Values other than sets and relations are left out. */
static void stage_trace_show (Stage *stage, const RspCatStatement *statement, const StageEnv *env) {
  gboolean own;
  if (!stage->trace)
    return;
  gboolean hides = statement->kind == RSP_CAT_STMT_UNSHOW;
  if (statement->expr) {
    /* An error is ignored, since nothing depends on the value. */
    guint n = rsp_diagnostics_count (stage->diagnostics);
    const StageValue *value = stage_eval (stage, statement->expr, env);
    if (stage->status != STAGE_OK && stage->status != STAGE_EXHAUSTED) {
      rsp_diagnostics_truncate (stage->diagnostics, n);
      stage->status = STAGE_OK;
    }
    if (is_traced (stage, value) && statement->name)
      g_ptr_array_add (stage->trace->shown, (gpointer) named (stage, value, statement->name)->term);
    return;
  }
  for (guint i = 0; statement->names && statement->names[i]; i++) {
    const char *name = statement->names[i];
    const StageValue *value = stage_look_up (stage, env, name, &own);
    if (hides)
      g_ptr_array_add (stage->trace->hidden, (gpointer) name);
    else if (is_traced (stage, value))
      g_ptr_array_add (stage->trace->shown, (gpointer) named (stage, value, name)->term);
  }
}

/* ---- The whole ---- */
/* Frees it and returns the trace, in arena; nothing if arena is NULL. */
static RspTrace *stage_trace_finish (StageTrace *trace, RspArena *arena) {
  RspTrace *all = NULL;
  if (arena) {
    all = rsp_arena_new0 (arena, RspTrace, 1);
    *all = (RspTrace){
      .names = rsp_arena_copy (arena, trace->names->pdata, trace->names->len * sizeof (gpointer)),
      .n_names = trace->names->len,
      .shown = rsp_arena_copy (arena, trace->shown->pdata, trace->shown->len * sizeof (gpointer)),
      .n_shown = trace->shown->len,
      .hidden
      = rsp_arena_copy (arena, trace->hidden->pdata, trace->hidden->len * sizeof (gpointer)),
      .n_hidden = trace->hidden->len,
      .axioms
      = rsp_arena_copy (arena, trace->axioms->data, trace->axioms->len * sizeof (RspTracedAxiom)),
      .n_axioms = trace->axioms->len
    };
  }
  g_ptr_array_unref (trace->names);
  g_ptr_array_unref (trace->shown);
  g_ptr_array_unref (trace->hidden);
  g_array_unref (trace->axioms);
  g_free (trace);
  return all;
}

/* ---- Statement ------------------------------------------------------------------------------ */

/* Statements: bindings go into the environment, axioms into the staged model. */

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

static gboolean is_skipped (const Stage *stage, const char *name) {
  const char *const *skipped = stage->options ? stage->options->skipped_checks : NULL;
  return name && skipped && g_strv_contains (skipped, name);
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
  gboolean keeps = statement->role == RSPCHECK_ROLE_FLAG || (flags && statement->name);
  const char *name = stage->renamed && !keeps ? stage->renamed : statement->name;
  g_autofree char *place = name ? NULL : rsp_model_place (statement->span); /* for -skipcheck */
  const char *id = name ? name : rsp_arena_strdup (stage->arena, place);
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
    while (axiom.flag < stage->flags->len
           && strcmp (stage->flags->pdata[axiom.flag], axiom.name) != 0)
      axiom.flag++;
    if (axiom.flag == stage->flags->len)
      g_ptr_array_add (stage->flags, (gpointer) axiom.name);
  }
  stage_add_axiom (stage, &axiom);
  stage_trace_axiom (stage, &axiom, value);
  return TRUE;
}

/* ---- Procedures ---- */
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
  for (const StageEnv *e = *env; stage->trace && e != outer; e = e->next)
    if (e->value->term)
      g_ptr_array_add (stage->trace->names, (gpointer) e->value->term);
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
    return stage_statements (stage, statement->included, env);
  case RSP_CAT_STMT_PROCEDURE: {
    StageValue *value = rsp_arena_new0 (stage->arena, StageValue, 1);
    value->kind = STAGE_PROCEDURE;
    value->u.procedure.statement = statement;
    value->u.procedure.env = *env;
    *env = stage_bind (stage, *env, statement->name, value);
    if (statement->recursive)
      value->u.procedure.env = *env;
    return TRUE;
  }
  case RSP_CAT_STMT_CALL:
    return call_procedure (stage, statement, *env);
  case RSP_CAT_STMT_ENUM: {
    g_autoptr (GPtrArray) tags = g_ptr_array_new ();
    for (guint i = 0; statement->names && statement->names[i]; i++)
      g_ptr_array_add (tags, (gpointer) stage_tag (stage, statement->names[i]));
    const StageValue *all = stage_set_of (stage, (StageItems) tags->pdata, tags->len);
    *env = stage_bind (stage, *env, statement->name, all);
    return TRUE;
  }
  case RSP_CAT_STMT_FORALL:
    return run_forall (stage, statement, *env);
  case RSP_CAT_STMT_WITH: {
    const StageValue *value = stage_eval (stage, statement->expr, *env);
    return value && stage_with (stage, statement, value, env);
  }
  case RSP_CAT_STMT_IF: {
    gboolean truth;
    if (!stage_condition (stage, statement->condition, *env, &truth))
      return FALSE;
    return stage_statements (stage, truth ? statement->body : statement->otherwise, env);
  }
  case RSP_CAT_STMT_MATCH: {
    const StageValue *value = stage_eval (stage, statement->expr, *env);
    if (!value)
      return FALSE;
    const RspCatClause *clause
        = stage_choose_clause (stage, statement->span, value, statement->clauses, env);
    return clause && stage_statements (stage, clause->statements, env);
  }
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

static gboolean stage_statements (Stage *stage, const RspCatStatement *statement,
                                  const StageEnv **env) {
  for (; statement; statement = statement->next)
    if (!stage_may_go_on (stage, statement->span)
        || (!run_statement (stage, statement, env) && !leave_out (stage, statement)))
      return FALSE;
  return TRUE;
}

/* ---- Stage ---------------------------------------------------------------------------------- */

/* Staging: evaluates a model on one pre-execution, once for each way to choose in it. */

/* Bytes of the machine's stack that the evaluator may use; threads have 8 MiB. */
#define STACK_BYTES ((guintptr) 3 << 20)

#define MAX_MODELS 20000

/* Limit of choices of final writes that are tried one by one. */
#define MAX_FINALS 256

gboolean rsp_axiom_holds (const RspStagedAxiom *axiom, const RspMatrix *value) {
  return rsp_axiom_form_holds (rsp_axiom_form (axiom->kind), value) != axiom->negated;
}

RspNodeId rsp_axiom_root (RspDag *dag, RspcheckAxiomKind kind, RspNodeId node) {
  return rsp_axiom_form (kind)->closed ? rsp_dag_plus (dag, node) : node;
}

void stage_find_roots (RspDag *dag, RspStagedAxiom *axioms, guint n) {
  for (guint i = 0; i < n; i++)
    axioms[i].root = rsp_axiom_root (dag, axioms[i].kind, axioms[i].node);
}

/* ---- One replay ---- */
static void begin_replay (Stage *stage) {
  stage->dag = rsp_dag_new (stage->arena, stage->base->n);
  stage->dag->generic = stage->base->generic;
  stage->dag->budget = stage->options ? stage->options->budget : NULL;
  g_hash_table_remove_all (stage->predefined);
  g_array_set_size (stage->axioms, 0);
  g_array_set_size (stage->orders, 0);
  g_array_set_size (stage->warnings, 0);
  g_array_set_size (stage->names, 0);
  stage->names_finals = FALSE;
  stage->seen_co = stage->finals = NULL;
  stage->next_choice = stage->n_assumed_finals = 0;
  stage->next_assumed = 0;
  stage->renamed = NULL;
  stage->status = STAGE_OK;
  if (stage->assumes_finals)
    stage_assume_finals (stage);
  if (!stage->model->with_sc)
    return;
  RspStagedOrder s = rsp_stage_predefined_order (RSP_CHOSEN_S, stage->base, stage->arena);
  g_array_append_val (stage->orders, s);
}

static RspStagedModel *end_replay (Stage *stage) {
  RspStagedModel *model = rsp_arena_new0 (stage->arena, RspStagedModel, 1);
  model->dag = stage->dag;
  model->n_axioms = stage->axioms->len;
  model->axioms = rsp_arena_copy (stage->arena, stage->axioms->data,
                                  stage->axioms->len * sizeof (RspStagedAxiom));
  if (!model->dag->generic)
    stage_find_roots (model->dag, model->axioms, model->n_axioms);
  model->n_orders = stage->orders->len;
  model->orders = rsp_arena_copy (stage->arena, stage->orders->data,
                                  stage->orders->len * sizeof (RspStagedOrder));
  model->n_names = stage->names->len;
  model->names = rsp_arena_copy (stage->arena, stage->names->data,
                                 stage->names->len * sizeof (RspStagedName));
  guint *script = rsp_arena_new0 (stage->arena, guint, stage->choices->len + 1);
  for (guint i = 0; i < stage->choices->len; i++)
    script[i] = g_array_index (stage->choices, StageChoice, i).chosen;
  /* On an execution, final writes are known and not assumed. */
  model->script = script + stage->n_assumed_finals;
  model->n_script = stage->choices->len - stage->n_assumed_finals;
  return model;
}

/* The replay has evaluated the whole text. */
static RspStagedModel *end_whole_replay (Stage *stage) {
  RspMatrix *by_convention = NULL;
  const RspStagedModel sees
      = { .sees_co = stage->model->sees_co, .sees_finals = stage->model->sees_finals };
  RspAddedAxioms added = { .n = 0 };
  if (!stage->base->generic)
    by_convention
        = rsp_stage_fix_coherence (stage->dag, stage->base, &sees, stage->seen_co, &added);
  g_array_append_vals (stage->axioms, added.axioms, added.n);
  RspStagedModel *model = end_replay (stage);
  model->sees_co = stage->model->sees_co;
  model->sees_finals = stage->model->sees_finals;
  model->by_convention = by_convention;
  return model;
}

/* The next script: the last choice that has a further value takes it, and later choices start
 * again. FALSE after the last script. */
static gboolean next_script (Stage *stage) {
  GArray *choices = stage->choices;
  while (choices->len) {
    StageChoice *last = &g_array_index (choices, StageChoice, choices->len - 1);
    if (++last->chosen < last->n)
      return TRUE;
    g_array_set_size (choices, choices->len - 1);
  }
  return FALSE;
}

/* ---- Models that need an execution ---- */
/* The plain axioms of this replay. Choices, also of orders, are made separately on each execution,
 * so that what depends on them is not known. */
static RspStagedModel *known_axioms (Stage *stage) {
  RspStagedModel *model = NULL;
  gboolean chosen = FALSE;
  for (guint i = 0; i < stage->choices->len; i++)
    chosen |= !g_array_index (stage->choices, StageChoice, i).is_note;
  if (!chosen && stage->orders->len == 0)
    model = end_replay (stage);
  guint kept = 0;
  for (guint i = 0; model && i < model->n_axioms; i++)
    if (model->axioms[i].role == RSPCHECK_ROLE_AXIOM)
      model->axioms[kept++] = model->axioms[i];
  if (kept) {
    model->n_axioms = kept;
    return model;
  }
  rsp_dag_free (stage->dag);
  return NULL;
}

/* ---- All replays ---- */
static gboolean run_replays (Stage *stage, GPtrArray *models) {
  do {
    begin_replay (stage);
    const StageEnv *env = NULL;
    gboolean completed = stage_statements (stage, stage->model->prelude, &env)
                         && stage_statements (stage, stage->model->statements, &env);
    if (completed && !stage->missed) {
      g_ptr_array_add (models, end_whole_replay (stage));
    } else {
      if (stage->status == STAGE_NEEDS_VALUE) {
        RspStagedAxiom axiom
            = { .role = RSPCHECK_ROLE_ASSERT, .kind = RSPCHECK_AXIOM_EMPTY, .node = stage->needed };
        g_array_set_size (stage->axioms, 0);
        g_array_append_val (stage->axioms, axiom);
        stage->needed_model = end_replay (stage);
      } else if (completed || stage->status == STAGE_NEEDS_EXECUTION)
        stage->known = known_axioms (stage);
      else
        rsp_dag_free (stage->dag);
      /* Errors after something has been left out may be spurious; if they are real, staging on an
       * execution reports them. */
      if (stage->missed && stage->status != STAGE_EXHAUSTED) {
        rsp_diagnostics_truncate (stage->diagnostics, stage->n_diagnostics);
        stage->status = STAGE_NEEDS_EXECUTION;
      }
      if (stage->status != STAGE_NO_MODEL)
        return FALSE;
    }
    if (models->len > MAX_MODELS) {
      stage->status = STAGE_OK;
      stage_fail (stage, stage->model->statements->span,
                  "the model's choices (`with … from`) give more than %d models of one test",
                  MAX_MODELS);
      return FALSE;
    }
  } while (next_script (stage));
  return TRUE;
}

static void open_stage (Stage *stage, const RspModel *model, const RspBase *base,
                        const RspStageOptions *options, RspArena *arena,
                        RspDiagnostics *diagnostics) {
  guintptr stack = (guintptr) __builtin_frame_address (0);
  *stage = (Stage){ .model = model,
                    .base = base,
                    .options = options,
                    .arena = arena,
                    .size_before = rsp_arena_size (arena),
                    .diagnostics = diagnostics,
                    .stack_limit = stack > STACK_BYTES ? stack - STACK_BYTES : 0,
                    .symbols = g_hash_table_new (g_str_hash, g_str_equal),
                    .predefined = g_hash_table_new (NULL, NULL),
                    .axioms = g_array_new (FALSE, TRUE, sizeof (RspStagedAxiom)),
                    .orders = g_array_new (FALSE, TRUE, sizeof (RspStagedOrder)),
                    .warnings = g_array_new (FALSE, FALSE, sizeof (RspStagedWarning)),
                    .names = g_array_new (FALSE, FALSE, sizeof (RspStagedName)),
                    .flags = g_ptr_array_new (),
                    .choices = g_array_new (FALSE, FALSE, sizeof (StageChoice)) };
}

static void close_stage (Stage *stage) {
  g_hash_table_unref (stage->symbols);
  g_hash_table_unref (stage->predefined);
  g_array_unref (stage->axioms);
  g_array_unref (stage->orders);
  g_array_unref (stage->warnings);
  g_array_unref (stage->names);
  g_ptr_array_unref (stage->flags);
  g_array_unref (stage->choices);
}

static RspStaging *stage_all (Stage *stage) {
  g_autoptr (GPtrArray) models = g_ptr_array_new ();
  gboolean done = run_replays (stage, models);
  if (!done) {
    for (guint i = 0; i < models->len; i++)
      rsp_dag_free (((RspStagedModel *) models->pdata[i])->dag);
    g_ptr_array_set_size (models, 0);
  }
  if (!done && (stage_has_failed (stage) || stage->status == STAGE_EXHAUSTED))
    return NULL;
  RspStaging *staging = rsp_arena_new0 (stage->arena, RspStaging, 1);
  const char **flags
      = rsp_arena_copy (stage->arena, stage->flags->pdata, stage->flags->len * sizeof flags[0]);
  for (guint i = 0; i < models->len; i++) {
    RspStagedModel *model = models->pdata[i];
    model->flags = flags;
    model->n_flags = stage->flags->len;
  }
  staging->needs_execution = !done || (stage->base->generic && stage->looked);
  staging->known = stage->known;
  staging->needed = stage->needed_model;
  staging->n_warnings = stage->warnings->len;
  staging->warnings = rsp_arena_copy (stage->arena, stage->warnings->data,
                                      stage->warnings->len * sizeof (RspStagedWarning));
  staging->n_models = models->len;
  staging->models = rsp_arena_copy (stage->arena, models->pdata, models->len * sizeof (gpointer));
  return staging;
}

RspStaging *stage_text (const RspModel *model, const RspBase *base, const RspStageOptions *options,
                        RspArena *arena, RspDiagnostics *diagnostics) {
  Stage stage;
  open_stage (&stage, model, base, options, arena, diagnostics);
  RspStaging *staging = stage_all (&stage);
  /* Is the execution needed perhaps only because the model inspects what depends on final writes,
   * and are these few enough to be tried one by one? */
  gboolean again = staging && staging->needs_execution && stage.names_finals && !base->generic
                   && !base->co && !base->assumes && !(options && options->direct)
                   && stage_has_one_final (&stage)
                   && stage_count_finals (&stage, MAX_FINALS) < MAX_FINALS;
  close_stage (&stage);
  if (again) {
    open_stage (&stage, model, base, options, arena, diagnostics);
    stage.assumes_finals = TRUE;
    RspStaging *assuming = stage_all (&stage);
    close_stage (&stage);
    gboolean helps = !assuming || !assuming->needs_execution;
    rsp_staging_clear (helps ? staging : assuming);
    staging = helps ? assuming : staging;
  }
  if (staging)
    staging->from_text = TRUE;
  return staging;
}

RspTrace *rsp_model_trace (const RspModel *model, const RspBase *base, const guint *script,
                           guint n_script, const RspStageOptions *options, RspArena *arena,
                           RspDiagnostics *diagnostics) {
  Stage stage;
  open_stage (&stage, model, base, options, arena, diagnostics);
  for (guint i = 0; i < n_script; i++) {
    StageChoice choice = { .chosen = script[i], .n = script[i] + 1 };
    g_array_append_val (stage.choices, choice);
  }
  stage.trace = g_new (StageTrace, 1);
  *stage.trace = (StageTrace){ .names = g_ptr_array_new (),
                               .shown = g_ptr_array_new (),
                               .hidden = g_ptr_array_new (),
                               .axioms = g_array_new (FALSE, FALSE, sizeof (RspTracedAxiom)) };
  begin_replay (&stage);
  const StageEnv *env = NULL;
  gboolean done = stage_statements (&stage, model->statements, &env) && !stage.missed;
  RspTrace *trace = stage_trace_finish (stage.trace, done ? arena : NULL);
  if (trace)
    trace->unseen_co = rsp_stage_unseen_coherence (base, model->sees_co, stage.seen_co, arena);
  rsp_dag_free (stage.dag);
  close_stage (&stage);
  return trace;
}

void rsp_staging_clear (RspStaging *staging) {
  if (!staging)
    return;
  for (guint i = 0; i < staging->n_models; i++)
    rsp_dag_free (staging->models[i]->dag);
  staging->n_models = 0;
  if (staging->known)
    rsp_dag_free (staging->known->dag);
  staging->known = NULL;
  if (staging->needed)
    rsp_dag_free (staging->needed->dag);
  staging->needed = NULL;
}
