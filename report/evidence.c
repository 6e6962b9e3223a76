/* Evidence in records: the events that show why flags are raised. */
#include "report/evidence.h"
#include "enumerator/search/evidence/evidence.h"
#include "report/explain/candidates_json.h"

void rsp_record_add_event (RspRecord *record, const RspRecordEvent *event) {
  RspRecordEvent own = *event;
  own.flag = g_string_chunk_insert_const (record->texts, event->flag);
  g_autofree char *valid = g_utf8_make_valid (event->text, -1);
  own.text = g_string_chunk_insert (record->texts, valid);
  g_array_append_val (record->evidence, own);
}

void rsp_record_set_evidence (RspRecord *record, const GPtrArray *evidence) {
  for (guint i = 0; i < evidence->len; i++) {
    const RspEvidence *of_flag = evidence->pdata[i];
    for (guint k = 0; k < of_flag->events->len; k++) {
      const RspEvidenceEvent *event = &g_array_index (of_flag->events, RspEvidenceEvent, k);
      guint thread = event->initial ? RSP_NO_THREAD : event->thread;
      rsp_record_add_event (record, &(RspRecordEvent){ of_flag->flag, thread, event->line,
                                                       event->column, event->text });
    }
  }
}

void rsp_record_set_explanations (RspRecord *record, RspExplanations *explanations) {
  record->explanations = explanations;
}

void rsp_record_set_candidates (RspRecord *record, const RspCandidateViews *candidates) {
  record->candidates = candidates_to_json (candidates, record->explanations);
}

enum {
  MOST_TEXT = 72 /* characters of an event shown on a line */
};

static void format_event (const RspRecordEvent *event, GString *out) {
  if (event->thread == RSP_NO_THREAD)
    g_string_append (out, "the initial state");
  else
    g_string_append_printf (out, "P%u", event->thread);
  if (event->line)
    g_string_append_printf (out, " line %u", event->line);
  if (g_utf8_strlen (event->text, -1) > MOST_TEXT) {
    g_autofree char *begin = g_utf8_substring (event->text, 0, MOST_TEXT - 1);
    g_string_append_printf (out, " `%s…`", begin);
  } else if (*event->text)
    g_string_append_printf (out, " `%s`", event->text);
}

void rsp_record_format_evidence (const RspRecord *record, const char *flag, GString *out) {
  g_autoptr (GPtrArray) events = g_ptr_array_new ();
  for (guint i = 0; i < record->evidence->len; i++) {
    RspRecordEvent *event = &g_array_index (record->evidence, RspRecordEvent, i);
    if (g_str_equal (event->flag, flag))
      g_ptr_array_add (events, event);
  }
  static const char *const before[] = { "", " at ", " between ", " on the cycle " };
  g_string_append (out, before[MIN (events->len, G_N_ELEMENTS (before) - 1)]);
  for (guint i = 0; i < events->len; i++) {
    if (i)
      g_string_append (out, events->len == 2 ? " and " : ", ");
    format_event (events->pdata[i], out);
  }
}
