#include "report/record.h"
#include "report/log.h"

static void
free_state (gpointer data)
{
  RspRecordState *state = data;
  g_free (state->text);
  g_free (state->executions);
  g_free (state->bad);
  g_free (state);
}

RspRecord *
rsp_record_new (const char *test, const char *path, const char *model, const char *reason)
{
  RspRecord *record = g_new0 (RspRecord, 1);
  record->test = g_strdup (test);
  record->path = g_strdup (path);
  record->model = g_strdup (model);
  record->status = g_strdup ("error");
  record->reason = g_strdup (reason);
  record->version = g_strdup (RSP_VERSION);
  record->flags = g_ptr_array_new_with_free_func (g_free);
  record->states = g_ptr_array_new_with_free_func (free_state);
  return record;
}

void
rsp_record_free (RspRecord *record)
{
  if (!record)
    return;
  char *texts[] = { record->test,    record->path,        record->model,    record->model_digest,
                    record->options, record->version,     record->status,   record->reason,
                    record->kind,    record->condition,   record->positive, record->negative,
                    record->bad,     record->observation, record->hash,     record->scope_hash };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_free (texts[i]);
  g_ptr_array_unref (record->flags);
  g_ptr_array_unref (record->states);
  g_free (record);
}

static char *
count_text (RspCount count)
{
  GString *text = g_string_new (NULL);
  rsp_count_format (count, text);
  return g_string_free (text, FALSE);
}

static const char *
status_word (RspStop stop)
{
  switch (stop)
    {
    case RSP_STOP_COMPLETE:
    case RSP_STOP_FOUND:
      return "ok";
    case RSP_STOP_TIMEOUT:
      return "timeout";
    case RSP_STOP_EXECUTIONS:
      return "executions";
    case RSP_STOP_MEMORY:
      return "memory";
    default:
      return "error";
    }
}

static void
add_states (RspRecord *record, const RspOutcome *outcome)
{
  for (guint i = 0; i < outcome->n_states; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      rsp_log_format_state (outcome, i, text);
      RspRecordState *state = g_new0 (RspRecordState, 1);
      state->text = g_strdup (text->str);
      state->satisfies = outcome->states[i].satisfies;
      state->executions = count_text (outcome->states[i].executions);
      state->bad = count_text (outcome->states[i].bad);
      g_ptr_array_add (record->states, state);
    }
}

static void
add_answer (RspRecord *record, const RspOutcome *outcome, const RspVerdict *verdict)
{
  g_clear_pointer (&record->reason, g_free);
  record->observation = g_strdup (rsp_observation_name (verdict->observation));
  record->answer = verdict->ok;
  record->loop = verdict->loop;
  record->undefined = rsp_outcome_is_undefined (outcome);
  record->positive = count_text (outcome->positive);
  record->negative = count_text (outcome->negative);
  record->bad = count_text (outcome->bad);
  g_autofree const char **flags = rsp_outcome_flags (outcome);
  for (guint i = 0; flags[i]; i++)
    g_ptr_array_add (record->flags, g_strdup (flags[i]));
  add_states (record, outcome);
}

void
rsp_record_set_outcome (RspRecord *record, const RspOutcome *outcome,
                        const RspCheckOptions *options)
{
  g_auto (RspVerdict) verdict = { 0 };
  rsp_verdict_init (&verdict, outcome, options);
  g_free (record->status);
  record->status = g_strdup (status_word (outcome->stop));
  record->kind = g_strdup (rsp_quantifier_kind (outcome->program->quantifier));
  record->condition = rsp_program_format_condition (outcome->program);
  if (verdict.finished)
    add_answer (record, outcome, &verdict);
  else
    {
      g_free (record->reason);
      record->reason = g_strdup (verdict.reason);
    }
  const RspStatistics *statistics = &outcome->statistics;
  record->paths = statistics->paths;
  record->nodes = statistics->nodes;
  record->leaves = statistics->leaves;
}

gboolean
rsp_record_is_ok (const RspRecord *record)
{
  return g_str_equal (record->status, "ok");
}

char *
rsp_record_flags (const RspRecord *record)
{
  if (record->flags->len == 0)
    return g_strdup ("-");
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < record->flags->len; i++)
    g_string_append_printf (text, "%s%s", i ? "," : "", (const char *) record->flags->pdata[i]);
  return g_string_free (text, FALSE);
}

static void
append_words (GString *text, const char *what, const GPtrArray *words)
{
  for (guint i = 0; i < words->len && words->pdata[i]; i++)
    g_string_append_printf (text, " %s=%s", what, (const char *) words->pdata[i]);
}

char *
rsp_options_format (const RspCheckOptions *options, const GPtrArray *variants,
                    const GPtrArray *skipped)
{
  static const char *const engines[] = { "bounded", "naive" };
  static const char *const through[] = { "none", "invalid", "all" };
  static const char *const speeds[] = { "false", "true", "fast" };
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "unroll=%u engine=%s through=%s speedcheck=%s outcomereads=%s",
                          options->unroll, engines[options->engine], through[options->through],
                          speeds[options->speedcheck], options->outcome_reads ? "true" : "false");
  if (options->timeout > 0)
    g_string_append_printf (text, " timeout=%g", options->timeout);
  if (options->max_executions)
    g_string_append_printf (text, " max-executions=%" G_GUINT64_FORMAT, options->max_executions);
  if (options->max_memory)
    g_string_append_printf (text, " max-memory=%" G_GSIZE_FORMAT, options->max_memory);
  append_words (text, "variant", variants);
  append_words (text, "skipcheck", skipped);
  return g_string_free (text, FALSE);
}
