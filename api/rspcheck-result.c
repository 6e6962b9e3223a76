#include "rspcheck-result.h"
#include "api/handle.h"
#include "report/explain/text.h"
#include "report/json/json.h"
#include "report/log/log.h"
#include "report/log/state.h"

#include <string.h>

/* ---- Checking ---- */

static void translate_options (const RspcheckOptions *options, RspRunOptions *run) {
  rsp_check_options_init (&run->check);
  run->check.attribute = TRUE; /* for rspcheck_result_json */
  if (!options)
    return;
  run->evidence = options->evidence;
  run->check.engine = options->engine;
  run->check.through = options->through;
  run->check.speedcheck = options->speed;
  run->check.unroll = options->unroll;
  run->check.cas_writeback = options->cas_writeback;
  run->check.no_thin_air = options->no_thin_air;
  run->check.spin = options->spin;
  run->check.outcome_reads = options->outcome_reads;
  run->check.timeout = options->timeout;
  run->check.max_executions = options->max_executions;
  run->check.max_memory = options->max_memory;
  run->check.jobs = options->jobs;
  run->check.skipped_checks = options->skipped_checks;
}

/* The record's evidence as events. */
static GArray *flag_events (const RspRecord *record) {
  GArray *events = g_array_new (FALSE, FALSE, sizeof (RspViewEvent));
  for (guint i = 0; i < record->evidence->len; i++) {
    const RspRecordEvent *event = &g_array_index (record->evidence, RspRecordEvent, i);
    RspViewEvent view
        = { .thread = event->thread == RSP_NO_THREAD ? RSP_VIEW_INITIAL : event->thread,
            .line = event->line,
            .column = event->column,
            .source = event->text };
    g_array_append_val (events, view);
  }
  return events;
}

static RspcheckResult *run (const RspcheckTest *test, const RspcheckModel *model,
                            const RspcheckOptions *options, RspRunOptions *run, GString *messages) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspcheckResult *result = g_new0 (RspcheckResult, 1);
  g_atomic_ref_count_init (&result->references);
  translate_options (options, run);
  result->record
      = rsp_run_begin (test->program, test->program->source->name, model->model->name, NULL);
  result->record->model_digest = g_strdup (model->model->digest);
  result->record->options
      = rsp_run_options_format (run, (const char *const *) model->model->variants);
  result->stop = rsp_run (test->program, model->model, run, result->record, diagnostics);
  result->flags = g_ptr_array_copy (result->record->flags, NULL, NULL);
  g_ptr_array_add (result->flags, NULL);
  result->flag_events = flag_events (result->record);
  api_append_messages (diagnostics, messages);
  return result;
}

RspcheckResult *rspcheck_check (const RspcheckTest *test, const RspcheckModel *model,
                                const RspcheckOptions *options, GString *messages) {
  g_return_val_if_fail (test != NULL && model != NULL, NULL);
  if (options && !api_options_are_valid (options))
    return NULL;
  return run (test, model, options, &(RspRunOptions){ 0 }, messages);
}

RspcheckResult *rspcheck_explain (const RspcheckTest *test, const RspcheckModel *model,
                                  const RspcheckOptions *options, const char *const *outcomes,
                                  GString *messages) {
  g_return_val_if_fail (test != NULL && model != NULL, NULL);
  if (options && !api_options_are_valid (options))
    return NULL;
  RspRunOptions explaining = { .explain = TRUE, .outcomes = outcomes };
  return run (test, model, options, &explaining, messages);
}

RspcheckResult *rspcheck_show (const RspcheckTest *test, const RspcheckModel *model,
                               const RspcheckOptions *options, RspcheckShow show, guint most,
                               GString *messages) {
  g_return_val_if_fail (test != NULL && model != NULL, NULL);
  g_return_val_if_fail ((guint) show <= RSPCHECK_SHOW_FLAG, NULL);
  if (options && !api_options_are_valid (options))
    return NULL;
  RspRunOptions showing = { .show = show, .most_shown = most };
  return run (test, model, options, &showing, messages);
}

/* ---- The answer ---- */

#define RESULT_FIELD(what, Result, otherwise, expression)                                          \
  API_FIELD (RspcheckResult, rspcheck_result, what, Result, otherwise, expression)

RESULT_FIELD (stop, RspcheckStop, RSPCHECK_STOP_ERROR, self->stop)
RESULT_FIELD (reason, const char *, NULL, self->record->reason)
RESULT_FIELD (ok, gboolean, FALSE, self->record->answer)
RESULT_FIELD (observation, RspcheckObservation, RSPCHECK_NEVER, self->record->observation)
RESULT_FIELD (is_bounded, gboolean, FALSE, self->record->loop)
RESULT_FIELD (is_undefined, gboolean, FALSE, rsp_record_is_undefined (self->record))
RESULT_FIELD (seconds, double, 0, self->record->seconds)

static guint64 clamp_count (RspCount count) {
  return count > G_MAXUINT64 ? G_MAXUINT64 : (guint64) count;
}

void rspcheck_result_counts (const RspcheckResult *result, guint64 *positive, guint64 *negative,
                             guint64 *undefined) {
  g_return_if_fail (result != NULL);
  if (positive)
    *positive = clamp_count (result->record->positive);
  if (negative)
    *negative = clamp_count (result->record->negative);
  if (undefined)
    *undefined = clamp_count (result->record->n_undefined);
}

RESULT_FIELD (n_undetermined, guint64, 0, clamp_count (self->record->undetermined))

/* ---- Flags ---- */

RESULT_FIELD (flags, const char *const *, NULL, (const char *const *) self->flags->pdata)

/* Event number i of the flag, or NULL if it has fewer; *n, unless n is NULL, is how many it has. */
static const RspViewEvent *find_flag_event (const RspcheckResult *result, const char *flag, guint i,
                                            guint *n) {
  const RspViewEvent *found = NULL;
  guint seen = 0;
  for (guint k = 0; k < result->flag_events->len; k++)
    if (g_str_equal (g_array_index (result->record->evidence, RspRecordEvent, k).flag, flag)
        && seen++ == i)
      found = &g_array_index (result->flag_events, RspViewEvent, k);
  *n = seen;
  return found;
}

guint rspcheck_result_n_flag_events (const RspcheckResult *result, const char *flag) {
  guint n;
  g_return_val_if_fail (result != NULL && flag != NULL, 0);
  find_flag_event (result, flag, 0, &n);
  return n;
}

RspcheckEvent *rspcheck_result_flag_event (const RspcheckResult *result, const char *flag,
                                           guint i) {
  guint n;
  g_return_val_if_fail (result != NULL && flag != NULL, NULL);
  const RspViewEvent *event = find_flag_event (result, flag, i, &n);
  g_return_val_if_fail (i < n, NULL);
  return api_handle_new (result, event);
}

/* ---- Final states ---- */

RESULT_FIELD (n_states, guint, 0, self->record->states->len)

#define STATE_FIELD(what, Result, otherwise, expression)                                           \
  Result rspcheck_result_state##what (const RspcheckResult *self, guint i) {                       \
    g_return_val_if_fail (self != NULL && i < self->record->states->len, otherwise);               \
    const RspRecordState *state = rsp_record_state (self->record, i);                              \
    return expression;                                                                             \
  }

static char **state_part (const RspRecordState *state, gsize offset) {
  GPtrArray *parts = g_ptr_array_new ();
  g_autoptr (GArray) bindings = rsp_log_state_parse (state->text, strlen (state->text));
  for (guint i = 0; bindings && i < bindings->len; i++) {
    gpointer binding = &g_array_index (bindings, RspLogBinding, i);
    g_ptr_array_add (parts, g_strdup (G_STRUCT_MEMBER (char *, binding, offset)));
  }
  g_ptr_array_add (parts, NULL);
  return (char **) g_ptr_array_free (parts, FALSE);
}

STATE_FIELD (, char *, NULL, g_strdup (state->text))
STATE_FIELD (_names, char **, NULL, state_part (state, G_STRUCT_OFFSET (RspLogBinding, name)))
STATE_FIELD (_values, char **, NULL, state_part (state, G_STRUCT_OFFSET (RspLogBinding, value)))
STATE_FIELD (_satisfies, gboolean, FALSE, state->satisfies)
STATE_FIELD (_is_undetermined, gboolean, FALSE, state->undetermined)
STATE_FIELD (_executions, guint64, 0, clamp_count (state->executions))
STATE_FIELD (_undefined, guint64, 0, clamp_count (state->n_undefined))

/* ---- Explanations and executions ---- */

#define N_EXPLAINED(what) (self->record->explanations ? self->record->explanations->n_##what : 0)

API_PARTS_OF (RspcheckResult, rspcheck_result, n_explanations, N_EXPLAINED (outcomes), explanation,
              RspcheckExplanation, self, &self->record->explanations->outcomes[i])
API_PARTS_OF (RspcheckResult, rspcheck_result, n_flag_reasons, N_EXPLAINED (flags), flag_reason,
              RspcheckFlagReason, self, &self->record->explanations->flags[i])
API_PARTS_OF (RspcheckResult, rspcheck_result, n_executions, self->record->shown->len, execution,
              RspcheckExecution, self, self->record->shown->pdata[i])

/* ---- As text ---- */

char *rspcheck_result_log (const RspcheckResult *result, gboolean scope_hash) {
  g_return_val_if_fail (result != NULL, NULL);
  GString *log = g_string_new (NULL);
  rsp_log_format (result->record, scope_hash, log);
  return g_string_free (log, FALSE);
}

char *rspcheck_result_json (const RspcheckResult *result) {
  g_return_val_if_fail (result != NULL, NULL);
  GString *line = g_string_new (NULL);
  rsp_json_format (result->record, line);
  return g_strchomp (g_string_free (line, FALSE));
}

char *rspcheck_result_explanation_text (const RspcheckResult *result) {
  g_return_val_if_fail (result != NULL, NULL);
  GString *text = g_string_new (NULL);
  if (result->record->explanations)
    rsp_explanations_format (result->record->explanations, FALSE, text);
  return g_string_free (text, FALSE);
}
