/* Types of applications: a function's body is checked once per type of argument. */
#include "model/type/apply.h"
#include "model/type/builtin.h"
#include "model/type/check.h"
#include "model/type/env.h"
#include "model/type/expr.h"
#include "model/type/statement.h"

enum {
  /* Limit of nested applications of one function with ever new types of argument. Beyond it, the
   * function is a recursion that builds something, and its result is not followed further. */
  MAX_ACTIVE = 8
};

guint type_hash_application (gconstpointer application) {
  const TypeApplication *a = application;
  return g_direct_hash (a->function) * 31 + g_direct_hash (a->argument);
}

gboolean type_equal_applications (gconstpointer x, gconstpointer y) {
  const TypeApplication *a = x, *b = y;
  return a->function == b->function && a->argument == b->argument;
}

static const Type *check_closure (TypeChecker *checker, RspSpan span, const char *name,
                                  const Type *function, const Type *argument) {
  const RspCatExpr *fun = function->code;
  const char *problem = NULL;
  const TypeEnv *env = type_bind_pattern (checker, function->env, fun->pattern, argument, &problem);
  if (env)
    return type_expr (checker, fun->a, env);
  const char *what
      = name ? rsp_arena_printf (checker->arena, "the argument of `%s`", name) : "the argument";
  rsp_type_error (checker, span, NULL, "%s does not fit: %s", what, problem);
  return &type_unknown;
}

static const Type *check_procedure (TypeChecker *checker, RspSpan span, const char *name,
                                    const Type *procedure, const Type *argument) {
  const RspCatStatement *statement = procedure->code;
  const char *problem = NULL;
  const TypeEnv *env
      = type_bind_pattern (checker, procedure->env, statement->pattern, argument, &problem);
  if (env)
    type_statements (checker, statement->body, env);
  else
    rsp_type_error (checker, span, NULL, "the argument of `%s` does not fit: %s", name, problem);
  return &type_unknown;
}

typedef const Type *CheckBody (TypeChecker *checker, RspSpan span, const char *name,
                               const Type *function, const Type *argument);

/* The result of an application: the known one, or that of checking the body. While the body is
 * being checked, the result counts as unknown, which ends recursion. */
static const Type *apply_once (TypeChecker *checker, RspSpan span, const char *name,
                               const Type *function, const Type *argument, CheckBody *check) {
  TypeApplication key = { function, argument };
  const Type *known = g_hash_table_lookup (checker->applications, &key);
  guint active = GPOINTER_TO_UINT (g_hash_table_lookup (checker->active, function->code));
  if (known || active >= MAX_ACTIVE)
    return known ? known : &type_unknown;
  TypeApplication *kept = rsp_arena_copy (checker->arena, &key, sizeof key);
  g_hash_table_insert (checker->applications, kept, (gpointer) &type_unknown);
  g_hash_table_insert (checker->active, (gpointer) function->code, GUINT_TO_POINTER (active + 1));
  guint errors = rsp_type_count_errors (checker);
  const Type *result = check (checker, span, name, function, argument);
  if (rsp_type_count_errors (checker) > errors)
    result = &type_unknown;
  g_hash_table_insert (checker->applications, kept, (gpointer) result);
  g_hash_table_insert (checker->active, (gpointer) function->code, GUINT_TO_POINTER (active));
  return result;
}

/* Errors in the body that only this application causes also show its place. */
static void note_application (TypeChecker *checker, RspSpan span, const char *name,
                              const char *what, guint errors) {
  if (rsp_type_count_errors (checker) == errors || checker->exhausted)
    return;
  guint n = rsp_diagnostics_count (checker->diagnostics);
  const RspDiagnostic *last = rsp_diagnostics_get (checker->diagnostics, n - 1);
  if (last->span.source == span.source && last->span.begin == span.begin)
    return; /* it is about the application itself */
  if (name)
    rsp_note (checker->diagnostics, span, "in this %s of `%s`", what, name);
  else
    rsp_note (checker->diagnostics, span, "in this %s", what);
}

const Type *type_apply (TypeChecker *checker, RspSpan span, const char *name, const Type *function,
                        const Type *argument) {
  if (function == &type_unknown)
    return &type_unknown;
  if (function->filter)
    function = type_builtin (checker, TYPE_BUILTIN_FILTER, name ? name : "ext", NULL, 0);
  if (function->kind == TYPE_BUILTIN)
    return type_apply_builtin (checker, span, function, argument);
  if (function->kind == TYPE_CLOSURE) {
    guint errors = rsp_type_count_errors (checker);
    const Type *result = apply_once (checker, span, name, function, argument, check_closure);
    note_application (checker, span, name, "application", errors);
    return result;
  }
  const char *hint = function->kind == TYPE_PROCEDURE ? "a procedure is run by `call`"
                     : type_is_relation (function)    ? "relations are composed by `;`"
                                                      : NULL;
  rsp_type_error (
      checker, span, hint, "%s is applied as if it were a function",
      name ? rsp_arena_printf (checker->arena, "`%s`, %s,", name, type_describe (checker, function))
           : type_describe (checker, function));
  return &type_unknown;
}

const Type *type_check_alone (TypeChecker *checker, RspSpan span, const Type *function) {
  guint errors = rsp_type_count_errors (checker);
  apply_once (checker, span, NULL, function, &type_unknown,
              function->kind == TYPE_PROCEDURE ? check_procedure : check_closure);
  return rsp_type_count_errors (checker) > errors ? &type_unknown : function;
}

void type_call (TypeChecker *checker, RspSpan span, const char *name, const Type *procedure,
                const Type *argument) {
  guint errors = rsp_type_count_errors (checker);
  apply_once (checker, span, name, procedure, argument, check_procedure);
  note_application (checker, span, name, "call", errors);
}
