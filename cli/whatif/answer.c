#include "cli/whatif/answer.h"
#include "api/run.h"
#include "base/json.h"
#include "cli/base/stream.h"

RspRecord *
cli_answer (const RspProgram *program, const char *path, const RspModel *model,
            const CliColumn *column, gboolean evidence, RspDiagnostics *diagnostics)
{
  RspRecord *record = rsp_run_begin (program, path, column->label, "it was not checked");
  RspRunOptions options = { .check = column->check, .evidence = evidence };
  options.check.skipped_checks = (const char *const *) column->skipped->pdata;
  options.check.jobs = 1;
  rsp_run (program, model, &options, record, diagnostics);
  return record;
}

/* ---- JSON ---- */

static void
add_list (JsonBuilder *builder, const char *name, const GPtrArray *texts)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < texts->len; i++)
    json_builder_add_string_value (builder, texts->pdata[i]);
  json_builder_end_array (builder);
}

static void
add_answer (JsonBuilder *builder, const char *name, const RspRecord *record)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
  rsp_json_add_text (builder, "observation",
                     rsp_record_is_ok (record) ? rsp_change_observation (record) : NULL);
  rsp_json_add_text (builder, "reason", rsp_record_is_ok (record) ? NULL : record->reason);
  json_builder_set_member_name (builder, "loop");
  json_builder_add_boolean_value (builder, record->loop);
  json_builder_set_member_name (builder, "states");
  json_builder_add_int_value (builder, record->states->len);
  add_list (builder, "flags", record->flags);
  json_builder_end_object (builder);
}

void
cli_answer_add_change (JsonBuilder *builder, const RspChange *change)
{
  add_answer (builder, "before", change->before);
  add_answer (builder, "after", change->after);
  add_list (builder, "gained", change->gained);
  add_list (builder, "lost", change->lost);
}

gboolean
cli_answer_write_json (JsonBuilder *builder)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autoptr (GString) out = g_string_new (NULL);
  rsp_json_append_line (root, out);
  return cli_write (out);
}
