/* A test: read, checked with both engines under one of three models; its log and its record as JSON
 * are read back. */
#include "api/api.h"
#include "report/report.h"
#include "tests/fuzz/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RspSource *source_of (const GString *text) {
  return rsp_source_new ("written", g_strndup (text->str, text->len), text->len);
}

static void require_same (const char *what, const GString *written, const GString *again) {
  if (g_string_equal (written, again))
    return;
  fprintf (stderr, "%s differs once it was read back:\n%s\nagain:\n%s\n", what, written->str,
           again->str);
  abort ();
}

/* A comparison with the log must find no difference. */
static void read_log_back (const RspRecord *record) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GString) written = g_string_new (NULL);
  rsp_log_format (record, FALSE, written);
  RspSource *source = source_of (written);
  g_autoptr (GPtrArray) entries = rsp_log_read (source, record->model, diagnostics);
  const RspRecord *again = entries->len == 1 ? ((RspLogEntry *) entries->pdata[0])->record : NULL;
  if (!again || rsp_diagnostics_count (diagnostics) || rsp_records_differ (record, again)
      || record->positive != again->positive || record->negative != again->negative) {
    fprintf (stderr, "the log differs once it is read back:\n%s\n", written->str);
    abort ();
  }
  rsp_source_unref (source);
}

static void read_json_back (const RspRecord *record) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GString) written = g_string_new (NULL);
  g_autoptr (GString) again = g_string_new (NULL);
  rsp_json_format (record, written);
  RspSource *source = source_of (written);
  g_autoptr (GArray) lines = fuzz_json_lines_new ();
  rsp_json_read (source, lines, NULL, diagnostics);
  for (guint i = 0; i < lines->len; i++)
    rsp_json_format (g_array_index (lines, RspJsonLine, i).record, again);
  require_same ("the record", written, again);
  rsp_source_unref (source);
}

static void read_back (const RspProgram *program, const RspModel *model) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  RspRunOptions options = { .most_shown = 1 };
  fuzz_check_options (&options.check);
  g_autoptr (RspRecord) record = rsp_run_begin (program, "fuzz", "model", "not run");
  if (rsp_run (program, model, &options, record, diagnostics) != RSPCHECK_STOP_COMPLETE)
    return;
  if (record->status
      == RSP_STATUS_OK) /* the log of a test without a verdict has no more than that */
    read_log_back (record);
  read_json_back (record);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  static const char *const models[] = { "opencl_rem.cat", "opencl_total.cat", "rc11.cat" };
  RspSource *source = fuzz_source (data, size);
  if (!source)
    return -1;
  RspProgram *program = fuzz_program (source);
  const RspModel *model = fuzz_model (models[size % G_N_ELEMENTS (models)]);
  if (program) {
    fuzz_compare (program, model);
    read_back (program, model);
  }
  rsp_program_free (program);
  rsp_source_unref (source);
  return 0;
}
