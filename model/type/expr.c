/* Types of expressions: the model evaluated on types. */
#include "model/type/expr.h"
#include "base/suggest.h"
#include "model/condition.h"
#include "model/type/apply.h"
#include "model/type/check.h"
#include "model/type/env.h"
#include "model/type/let.h"
#include "model/type/operator.h"

#include <string.h>

enum {
  MAX_DEPTH = 4000,   /* of nested expressions, through the bodies of applied functions */
  MAX_STEPS = 1000000 /* expressions visited, over a whole model */
};

/* ---- Names and tags ---- */

static const Type *type_name (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env) {
  const Type *type = type_look_up (checker, env, expr->name);
  if (type) {
    type_note_predefined (checker, env, expr->name, expr->span);
    return type;
  }
  type_report_unbound (checker, env, expr->name, expr->span, RSP_ERROR);
  return &type_unknown;
}

/* Tags of orders and scopes, and tags named as predefined sets, need no enum. */
static gboolean is_predefined_tag (TypeChecker *checker, const char *tag) {
  static const char *const tags[] = {
#define TAG(tag, events, scope) tag,
#include "model/tags.def"
  };
  for (gsize i = 0; i < G_N_ELEMENTS (tags); i++)
    if (strcmp (tags[i], tag) == 0)
      return TRUE;
  const Type *type = g_hash_table_lookup (checker->predefined, tag);
  return type && type->kind == TYPE_SET;
}

static const Type *enum_of_tag (TypeChecker *checker, const char *tag, RspSpan span) {
  const Type *type = g_hash_table_lookup (checker->tags, tag);
  if (type)
    return type;
  if (is_predefined_tag (checker, tag))
    return type_tag (checker, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, checker->tags);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_ptr_array_add (names, key);
  g_ptr_array_add (names, NULL);
  const char *near = rsp_nearest (tag, (const char *const *) names->pdata);
  g_autofree char *hint = near ? g_strdup_printf ("did you mean `'%s`?", near)
                               : g_strdup ("tags are declared by `enum t = 'a || 'b`");
  rsp_type_error (checker, span, hint, "no enum declares the tag `'%s`", tag);
  return type_tag (checker, NULL);
}

/* ---- Sets and tuples ---- */

static const Type *type_set_literal (TypeChecker *checker, const RspCatExpr *expr,
                                     const TypeEnv *env) {
  const Type *element = &type_unknown;
  for (guint i = 0; i < expr->n_items; i++) {
    const Type *item = type_expr (checker, expr->items[i], env);
    const Type *joined = type_join (checker, element, item);
    if (!joined)
      rsp_type_error (checker, expr->items[i]->span, NULL,
                      "the elements of a set must have the same type: found %s, after %s",
                      type_describe (checker, item), type_describe (checker, element));
    else
      element = joined;
  }
  return type_set_of (checker, element);
}

static const Type *type_tuple_literal (TypeChecker *checker, const RspCatExpr *expr,
                                       const TypeEnv *env) {
  g_autofree const Type **items = g_new0 (const Type *, expr->n_items + 1);
  for (guint i = 0; i < expr->n_items; i++)
    items[i] = type_expr (checker, expr->items[i], env);
  return type_tuple (checker, items, expr->n_items);
}

/* ---- Conditions ---- */

static void check_membership (TypeChecker *checker, const RspCatCondition *condition, const Type *a,
                              const Type *b) {
  const Type *element = type_element (checker, b);
  if (!element || !type_join (checker, element, a))
    rsp_type_error (checker, condition->span, NULL,
                    "`in` takes an element of a set: left is %s, right is %s",
                    type_describe_operand (checker, condition->a, a),
                    type_describe_operand (checker, condition->b, b));
}

/* A condition that is being checked. */
typedef struct Checked {
  TypeChecker *checker;
  const TypeEnv *env;
} Checked;

/* Its truth depends on values. */
static RspTruth check_comparison (const RspCatCondition *condition, gpointer data) {
  TypeChecker *checker = ((const Checked *) data)->checker;
  const TypeEnv *env = ((const Checked *) data)->env;
  const Type *a = type_expr (checker, condition->a, env);
  const Type *b = type_expr (checker, condition->b, env);
  gboolean subset = condition->kind == RSP_CAT_COND_SUBSET;
  const Type *joined = type_join (checker, a, b);
  if (condition->kind == RSP_CAT_COND_IN)
    check_membership (checker, condition, a, b);
  else if (!joined || (subset && joined->kind == TYPE_TAG) || joined->kind >= TYPE_CLOSURE)
    rsp_type_error (checker, condition->span, NULL,
                    "`%s` compares two sets or two relations: left is %s, right is %s",
                    subset                                   ? "subset"
                    : condition->kind == RSP_CAT_COND_NEQUAL ? "!="
                                                             : "=",
                    type_describe_operand (checker, condition->a, a),
                    type_describe_operand (checker, condition->b, b));
  return RSP_OPEN;
}

RspTruth type_condition (TypeChecker *checker, const RspCatCondition *condition,
                         const TypeEnv *env) {
  return model_condition (checker->model, condition, check_comparison, &(Checked){ checker, env });
}

static const Type *join_branches (TypeChecker *checker, const RspCatExpr *expr, const char *what,
                                  const Type *a, const Type *b) {
  const Type *joined = type_join (checker, a, b);
  if (joined)
    return joined;
  rsp_type_error (checker, expr->span, NULL, "the branches of `%s` differ: one is %s, another %s",
                  what, type_describe (checker, a), type_describe (checker, b));
  return &type_unknown;
}

static const Type *type_if (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env) {
  RspTruth truth = type_condition (checker, expr->condition, env);
  if (truth != RSP_OPEN)
    return type_expr (checker, truth == RSP_HOLDS ? expr->a : expr->b, env);
  const Type *yes = type_expr (checker, expr->a, env);
  return join_branches (checker, expr, "if", yes, type_expr (checker, expr->b, env));
}

/* ---- match ---- */

static const TypeEnv *bind_parts (TypeChecker *checker, const RspCatClause *clause,
                                  const Type *type, const TypeEnv *env) {
  const Type *element = type_element (checker, type);
  const Type *rest = type->kind == TYPE_EVENT      ? &type_set
                     : type->kind == TYPE_UNIVERSE ? &type_relation
                                                   : type;
  const Type *cons[] = { element, rest }, *split[] = { rest, element, rest };
  gboolean is_cons = clause->kind == RSP_CAT_CLAUSE_CONS;
  for (guint i = 0; i < (is_cons ? 2 : 3); i++)
    if (clause->names[i])
      env = type_bind (checker, env, clause->names[i], is_cons ? cons[i] : split[i]);
  return env;
}

static gboolean fits_tag (TypeChecker *checker, const RspCatClause *clause,
                          const RspCatExpr *subject, const Type *type) {
  const Type *tag = enum_of_tag (checker, clause->names[0], clause->span);
  gboolean is_tag = type->kind == TYPE_TAG;
  if (type == &type_unknown || (is_tag && (type == tag || !type->name || !tag->name)))
    return TRUE;
  if (is_tag)
    rsp_type_error (checker, clause->span, NULL,
                    "`'%s` is a tag of `%s`, but the matched value is one of `%s`",
                    clause->names[0], tag->name, type->name);
  else
    rsp_type_error (checker, clause->span, NULL,
                    "this clause takes a tag, but the matched value is %s",
                    type_describe_operand (checker, subject, type));
  return FALSE;
}

const TypeEnv *type_clause (TypeChecker *checker, const RspCatClause *clause,
                            const RspCatExpr *subject, const Type *type, const TypeEnv *env) {
  if (clause->kind == RSP_CAT_CLAUSE_ANY)
    return env;
  if (clause->kind == RSP_CAT_CLAUSE_TAG)
    return fits_tag (checker, clause, subject, type) ? env : NULL;
  if (type_element (checker, type))
    return bind_parts (checker, clause, type, env);
  rsp_type_error (checker, clause->span, NULL,
                  "this clause takes a set, but the matched value is %s",
                  type_describe_operand (checker, subject, type));
  return NULL;
}

static const Type *type_match (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env) {
  const Type *subject = type_expr (checker, expr->a, env);
  const Type *result = &type_unknown;
  for (const RspCatClause *clause = expr->clauses; clause; clause = clause->next) {
    const TypeEnv *inner = type_clause (checker, clause, expr->a, subject, env);
    if (inner)
      result = join_branches (checker, clause->body, "match", result,
                              type_expr (checker, clause->body, inner));
  }
  return result;
}

/* ---- try ---- */

/* Errors in e of `try e with e'` are not reported; e' is then the value. Names that a model tries
 * in this way may be unbound. */
static const Type *type_try (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env) {
  GHashTable *unbound = checker->unbound, *applications = checker->applications;
  guint n = rsp_diagnostics_count (checker->diagnostics);
  guint errors = rsp_type_count_errors (checker);
  checker->unbound = g_hash_table_new (g_str_hash, g_str_equal);
  checker->applications = g_hash_table_new (type_hash_application, type_equal_applications);
  checker->tries++;
  const Type *tried = type_expr (checker, expr->a, env);
  checker->tries--;
  gboolean fails = rsp_type_count_errors (checker) > errors;
  g_hash_table_unref (checker->unbound);
  g_hash_table_unref (checker->applications);
  checker->unbound = unbound;
  checker->applications = applications;
  if (fails && !checker->exhausted) {
    rsp_diagnostics_truncate (checker->diagnostics, n);
    checker->n_errors = errors;
  }
  const Type *otherwise = type_expr (checker, expr->b, env);
  return fails ? otherwise : join_branches (checker, expr, "try", tried, otherwise);
}

/* ---- Expressions ---- */

static const Type *type_application (TypeChecker *checker, const RspCatExpr *expr,
                                     const TypeEnv *env) {
  const Type *function = type_expr (checker, expr->a, env);
  const Type *argument = type_expr (checker, expr->b, env);
  const char *name = expr->a->kind == RSP_CAT_NAME ? expr->a->name : NULL;
  return type_apply (checker, expr->span, name, function, argument);
}

static const Type *type_function (TypeChecker *checker, const RspCatExpr *expr,
                                  const TypeEnv *env) {
  type_check_distinct (checker, NULL, expr->pattern);
  return type_check_alone (checker, expr->span, type_closure (checker, expr, env));
}

static const Type *type_of_kind (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env) {
  switch (expr->kind) {
  case RSP_CAT_NAME:
    return type_name (checker, expr, env);
  case RSP_CAT_TAG:
    return enum_of_tag (checker, expr->name, expr->span);
  case RSP_CAT_EMPTY:
    return &type_empty;
  case RSP_CAT_UNIVERSE:
    return &type_set;
  case RSP_CAT_SET:
    return type_set_literal (checker, expr, env);
  case RSP_CAT_TUPLE:
    return type_tuple_literal (checker, expr, env);
  case RSP_CAT_APPLY:
    return type_application (checker, expr, env);
  case RSP_CAT_FUN:
    return type_function (checker, expr, env);
  case RSP_CAT_LET:
    return type_expr (checker, expr->a, type_let (checker, expr->bindings, expr->recursive, env));
  case RSP_CAT_IF:
    return type_if (checker, expr, env);
  case RSP_CAT_MATCH:
    return type_match (checker, expr, env);
  case RSP_CAT_TRY:
    return type_try (checker, expr, env);
  default: {
    const Type *a = type_expr (checker, expr->a, env);
    return type_operator (checker, expr, a, expr->b ? type_expr (checker, expr->b, env) : NULL);
  }
  }
}

/* Functions that do not terminate, or not in practice. */
static void give_up (TypeChecker *checker, RspSpan span) {
  rsp_type_error (checker, span, NULL, "the functions of this model call each other without end");
  checker->exhausted = TRUE;
}

const Type *type_expr (TypeChecker *checker, const RspCatExpr *expr, const TypeEnv *env) {
  if (checker->exhausted)
    return &type_unknown;
  if (checker->depth >= MAX_DEPTH || checker->steps >= MAX_STEPS) {
    give_up (checker, expr->span);
    return &type_unknown;
  }
  checker->depth++;
  checker->steps++;
  const Type *type = type_of_kind (checker, expr, env);
  checker->depth--;
  return type;
}
