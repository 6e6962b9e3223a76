#include "cli/layout/layout.h"
#include "cli/base/status.h"
#include "cli/base/stream.h"
#include "parser/layout.h"

#include <string.h>

/* A file that is laid out already is not touched. FALSE after an error. */
static gboolean lay_out (const CliOptions *options, const char *path, RspDiagnostics *diagnostics) {
  g_autoptr (RspSource) source = rsp_source_load (path, RSP_NOWHERE, diagnostics);
  if (!source)
    return FALSE;
  g_autofree char *text = rsp_layout (source, diagnostics);
  g_autoptr (GString) out = g_string_new (text);
  gboolean good = text != NULL;
  if (good && !options->may_write)
    good = cli_write (out);
  else if (good && strcmp (text, source->text) != 0)
    good = cli_write_file (path, out);
  return good;
}

int cli_layout_run (const CliOptions *options, RspDiagnostics *diagnostics) {
  gboolean good = options->inputs->len > 0;
  if (!good)
    rsp_error (diagnostics, RSP_NOWHERE, "`rspcheck -format M.cat T.litmus`", "no file given");
  for (guint i = 0; i < options->inputs->len; i++)
    good = lay_out (options, options->inputs->pdata[i], diagnostics) && good;
  cli_print_diagnostics (diagnostics, options->quiet);
  return good ? CLI_STATUS_OK : options->inputs->len ? CLI_STATUS_UNFINISHED : CLI_STATUS_USAGE;
}
