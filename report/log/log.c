#include "report/log/log.h"
#include "report/log/device.h"

enum
{
  LISTED_BAD_EXECUTIONS = 20
};

static void
format_count (const char *before, RspCount count, GString *out)
{
  g_string_append (out, before);
  rsp_count_format (count, out);
}

/* Executions are numbered from 0, state by state as printed, the undefined ones of a state
 * first. */
static void
format_bad_executions (const RspRecord *record, GString *out)
{
  format_count ("Bad executions (", record->n_undefined, out);
  g_string_append (out, " in total):");
  RspCount first = 0;
  guint listed = 0;
  for (guint i = 0; i < record->states->len && listed < LISTED_BAD_EXECUTIONS; i++)
    {
      const RspRecordState *state = rsp_record_state (record, i);
      for (RspCount k = 0; k < state->n_undefined && listed < LISTED_BAD_EXECUTIONS; k++, listed++)
        format_count (" ", first + k, out);
      first += state->executions;
    }
  g_string_append_c (out, '\n');
}

static void
format_witnesses (const RspRecord *record, GString *out)
{
  RspCount positive, negative;
  rsp_record_witnesses (record, &positive, &negative);
  format_count ("Witnesses\nPositive: ", positive, out);
  format_count (" Negative: ", negative, out);
  g_string_append_c (out, '\n');
}

static void
format_answer (const RspRecord *record, GString *out)
{
  g_string_append_printf (out, "States %u\n", record->states->len);
  for (guint i = 0; i < record->states->len; i++)
    {
      g_string_append (out, rsp_record_state (record, i)->text);
      g_string_append_c (out, '\n');
    }
  g_string_append_printf (out, "%s%s\n", record->loop ? "Loop " : "", record->answer ? "Ok" : "No");
  format_witnesses (record, out);
  if (record->has_undefined)
    format_bad_executions (record, out);
  for (guint i = 0; i < record->flags->len; i++)
    g_string_append_printf (out, "Flag %s\n", (const char *) record->flags->pdata[i]);
}

static void
format_question (const RspRecord *record, GString *out)
{
  g_string_append_printf (out, "Condition %s\nObservation %s %s", record->condition, record->test,
                          rsp_observation_name (record->observation));
  format_count (" ", record->positive, out);
  format_count (" ", record->negative, out);
  g_string_append_c (out, '\n');
}

void
rsp_log_format (const RspRecord *record, gboolean scope_hash, GString *out)
{
  if (!record->kind)
    return;
  if (record->is_device)
    {
      log_format_device (record, out);
      return;
    }
  g_string_append_printf (out, "Test %s %s\n", record->test, record->kind);
  if (rsp_record_is_ok (record))
    {
      format_answer (record, out);
      format_question (record, out);
      g_string_append_printf (out, "Hash=%s\n", record->hash);
      if (scope_hash && record->scope_hash)
        g_string_append_printf (out, "ScopeHash=%s\n", record->scope_hash);
    }
  else
    g_string_append_printf (out, "%s\n", record->reason);
  g_string_append_c (out, '\n');
}
