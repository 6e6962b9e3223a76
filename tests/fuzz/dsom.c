/* A program of commands: read, and run under a strategy, which the size decides; the record is
 * written as JSON. */
#include "extra/dsom/dsom.h"
#include "extra/dsom/program.h"
#include "report/report.h"
#include "tests/fuzz/common.h"

static void run (const RspDsomProgram *program, const char *strategy) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GString) line = g_string_new (NULL);
  g_autofree char *message = NULL;
  RspDsomOptions options = { .config = rsp_dsom_config_default (),
                             .max_states = 500,
                             .max_memory = 64 << 20,
                             .traces = TRUE,
                             .cost = TRUE };
  gboolean known = rsp_dsom_config_set_strategy (&options.config, strategy, &message);
  g_assert (known);
  g_autoptr (RspRecord) record = rsp_record_new (program->name, "fuzz", "dsom", "not run");
  rsp_dsom_describe (program, &options, record);
  rsp_dsom_check (program, &options, record, diagnostics);
  fuzz_require_reason (record->status != RSP_STATUS_ERROR, diagnostics);
  rsp_json_format (record, line);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  static const char *const strategies[] = { "lazy", "batch", "balance", "adaptive:1" };
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspSource *source = fuzz_source (data, size);
  if (!source)
    return -1;
  gboolean is_one = rsp_dsom_recognises (source);
  RspDsomProgram *program = rsp_dsom_parse (source, diagnostics);
  fuzz_require_reason (program != NULL, diagnostics);
  g_assert (!program || is_one);
  if (program)
    run (program, strategies[size % G_N_ELEMENTS (strategies)]);
  rsp_dsom_program_free (program);
  rsp_source_unref (source);
  return 0;
}
