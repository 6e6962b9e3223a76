/* Traces: the evaluator keeps, with each set and relation, the term that produced it. */
#include "model/stage/trace.h"
#include "model/dag/dag.h"
#include "model/stage/env.h"
#include "model/stage/expr.h"
#include "model/stage/value.h"

#include <string.h>

/* What is recorded of the statements. */
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

/* A function keeps the first name that it gets. */
static const StageValue *named_function (Stage *stage, const StageValue *function,
                                         const char *name) {
  if (function->u.closure.name)
    return function;
  StageValue *own = rsp_arena_copy (stage->arena, function, sizeof *function);
  own->u.closure.name = name;
  return own;
}

void stage_trace_names (Stage *stage, const StageEnv *env, const StageEnv *outer) {
  for (; stage->trace && env != outer; env = env->next)
    if (is_traced (stage, env->value))
      ((StageEnv *) env)->value = named (stage, env->value, env->symbol);
    else if (env->value->kind == STAGE_CLOSURE)
      ((StageEnv *) env)->value = named_function (stage, env->value, env->symbol);
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

static void append_argument (Stage *stage, const RspCatExpr *expr, const StageEnv *env,
                             GString *text);

static void append_list (Stage *stage, const RspCatExpr *tuple, const StageEnv *env,
                         GString *text) {
  for (guint i = 0; i < tuple->n_items; i++) {
    g_string_append (text, i ? ", " : "");
    append_argument (stage, tuple->items[i], env, text);
  }
}

/* An argument as the caller sees it: a parameter's value, not its name. */
static void append_argument (Stage *stage, const RspCatExpr *expr, const StageEnv *env,
                             GString *text) {
  gboolean own;
  const StageValue *value
      = expr->kind == RSP_CAT_NAME ? stage_look_up (stage, env, expr->name, &own) : NULL;
  if (expr->kind == RSP_CAT_TUPLE)
    append_list (stage, expr, env, text);
  else if (value && value->term)
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

void stage_trace_keep (Stage *stage, const StageEnv *env, const StageEnv *outer) {
  for (; stage->trace && env != outer; env = env->next)
    if (env->value->term)
      g_ptr_array_add (stage->trace->names, (gpointer) env->value->term);
}

void stage_trace_axiom (Stage *stage, const RspStagedAxiom *axiom, const StageValue *value) {
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

/* The value of a shown expression; NULL if it has none, since nothing depends on it. */
static const StageValue *eval_shown (Stage *stage, const RspCatExpr *expr, const StageEnv *env) {
  guint n = rsp_diagnostics_count (stage->diagnostics);
  const StageValue *value = stage_eval (stage, expr, env);
  if (stage->status != STAGE_OK && stage->status != STAGE_EXHAUSTED) {
    rsp_diagnostics_truncate (stage->diagnostics, n);
    stage->status = STAGE_OK;
  }
  return value;
}

/* `show e as n`, `show a, b`; `unshow a, b`. Values other than sets and relations are left out. */
void stage_trace_show (Stage *stage, const RspCatStatement *statement, const StageEnv *env) {
  gboolean own;
  if (!stage->trace)
    return;
  gboolean hides = statement->kind == RSP_CAT_STMT_UNSHOW;
  if (statement->expr) {
    const StageValue *value = eval_shown (stage, statement->expr, env);
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

StageTrace *stage_trace_new (void) {
  StageTrace *trace = g_new0 (StageTrace, 1);
  trace->names = g_ptr_array_new ();
  trace->shown = g_ptr_array_new ();
  trace->hidden = g_ptr_array_new ();
  trace->axioms = g_array_new (FALSE, FALSE, sizeof (RspTracedAxiom));
  return trace;
}

RspTrace *stage_trace_finish (StageTrace *trace, RspArena *arena) {
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
