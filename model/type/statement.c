/* Types of statements. */
#include "model/type/statement.h"
#include "model/axiom_kind.h"
#include "model/type/apply.h"
#include "model/type/check.h"
#include "model/type/env.h"
#include "model/type/expr.h"
#include "model/type/let.h"

/* ---- Axioms and what is shown ---- */

static void check_axiom (TypeChecker *checker, const RspCatStatement *statement,
                         const TypeEnv *env) {
  const Type *type = type_expr (checker, statement->expr, env);
  gboolean may_be_set = rsp_axiom_form (statement->axiom)->takes_sets;
  if (statement->role == RSPCHECK_ROLE_WARN_UNLESS
      && (!may_be_set || statement->negated || !type_is_set (type))) {
    rsp_type_error (checker, statement->span, NULL,
                    "`warn_unless` takes `empty` of a set of events");
    return;
  }
  if (type_is_relation (type) || (may_be_set && (type_is_set (type) || type->kind == TYPE_SET_OF)))
    return;
  rsp_type_error (checker, statement->expr->span, NULL, "`%s` takes %s: found %s",
                  rsp_axiom_form (statement->axiom)->word,
                  may_be_set ? "a set or relation" : "a relation",
                  type_describe_operand (checker, statement->expr, type));
}

static void check_show (TypeChecker *checker, const RspCatStatement *statement,
                        const TypeEnv *env) {
  if (statement->expr) {
    checker->shows = TRUE;
    const Type *type = type_expr (checker, statement->expr, env);
    checker->shows = FALSE;
    if (!type_is_relation (type) && !type_is_set (type))
      rsp_type_error (checker, statement->expr->span, NULL,
                      "`show` takes a set or relation: found %s",
                      type_describe_operand (checker, statement->expr, type));
    return;
  }
  /* A name that is not defined is simply not shown. */
  for (guint i = 0; statement->names[i]; i++)
    if (!type_look_up (checker, env, statement->names[i]))
      type_report_unbound (checker, env, statement->names[i], statement->span, RSP_WARNING);
}

/* ---- Procedures, enums, choices ---- */

static const TypeEnv *define_procedure (TypeChecker *checker, const RspCatStatement *statement,
                                        const TypeEnv *env) {
  type_check_distinct (checker, NULL, statement->pattern);
  const TypeEnv *outer = env;
  if (statement->recursive) {
    TypeEnv *inner = (TypeEnv *) type_bind (checker, env, statement->name, NULL);
    inner->type = type_procedure (checker, statement, inner);
    env = inner;
  } else
    env = type_bind (checker, env, statement->name, type_procedure (checker, statement, env));
  const Type *checked = type_check_alone (checker, statement->span, env->type);
  return checked == env->type ? env : type_bind (checker, outer, statement->name, checked);
}

static void check_call (TypeChecker *checker, const RspCatStatement *statement,
                        const TypeEnv *env) {
  const Type *type = type_look_up (checker, env, statement->name);
  const Type *argument = type_expr (checker, statement->expr, env);
  if (!type)
    type_report_unbound (checker, env, statement->name, statement->name_span, RSP_ERROR);
  else if (type->kind == TYPE_PROCEDURE)
    type_call (checker, statement->span, statement->name, type, argument);
  else if (type != &type_unknown)
    rsp_type_error (checker, statement->name_span, NULL, "`%s` is %s, not a procedure",
                    statement->name, type_describe (checker, type));
}

static const TypeEnv *define_enum (TypeChecker *checker, const RspCatStatement *statement,
                                   const TypeEnv *env) {
  const Type *tag = type_tag (checker, type_symbol (checker, statement->name));
  for (guint i = 0; statement->names[i]; i++)
    g_hash_table_insert (checker->tags, (gpointer) statement->names[i], (gpointer) tag);
  return type_bind (checker, env, statement->name, type_set_of (checker, tag));
}

/* Binds the statement's pattern to an element of its expression. */
static const TypeEnv *bind_element (TypeChecker *checker, const RspCatStatement *statement,
                                    const char *word, const TypeEnv *env) {
  type_check_distinct (checker, NULL, statement->pattern);
  const Type *type = type_expr (checker, statement->expr, env);
  const Type *element = type_element (checker, type);
  const char *problem = NULL;
  const TypeEnv *inner = NULL;
  if (element)
    inner = type_bind_pattern (checker, env, statement->pattern, element, &problem);
  if (inner)
    return inner;
  if (element)
    rsp_type_error (checker, statement->pattern->span, NULL, "the elements do not fit: %s",
                    problem);
  else
    rsp_type_error (checker, statement->expr->span, NULL, "`%s` takes a set: found %s", word,
                    type_describe_operand (checker, statement->expr, type));
  return type_bind_unknown (checker, env, statement->pattern);
}

/* ---- Branches ---- */

static gboolean is_bound_between (TypeChecker *checker, const TypeEnv *inner, const TypeEnv *outer,
                                  const char *name) {
  return type_binding (checker, inner, name) != type_binding (checker, outer, name);
}

/* The env after a statement that runs one of two branches, both of which begin in outer. */
static const TypeEnv *merge (TypeChecker *checker, const TypeEnv *outer, const TypeEnv *a,
                             const TypeEnv *b) {
  const TypeEnv *merged = outer;
  const TypeEnv *const branches[] = { a, b };
  for (guint i = 0; i < 2; i++)
    for (const TypeEnv *env = branches[i]; env != outer; env = env->next) {
      if (is_bound_between (checker, merged, outer, env->name))
        continue;
      const Type *here = type_look_up (checker, a, env->name);
      const Type *there = type_look_up (checker, b, env->name);
      const Type *joined = here && there ? type_join (checker, here, there) : here ? here : there;
      merged = type_bind (checker, merged, env->name, joined ? joined : &type_unknown);
    }
  return merged;
}

static const TypeEnv *check_if (TypeChecker *checker, const RspCatStatement *statement,
                                const TypeEnv *env) {
  RspTruth truth = type_condition (checker, statement->condition, env);
  if (truth != RSP_OPEN)
    return type_statements (checker, truth == RSP_HOLDS ? statement->body : statement->otherwise,
                            env);
  const TypeEnv *yes = type_statements (checker, statement->body, env);
  const TypeEnv *no = type_statements (checker, statement->otherwise, env);
  return merge (checker, env, yes, no);
}

static const TypeEnv *check_match (TypeChecker *checker, const RspCatStatement *statement,
                                   const TypeEnv *env) {
  const Type *subject = type_expr (checker, statement->expr, env);
  const TypeEnv *merged = NULL;
  for (const RspCatClause *clause = statement->clauses; clause; clause = clause->next) {
    const TypeEnv *inner = type_clause (checker, clause, statement->expr, subject, env);
    if (!inner)
      continue;
    inner = type_statements (checker, clause->statements, inner);
    merged = merged ? merge (checker, env, merged, inner) : inner;
  }
  return merged ? merged : env;
}

/* ---- Statements ---- */

static const TypeEnv *type_statement (TypeChecker *checker, const RspCatStatement *statement,
                                      const TypeEnv *env) {
  switch (statement->kind) {
  case RSP_CAT_STMT_LET:
    return type_let (checker, statement->bindings, statement->recursive, env);
  case RSP_CAT_STMT_AXIOM:
    check_axiom (checker, statement, env);
    return env;
  case RSP_CAT_STMT_SHOW:
    check_show (checker, statement, env);
    return env;
  case RSP_CAT_STMT_INCLUDE:
    return type_statements (checker, statement->included, env);
  case RSP_CAT_STMT_PROCEDURE:
    return define_procedure (checker, statement, env);
  case RSP_CAT_STMT_CALL:
    check_call (checker, statement, env);
    return env;
  case RSP_CAT_STMT_ENUM:
    return define_enum (checker, statement, env);
  case RSP_CAT_STMT_FORALL:
    type_statements (checker, statement->body, bind_element (checker, statement, "forall", env));
    return env;
  case RSP_CAT_STMT_WITH:
    return bind_element (checker, statement, "with", env);
  case RSP_CAT_STMT_IF:
    return check_if (checker, statement, env);
  case RSP_CAT_STMT_MATCH:
    return check_match (checker, statement, env);
  case RSP_CAT_STMT_UNSHOW:
  case RSP_CAT_STMT_INSTRUCTIONS:
    return env;
  }
  return env;
}

const TypeEnv *type_statements (TypeChecker *checker, const RspCatStatement *statement,
                                const TypeEnv *env) {
  for (; statement && !checker->exhausted; statement = statement->next)
    env = type_statement (checker, statement, env);
  return env;
}
