/* Type-checks a model, and finds out how it uses `rmw`. */
#include "model/type/check.h"
#include "model/type/apply.h"
#include "model/type/env.h"
#include "model/type/statement.h"

void
rsp_type_error (TypeChecker *checker, RspSpan span, const char *hint, const char *format, ...)
{
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
  checker->n_errors++;
  rsp_error (checker->diagnostics, span, hint, "%s", message);
}

guint
rsp_type_count_errors (const TypeChecker *checker)
{
  return checker->n_errors;
}

/* Types the model under one reading of `rmw`; returns the number of errors. */
static guint
check (const RspModel *model, gboolean rmw_is_relation, GArray *uses, GHashTable *described,
       RspDiagnostics *diagnostics)
{
  TypeChecker checker = {
    .model = model,
    .diagnostics = diagnostics,
    .arena = rsp_arena_new (),
    .rmw_is_relation = rmw_is_relation,
    .uses = uses,
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

/* Does the model use one of these names? Whether an execution gets to the place does not matter: one model counts the
 * executions of all tests alike. */
static gboolean
uses_any (const RspModel *model, const char *const *names)
{
  for (guint i = 0; i < model->uses->len; i++)
    {
      const RspModelUse *use = &g_array_index (model->uses, RspModelUse, i);
      if (use->judges && g_strv_contains (names, use->name))
        return TRUE;
    }
  return FALSE;
}

/* `rmw` is a set in the 2015 dialect and a relation in herd7's. It is taken as a set unless that
 * gives type errors; if both readings do, the one with fewer errors is assumed. */
gboolean
rsp_model_check_types (RspModel *model, RspDiagnostics *diagnostics)
{
  /* Coherence, and what is defined from it or from what is last in it. */
  static const char *const coherence[] = { "co", "coe", "coi", "fr", "fre", "fri", NULL };
  static const char *const finals[] = { "FW", "co0", "cobase", NULL };
  g_autoptr (RspDiagnostics) as_set = rsp_diagnostics_new ();
  g_autoptr (RspDiagnostics) as_relation = rsp_diagnostics_new ();
  model->uses = g_array_new (FALSE, FALSE, sizeof (RspModelUse));
  guint errors = check (model, FALSE, model->uses, NULL, as_set);
  model->rmw_is_relation = FALSE;
  if (errors)
    {
      guint other = check (model, TRUE, model->uses, NULL, as_relation);
      model->rmw_is_relation = other < errors;
      errors = MIN (errors, other);
    }
  model->sees_co |= uses_any (model, coherence);
  model->sees_finals = uses_any (model, finals);
  rsp_diagnostics_move (diagnostics, model->rmw_is_relation ? as_relation : as_set);
  return errors == 0;
}

GHashTable *
rsp_model_describe_types (const RspModel *model)
{
  g_autoptr (RspDiagnostics) unread = rsp_diagnostics_new ();
  g_autoptr (GArray) uses = g_array_new (FALSE, FALSE, sizeof (RspModelUse));
  GHashTable *described = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  check (model, model->rmw_is_relation, uses, described, unread);
  return described;
}
