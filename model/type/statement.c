/* Types of statements. */
#include "model/matrix.h"
#include "model/type/internal.h"
#include "model/type/type.h"
#include "model/warn/warn.h"

/* ---- Let ------------------------------------------------------------------------------------ */

/* Types of definitions. */

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

/* Ends is_idle, and notes the definitions that had errors. */
static void note_ill_typed (TypeChecker *checker, const RspCatBinding *bindings, guint n,
                            guint before) {
  gboolean fails = checker->is_idle && checker->n_idle > before;
  for (; fails && bindings && n; bindings = bindings->next, n--)
    g_hash_table_add (checker->ill_typed, bindings->pattern);
  checker->is_idle = FALSE;
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
  if (!recursive) {
    /* The names are not visible in the values. */
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
  gboolean outermost = !checker->is_idle && are_idle (checker, bindings, G_MAXUINT);
  guint before = checker->n_idle;
  checker->is_idle |= outermost;
  env = let_recursive (checker, bindings, env);
  if (outermost)
    note_ill_typed (checker, bindings, G_MAXUINT, before);
  return env;
}

/* ---- Statement ------------------------------------------------------------------------------ */

/* Types of statements. */

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
/* The env after a statement that runs one of two branches, both of which begin in outer. */
static const TypeEnv *merge (TypeChecker *checker, const TypeEnv *outer, const TypeEnv *a,
                             const TypeEnv *b) {
  const TypeEnv *merged = outer;
  const TypeEnv *const branches[] = { a, b };
  for (guint i = 0; i < 2; i++)
    for (const TypeEnv *env = branches[i]; env != outer; env = env->next) {
      if (type_binding (checker, merged, env->name) != type_binding (checker, outer, env->name))
        continue;
      const Type *here = type_look_up (checker, a, env->name);
      const Type *there = type_look_up (checker, b, env->name);
      const Type *joined = here && there ? type_join (checker, here, there) : here ? here : there;
      merged = type_bind (checker, merged, env->name, joined ? joined : &type_unknown);
    }
  return merged;
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
  case RSP_CAT_STMT_CALL: {
    const Type *type = type_look_up (checker, env, statement->name);
    const Type *argument = type_expr (checker, statement->expr, env);
    if (!type)
      type_report_unbound (checker, env, statement->name, statement->name_span, RSP_ERROR);
    else if (type->kind == TYPE_PROCEDURE)
      type_call (checker, statement->span, statement->name, type, argument);
    else if (type != &type_unknown)
      rsp_type_error (checker, statement->name_span, NULL, "`%s` is %s, not a procedure",
                      statement->name, type_describe (checker, type));
    return env;
  }
  case RSP_CAT_STMT_ENUM: {
    const Type *tag = type_tag (checker, type_symbol (checker, statement->name));
    for (guint i = 0; statement->names[i]; i++)
      g_hash_table_insert (checker->tags, (gpointer) statement->names[i], (gpointer) tag);
    return type_bind (checker, env, statement->name, type_set_of (checker, tag));
  }
  case RSP_CAT_STMT_FORALL:
    type_statements (checker, statement->body, bind_element (checker, statement, "forall", env));
    return env;
  case RSP_CAT_STMT_WITH:
    return bind_element (checker, statement, "with", env);
  case RSP_CAT_STMT_IF: {
    RspTruth truth = type_condition (checker, statement->condition, env);
    if (truth != RSP_OPEN)
      return type_statements (checker, truth == RSP_HOLDS ? statement->body : statement->otherwise,
                              env);
    const TypeEnv *yes = type_statements (checker, statement->body, env);
    const TypeEnv *no = type_statements (checker, statement->otherwise, env);
    return merge (checker, env, yes, no);
  }
  case RSP_CAT_STMT_MATCH:
    return check_match (checker, statement, env);
  case RSP_CAT_STMT_UNSHOW:
  case RSP_CAT_STMT_INSTRUCTIONS:
    break;
  }
  return env;
}

const TypeEnv *type_statements (TypeChecker *checker, const RspCatStatement *statement,
                                const TypeEnv *env) {
  for (; statement && !checker->exhausted; statement = statement->next)
    env = type_statement (checker, statement, env);
  return env;
}

/* ---- Check ---------------------------------------------------------------------------------- */

/* Type-checks a model, and finds out how it uses `rmw`. */

void rsp_type_error (TypeChecker *checker, RspSpan span, const char *hint, const char *format,
                     ...) {
  if (checker->exhausted)
    return;
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  /* A function's body is checked once per argument; errors that do not depend on the argument are
   * reported once. */
  const char *complaint = rsp_arena_printf (checker->arena, "%p:%u:%u:%s", (void *) span.source,
                                            span.begin, span.end, message);
  if (!g_hash_table_add (checker->complaints, (gpointer) complaint))
    return;
  *(checker->is_idle ? &checker->n_idle : &checker->n_errors) += 1;
  rsp_report (checker->diagnostics, checker->is_idle ? RSP_WARNING : RSP_ERROR, span, hint, "%s",
              message);
}

guint rsp_type_count_errors (const TypeChecker *checker) { return checker->n_errors; }

/* Types the model under one reading of `rmw`; returns the number of errors. idle, ill_typed: see
 * TypeChecker. */
static guint check (const RspModel *model, gboolean rmw_is_relation, GHashTable *idle,
                    GHashTable *ill_typed, GHashTable *described, RspDiagnostics *diagnostics) {
  g_autoptr (GArray) unwanted = described ? g_array_new (FALSE, FALSE, sizeof (RspModelUse)) : NULL;
  TypeChecker checker = {
    .model = model,
    .diagnostics = diagnostics,
    .arena = rsp_arena_new (),
    .rmw_is_relation = rmw_is_relation,
    .uses = described ? unwanted : model->uses,
    .idle = idle,
    .ill_typed = ill_typed,
    .described = described,
    .symbols = g_hash_table_new (g_str_hash, g_str_equal),
    .predefined = g_hash_table_new (g_str_hash, g_str_equal),
    .definitions = g_hash_table_new (g_str_hash, g_str_equal),
    .tags = g_hash_table_new (g_str_hash, g_str_equal),
    .unbound = g_hash_table_new (g_str_hash, g_str_equal),
    .complaints = g_hash_table_new (g_str_hash, g_str_equal),
    .applications = g_hash_table_new (type_hash_application, type_equal_applications),
    .active = g_hash_table_new (NULL, NULL),
  };
  type_define_predefined (&checker);
  type_collect_definitions (&checker, model->statements);
  /* The initial env. An env is never NULL, since NULL means that binding failed. */
  const TypeEnv *env = type_bind (&checker, NULL, "", &type_unknown);
  env = type_statements (&checker, model->prelude, env);
  type_statements (&checker, model->statements, env);
  guint n_errors = rsp_type_count_errors (&checker);
  GHashTable *tables[] = { checker.types,       checker.symbols, checker.predefined,
                           checker.definitions, checker.tags,    checker.unbound,
                           checker.complaints,  checker.active,  checker.applications };
  for (gsize i = 0; i < G_N_ELEMENTS (tables); i++)
    g_clear_pointer (&tables[i], g_hash_table_unref);
  rsp_arena_free (checker.arena);
  return n_errors;
}

/* Does the model use one of these names? Whether an execution gets to the place does not matter:
 * one model counts the executions of all tests alike. */
static gboolean uses_any (const RspModel *model, const char *const *names) {
  for (guint i = 0; i < model->uses->len; i++) {
    const RspModelUse *use = &g_array_index (model->uses, RspModelUse, i);
    if (use->judges && g_strv_contains (names, use->name))
      return TRUE;
  }
  return FALSE;
}

/* Procedures that nothing calls do not count. */
static gboolean has_axioms (const RspCatStatement *statement) {
  for (; statement; statement = statement->next)
    if (statement->kind == RSP_CAT_STMT_AXIOM || statement->kind == RSP_CAT_STMT_CALL
        || has_axioms (statement->included)
        || (statement->kind != RSP_CAT_STMT_PROCEDURE && has_axioms (statement->body)))
      return TRUE;
  return FALSE;
}

/* The patterns of definitions that nothing uses, if the model has axioms: herd never evaluates
 * them. */
static GHashTable *find_idle (const RspModel *model) {
  GHashTable *idle = g_hash_table_new (NULL, NULL);
  gboolean checks = has_axioms (model->statements);
  g_autoptr (RspUses) uses = rsp_uses_find (model, NULL);
  for (guint i = 0; checks && !uses->unread && i < uses->definitions->len; i++) {
    const RspDefinition *definition = uses->definitions->pdata[i];
    if (definition->is_global && !definition->used && definition->pattern)
      g_hash_table_add (idle, (gpointer) definition->pattern);
  }
  return idle;
}

static void remove_bindings (RspCatStatement *statement, GHashTable *patterns) {
  for (; statement; statement = statement->next) {
    for (RspCatBinding **at = &statement->bindings; *at;)
      if (g_hash_table_contains (patterns, (*at)->pattern))
        *at = (*at)->next;
      else
        at = &(*at)->next;
    remove_bindings (statement->included, patterns);
    remove_bindings (statement->body, patterns);
    remove_bindings (statement->otherwise, patterns);
    for (RspCatClause *clause = statement->clauses; clause; clause = clause->next)
      remove_bindings (clause->statements, patterns);
  }
}

/* `rmw` is a set in the 2015 dialect and a relation in herd7's. It is taken as a set unless that
 * gives type errors, or the model has other words of herd7 and both readings are possible; if both
 * give errors, the one with fewer is assumed. */
static guint check_readings (RspModel *model, GHashTable *idle, RspDiagnostics **found) {
  static const char *const newer[] = { "X", "amo", NULL };
  gboolean was_relation = model->rmw_is_relation;
  g_autoptr (RspDiagnostics) as_set = rsp_diagnostics_new ();
  g_autoptr (RspDiagnostics) as_relation = rsp_diagnostics_new ();
  g_autoptr (GHashTable) ill_typed = g_hash_table_new (NULL, NULL);
  guint errors = check (model, FALSE, idle, ill_typed, NULL, as_set);
  model->rmw_is_relation = FALSE;
  if (errors || uses_any (model, newer)) {
    g_autoptr (GHashTable) other_ill_typed = g_hash_table_new (NULL, NULL);
    guint other = check (model, TRUE, idle, other_ill_typed, NULL, as_relation);
    model->rmw_is_relation = other < errors || !other;
    errors = MIN (errors, other);
    if (model->rmw_is_relation) {
      g_hash_table_unref (ill_typed);
      ill_typed = g_steal_pointer (&other_ill_typed);
    }
  }
  if (!errors)
    remove_bindings (model->statements, ill_typed);
  else if (*found) { /* then all of them are errors */
    model->rmw_is_relation = was_relation;
    return errors;
  }
  g_clear_pointer (found, rsp_diagnostics_free);
  *found = model->rmw_is_relation ? g_steal_pointer (&as_relation) : g_steal_pointer (&as_set);
  return errors;
}

gboolean rsp_model_check_types (RspModel *model, RspDiagnostics *diagnostics) {
  /* Coherence, and what is defined from it or from what is last in it. */
  static const char *const coherence[] = { "co", "coe", "coi", "fr", "fre", "fri", NULL };
  static const char *const finals[] = { "FW", "co0", "cobase", NULL };
  model->uses = g_array_new (FALSE, FALSE, sizeof (RspModelUse));
  g_autoptr (RspDiagnostics) found = NULL;
  guint errors = check_readings (model, NULL, &found);
  if (errors) {
    g_autoptr (GHashTable) idle = find_idle (model);
    errors = g_hash_table_size (idle) ? check_readings (model, idle, &found) : errors;
  }
  model->sees_co |= uses_any (model, coherence);
  model->sees_finals = uses_any (model, finals);
  rsp_diagnostics_move (diagnostics, found);
  return errors == 0;
}

GHashTable *rsp_model_describe_types (const RspModel *model) {
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  GHashTable *described = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  check (model, model->rmw_is_relation, NULL, NULL, described, unread);
  return described;
}
