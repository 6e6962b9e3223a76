/* A command line, one argument per line: read, but not run. */
#include "cli/options.h"
#include "tests/fuzz/common.h"

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size) {
  RspSource *source = fuzz_source (data, size);
  if (!source)
    return -1;
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (CliOptions) options = cli_options_new ();
  g_auto (GStrv) arguments = g_strsplit (source->text, "\n", -1);
  gboolean accepted
      = cli_options_parse (options, (int) g_strv_length (arguments), arguments, diagnostics);
  fuzz_require_reason (accepted, diagnostics);
  rsp_source_unref (source);
  return 0;
}
