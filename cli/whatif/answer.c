#include "cli/whatif/answer.h"
#include "api/run/run.h"
#include "base/json.h"
#include "cli/base/stream.h"

RspRecord *cli_answer (const RspProgram *program, const char *path, const RspModel *model,
                       const CliColumn *column, gboolean evidence, RspDiagnostics *diagnostics) {
  RspRecord *record = rsp_run_begin (program, path, column->label, "it was not checked");
  RspRunOptions options = { .check = column->check, .evidence = evidence };
  options.check.skipped_checks = (const char *const *) column->skipped->pdata;
  options.check.jobs = 1;
  options.check.speedcheck
      = RSPCHECK_SPEED_EXACT; /* answers are compared by all states and flags */
  rsp_run (program, model, &options, record, diagnostics);
  return record;
}

/* ---- JSON ---- */

static JsonNode *answer_node (const RspRecord *record) {
  gboolean ok = rsp_record_is_ok (record);
  JsonObject *object = json_object_new ();
  rsp_json_set_text (object, "observation", ok ? rsp_change_observation (record) : NULL);
  rsp_json_set_text (object, "reason", ok ? NULL : record->reason);
  json_object_set_boolean_member (object, "loop", record->loop);
  json_object_set_boolean_member (object, "undefined", rsp_record_is_undefined (record));
  json_object_set_int_member (object, "states", record->states->len);
  json_object_set_member (object, "flags", rsp_json_texts (record->flags));
  return rsp_json_members (object);
}

void cli_answer_set_change (JsonObject *object, const RspChange *change) {
  json_object_set_member (object, "before", answer_node (change->before));
  json_object_set_member (object, "after", answer_node (change->after));
  json_object_set_member (object, "gained", rsp_json_texts (change->gained));
  json_object_set_member (object, "lost", rsp_json_texts (change->lost));
}

gboolean cli_answer_write_json (JsonObject *object) {
  g_autoptr (GString) out = g_string_new (NULL);
  rsp_json_append_object (object, out);
  return cli_write (out);
}
