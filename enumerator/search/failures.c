#include "enumerator/search/failures.h"

gboolean check_has_reported (const Check *check, const RspPath *failed) {
  for (guint i = 0; i < check->failures->len; i++)
    if (g_array_index (check->failures, RspFailure, i).span.begin == failed->end_span.begin)
      return TRUE;
  return FALSE;
}

/* A path on which the program fails is an error if some consistent execution takes it. */
void check_report_failed_path (Check *check, const RspPath *failed, guint thread) {
  if (check_has_reported (check, failed))
    return;
  RspFailure failure = { failed->end_span, failed->end_message, failed->end_address, thread };
  g_array_append_val (check->failures, failure);
  rsp_error (check->diagnostics, failed->end_span, NULL, "test %s: %s on some execution",
             check->program->name, failed->end_message);
}
