#include "report/tables/soundness.h"

#include "report/record.h"

#include <string.h>

const char *const rsp_soundness_names[]
    = { "unjudged", "sound", "unsound", "vacuous", "bounded", NULL };

gboolean rsp_soundness_allows (const RspRecord *model, const char *state) {
  for (guint i = 0; i < model->states->len; i++)
    if (strcmp (rsp_record_state (model, i)->text, state) == 0)
      return TRUE;
  return FALSE;
}

/* One a line; NULL if there are none. */
static char *find_unsound (const RspRecord *record, const RspRecord *model) {
  GString *unsound = g_string_new (NULL);
  gboolean any = FALSE;
  for (guint i = 0; i < record->states->len; i++) {
    const char *state = rsp_record_state (record, i)->text;
    if (rsp_soundness_allows (model, state))
      continue;
    g_string_append_printf (unsound, "%s%s", any ? "\n" : "", state);
    any = TRUE;
  }
  return g_string_free (unsound, !any);
}

void rsp_soundness_judge (RspRecord *record, const RspRecord *model) {
  RspMachineReport *report = &record->machine;
  report->allowed_by = g_strdup (model->model);
  report->verdict = RSP_UNJUDGED;
  if (!rsp_record_is_ok (model) || record->status == RSP_STATUS_ERROR)
    return;
  if (rsp_record_is_undefined (model) || report->no_execution) {
    report->verdict = RSP_VACUOUS;
    return;
  }
  report->unsound = find_unsound (record, model);
  gboolean bounded = !rsp_record_is_ok (record) || record->loop || model->loop;
  report->verdict = report->unsound ? RSP_UNSOUND : bounded ? RSP_BOUNDED : RSP_SOUND;
}

/* "0:r0=1; is not allowed", "… and 2 more are not" */
static void append_unsound (const RspMachineReport *report, GString *out) {
  g_auto (GStrv) states = g_strsplit (report->unsound, "\n", -1);
  guint n = g_strv_length (states);
  g_string_append_printf (out, "%s is not allowed", n ? states[0] : "a state");
  if (n > 1)
    g_string_append_printf (out, " (nor are %u more)", n - 1);
}

void rsp_soundness_format (const RspRecord *record, GString *out) {
  const RspMachineReport *report = &record->machine;
  switch (report->verdict) {
  case RSP_SOUND:
    g_string_append_printf (out, "Sound %s\n", record->test);
    break;
  case RSP_UNSOUND:
    g_string_append_printf (out, "Unsound %s: ", record->test);
    append_unsound (report, out);
    g_string_append_c (out, '\n');
    break;
  case RSP_VACUOUS:
    g_string_append_printf (out, "Vacuous %s: %s under the model\n", record->test,
                            report->no_execution ? "no execution" : "racy");
    break;
  case RSP_BOUNDED:
    g_string_append_printf (out, "Bounded %s: %s\n", record->test,
                            record->reason ? record->reason : "a loop was cut");
    break;
  default:
    break;
  }
  if (report->deadlock)
    g_string_append_printf (out, "Deadlock %s\n", record->test);
  if (report->violated)
    g_string_append_printf (out, "Invariant %s: %s fails\n", record->test, report->violated);
}
