#include "report/log.h"

enum
{
  LISTED_BAD_EXECUTIONS = 20
};

void
rsp_log_format_state (const RspOutcome *outcome, guint i, GString *out)
{
  const RspStateCount *state = &outcome->states[i];
  for (guint k = 0; k < outcome->n_printed; k++)
    {
      const RspObservable *observable = &outcome->program->observables[outcome->printed[k]];
      if (k)
        g_string_append_c (out, ' ');
      g_string_append (out, observable->name);
      g_string_append_c (out, '=');
      rsp_value_format (outcome->program, state->values[k], out);
      g_string_append_c (out, ';');
    }
  if (state->reads && *state->reads)
    g_string_append_printf (out, "%s%s", outcome->n_printed ? " " : "", state->reads);
}

static void
format_count (const char *before, RspCount count, GString *out)
{
  g_string_append (out, before);
  rsp_count_format (count, out);
}

/* Executions are numbered from 0, state by state as printed, the bad ones of a state first. */
static void
format_bad_executions (const RspOutcome *outcome, GString *out)
{
  format_count ("Bad executions (", outcome->bad, out);
  g_string_append (out, " in total):");
  RspCount first = 0;
  guint listed = 0;
  for (guint i = 0; i < outcome->n_states && listed < LISTED_BAD_EXECUTIONS; i++)
    {
      const RspStateCount *state = &outcome->states[i];
      for (RspCount k = 0; k < state->bad && listed < LISTED_BAD_EXECUTIONS; k++, listed++)
        format_count (" ", first + k, out);
      first += state->executions;
    }
  g_string_append_c (out, '\n');
}

static void
format_flags (const RspOutcome *outcome, GString *out)
{
  g_autofree const char **flags = rsp_outcome_flags (outcome);
  for (guint i = 0; flags[i]; i++)
    g_string_append_printf (out, "Flag %s\n", flags[i]);
}

static void
format_answer (const RspOutcome *outcome, const RspVerdict *verdict, GString *out)
{
  g_string_append_printf (out, "States %u\n", outcome->n_states);
  for (guint i = 0; i < outcome->n_states; i++)
    {
      rsp_log_format_state (outcome, i, out);
      g_string_append_c (out, '\n');
    }
  g_string_append_printf (out, "%s%s\nWitnesses\n", verdict->loop ? "Loop " : "",
                          verdict->ok ? "Ok" : "No");
  format_count ("Positive: ", verdict->positive, out);
  format_count (" Negative: ", verdict->negative, out);
  g_string_append_c (out, '\n');
  if (outcome->has_undefined)
    format_bad_executions (outcome, out);
  format_flags (outcome, out);
}

static void
format_question (const RspOutcome *outcome, const RspVerdict *verdict, GString *out)
{
  g_autofree char *condition = rsp_program_format_condition (outcome->program);
  g_string_append_printf (out, "Condition %s\nObservation %s %s", condition, outcome->program->name,
                          rsp_observation_name (verdict->observation));
  format_count (" ", outcome->positive, out);
  format_count (" ", outcome->negative, out);
  g_string_append_c (out, '\n');
}

static void
format_hashes (const RspProgram *program, gboolean scope_hash, GString *out)
{
  g_autofree char *hash = rsp_program_hash (program);
  g_string_append_printf (out, "Hash=%s\n", hash);
  if (scope_hash)
    {
      g_autofree char *scope = rsp_program_scope_hash (program);
      g_string_append_printf (out, "ScopeHash=%s\n", scope);
    }
}

void
rsp_log_format (const RspOutcome *outcome, const RspCheckOptions *options, gboolean scope_hash,
                GString *out)
{
  const RspProgram *program = outcome->program;
  g_auto (RspVerdict) verdict = { 0 };
  rsp_verdict_init (&verdict, outcome, options);
  g_string_append_printf (out, "Test %s %s\n", program->name,
                          rsp_quantifier_kind (program->quantifier));
  if (verdict.finished)
    {
      format_answer (outcome, &verdict, out);
      format_question (outcome, &verdict, out);
      format_hashes (program, scope_hash, out);
    }
  else
    g_string_append_printf (out, "%s\n", verdict.reason);
  g_string_append_c (out, '\n');
}
