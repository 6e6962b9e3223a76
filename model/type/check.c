/* Type-checks a model, and finds out how it uses `rmw`. */
#include "model/type/check.h"
#include "model/type/apply.h"
#include "model/type/env.h"
#include "model/type/statement.h"
#include "model/warn/uses.h"

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
 * gives type errors; if both readings do, the one with fewer errors is assumed. */
static guint check_readings (RspModel *model, GHashTable *idle, RspDiagnostics **found) {
  gboolean was_relation = model->rmw_is_relation;
  g_autoptr (RspDiagnostics) as_set = rsp_diagnostics_new ();
  g_autoptr (RspDiagnostics) as_relation = rsp_diagnostics_new ();
  g_autoptr (GHashTable) ill_typed = g_hash_table_new (NULL, NULL);
  guint errors = check (model, FALSE, idle, ill_typed, NULL, as_set);
  model->rmw_is_relation = FALSE;
  if (errors) {
    g_autoptr (GHashTable) other_ill_typed = g_hash_table_new (NULL, NULL);
    guint other = check (model, TRUE, idle, other_ill_typed, NULL, as_relation);
    model->rmw_is_relation = other < errors;
    errors = MIN (errors, other);
    if (model->rmw_is_relation) {
      g_hash_table_unref (ill_typed);
      ill_typed = g_steal_pointer (&other_ill_typed);
    }
  }
  if (!errors)
    remove_bindings (model->statements, ill_typed);
  else if (*found) /* then all of them are errors */
  {
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
