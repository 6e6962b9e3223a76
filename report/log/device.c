#include "report/log/device.h"
#include "report/judge.h"

static void
format_states (const RspRecord *record, GString *out)
{
  g_string_append_printf (out, "Histogram (%u states)\n", record->states->len);
  for (guint i = 0; i < record->states->len; i++)
    {
      const RspRecordState *state = rsp_record_state (record, i);
      g_autoptr (GString) count = g_string_new (NULL);
      rsp_count_format (state->executions, count);
      g_string_append_printf (out, "%-6s%c>%s\n", count->str, state->satisfies ? '*' : ':',
                              state->text);
    }
}

static void
format_count (const char *before, RspCount count, GString *out)
{
  g_string_append (out, before);
  rsp_count_format (count, out);
}

static void
format_answer (const RspRecord *record, GString *out)
{
  RspCount positive, negative;
  rsp_record_witnesses (record, &positive, &negative);
  g_string_append_printf (out, "%s\n\nWitnesses", record->answer ? "Ok" : "No");
  format_count ("\nPositive: ", positive, out);
  format_count (", Negative: ", negative, out);
  g_string_append_printf (out, "\nCondition %s is %svalidated\nHash=%s\n", record->condition,
                          record->answer ? "" : "NOT ", record->hash);
  if (record->scope_hash)
    g_string_append_printf (out, "ScopeHash=%s\n", record->scope_hash);
  g_string_append_printf (out, "Observation %s %s", record->test,
                          rsp_observation_name (record->observation));
  format_count (" ", record->positive, out);
  format_count (" ", record->negative, out);
  g_string_append_printf (out, "\nTime %s %.2f\n", record->test, record->seconds);
}

static void
format_setup (const RspRecord *record, GString *out)
{
  const char *const lines[][2] = { { "Device", record->device },
                                   { "Compiler", record->compiler },
                                   { "Setup", record->setup } };
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    if (lines[i][1])
      g_string_append_printf (out, "%s %s\n", lines[i][0], lines[i][1]);
  if (record->rounds)
    g_string_append_printf (out, "Rounds %u at most\n", record->rounds);
}

static gboolean
is_among (const GPtrArray *texts, const char *text)
{
  return g_ptr_array_find_with_equal_func ((GPtrArray *) texts, text, g_str_equal, NULL);
}

static void
format_judgement (const RspRecord *record, const RspJudgement *judgement, GString *out)
{
  const char *model = judgement->model;
  g_string_append_printf (out, "Model %s: %s\n", model, rsp_judged_names[judgement->judged]);
  for (guint i = 0; i < record->states->len && judgement->judged != RSP_JUDGED_NOT; i++)
    {
      const RspRecordState *state = rsp_record_state (record, i);
      const char *word = is_among (judgement->not_allowed, state->text) ? "NOT ALLOWED" : "allowed";
      g_string_append_printf (out, "%s by %s: %s  seen", word, model, state->text);
      format_count (" ", state->executions, out);
      g_string_append (out, " times\n");
    }
  for (guint i = 0; i < judgement->not_seen->len; i++)
    g_string_append_printf (out, "allowed by %s: %s  not seen\n", model,
                            (const char *) judgement->not_seen->pdata[i]);
}

void
log_format_device (const RspRecord *record, GString *out)
{
  g_string_append_printf (out, "Test %s %s\n", record->test, record->kind);
  if (rsp_record_is_ok (record))
    {
      format_states (record, out);
      format_answer (record, out);
      format_setup (record, out);
      for (guint i = 0; i < record->judgements->len; i++)
        format_judgement (record, &g_array_index (record->judgements, RspJudgement, i), out);
    }
  else
    g_string_append_printf (out, "Error: %s\n", record->reason);
  g_string_append_c (out, '\n');
}
