/* Types of definitions. */
#include "model/type/let.h"
#include "model/type/check.h"
#include "model/type/env.h"
#include "model/type/expr.h"

/* Keeps what the names of the pattern are, if that is requested. */
static void describe (TypeChecker *checker, const RspCatPattern *pattern, const Type *type) {
  if (checker->described && !pattern->is_tuple)
    g_hash_table_insert (checker->described, (gpointer) pattern,
                         g_strdup (type_describe (checker, type)));
  for (guint i = 0; checker->described && type->kind == TYPE_TUPLE && i < pattern->n_items; i++)
    describe (checker, pattern->items[i], type->items[i]);
}

static const TypeEnv *bind (TypeChecker *checker, const TypeEnv *env, const RspCatBinding *binding,
                            const Type *type) {
  const char *problem = NULL;
  const TypeEnv *inner = type_bind_pattern (checker, env, binding->pattern, type, &problem);
  if (inner) {
    describe (checker, binding->pattern, type);
    return inner;
  }
  rsp_type_error (checker, binding->pattern->span, NULL, "the value does not fit this pattern: %s",
                  problem);
  return type_bind_unknown (checker, env, binding->pattern);
}

/* Are the errors of these definitions, the first n or all, warnings? */
static gboolean are_idle (const TypeChecker *checker, const RspCatBinding *bindings, guint n) {
  for (; checker->idle && bindings && n; bindings = bindings->next, n--)
    if (!g_hash_table_contains (checker->idle, bindings->pattern))
      return FALSE;
  return checker->idle != NULL;
}

/* Ends what is_idle began: notes those that had errors. */
static void note_ill_typed (TypeChecker *checker, const RspCatBinding *bindings, guint n,
                            guint before) {
  gboolean fails = checker->is_idle && checker->n_idle > before;
  for (; fails && bindings && n; bindings = bindings->next, n--)
    g_hash_table_add (checker->ill_typed, bindings->pattern);
  checker->is_idle = FALSE;
}

/* `let x = … and y = …`: the names are not visible in the values. */
static const TypeEnv *let_plain (TypeChecker *checker, const RspCatBinding *bindings,
                                 const TypeEnv *env) {
  const TypeEnv *inner = env;
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next) {
    gboolean outermost = !checker->is_idle && are_idle (checker, binding, 1);
    guint before = checker->n_idle;
    checker->is_idle |= outermost;
    inner = bind (checker, inner, binding, type_expr (checker, binding->value, env));
    if (outermost)
      note_ill_typed (checker, binding, 1, before);
  }
  return inner;
}

static gboolean is_named_function (const RspCatBinding *binding) {
  return binding->value->kind == RSP_CAT_FUN && !binding->pattern->is_tuple
         && binding->pattern->name;
}

/* An env in which the functions can refer to themselves and each other, and every other name has
 * its type: types[i] for the i-th binding, or unknown if types is NULL. */
static const TypeEnv *recursive_env (TypeChecker *checker, const RspCatBinding *bindings,
                                     const Type *const *types, const TypeEnv *env) {
  guint i = 0;
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next, i++)
    if (!is_named_function (binding))
      env = types ? bind (checker, env, binding, types[i])
                  : type_bind_unknown (checker, env, binding->pattern);
  g_autoptr (GPtrArray) functions = g_ptr_array_new ();
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next)
    if (is_named_function (binding)) {
      env = type_bind (checker, env, binding->pattern->name, NULL);
      g_ptr_array_add (functions, (gpointer) env);
      g_ptr_array_add (functions, (gpointer) binding->value);
    }
  for (guint j = 0; j < functions->len; j += 2)
    ((TypeEnv *) functions->pdata[j])->type = type_closure (checker, functions->pdata[j + 1], env);
  return env;
}

/* Checks each function by itself and finds the types of the other values. */
static void type_values (TypeChecker *checker, const RspCatBinding *bindings, const TypeEnv *env,
                         const Type **types) {
  guint i = 0;
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next, i++) {
    types[i] = type_expr (checker, binding->value, env);
    if (types[i] == &type_empty || types[i] == &type_universe)
      types[i] = &type_relation; /* nothing shows that it is a set */
  }
}

static const TypeEnv *bind_all_unknown (TypeChecker *checker, const RspCatBinding *bindings,
                                        const TypeEnv *env) {
  for (; bindings; bindings = bindings->next)
    env = type_bind_unknown (checker, env, bindings->pattern);
  return env;
}

/* Types the values twice: first with the names unknown, then with the resulting types, which must
 * not change. */
static const TypeEnv *let_recursive (TypeChecker *checker, const RspCatBinding *bindings,
                                     const TypeEnv *env) {
  guint n = 0, errors = rsp_type_count_errors (checker);
  for (const RspCatBinding *binding = bindings; binding; binding = binding->next)
    n++;
  g_autofree const Type **first = g_new0 (const Type *, n + 1);
  g_autofree const Type **second = g_new0 (const Type *, n + 1);
  type_values (checker, bindings, recursive_env (checker, bindings, NULL, env), first);
  if (rsp_type_count_errors (checker) == errors) {
    const TypeEnv *inner = recursive_env (checker, bindings, first, env);
    type_values (checker, bindings, inner, second);
    guint i = 0;
    for (const RspCatBinding *binding = bindings; binding; binding = binding->next, i++)
      if (!is_named_function (binding) && !type_join (checker, first[i], second[i]))
        rsp_type_error (checker, binding->span, NULL,
                        "this recursive definition is first %s and then %s",
                        type_describe (checker, first[i]), type_describe (checker, second[i]));
    if (rsp_type_count_errors (checker) == errors)
      return inner;
  }
  return bind_all_unknown (checker, bindings, env);
}

const TypeEnv *type_let (TypeChecker *checker, const RspCatBinding *bindings, gboolean recursive,
                         const TypeEnv *env) {
  type_check_distinct (checker, bindings, NULL);
  for (const RspCatBinding *binding = bindings; recursive && binding; binding = binding->next)
    if (binding->pattern->is_tuple) {
      rsp_type_error (checker, binding->pattern->span, NULL,
                      "a recursive definition defines a name, not a tuple");
      return bind_all_unknown (checker, bindings, env);
    }
  if (!recursive)
    return let_plain (checker, bindings, env);
  gboolean outermost = !checker->is_idle && are_idle (checker, bindings, G_MAXUINT);
  guint before = checker->n_idle;
  checker->is_idle |= outermost;
  env = let_recursive (checker, bindings, env);
  if (outermost)
    note_ill_typed (checker, bindings, G_MAXUINT, before);
  return env;
}
