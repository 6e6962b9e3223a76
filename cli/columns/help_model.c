/* -help-model. */
#include "cli/columns/help_model.h"
#include "cli/columns/models.h"
#include "cli/base/status.h"
#include "cli/base/stream.h"
#include "report/model_help.h"

int
cli_help_models (CliOptions *options, RspDiagnostics *diagnostics)
{
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  guint failed = 0;
  if (!columns)
    {
      cli_print_diagnostics (diagnostics, FALSE);
      return CLI_STATUS_USAGE;
    }
  const GPtrArray *list = cli_columns_for (columns, RSP_DIALECT_OPENCL);
  for (guint i = 0; i < list->len; i++)
    {
      CliModel *found = cli_models_get (models, list->pdata[i], "");
      const RspModel *model = found->model;
      cli_models_report (models, found, diagnostics);
      if (text->len)
        g_string_append_c (text, '\n');
      if (model)
        rsp_model_format_help (model, text);
      else
        failed++;
    }
  cli_print_diagnostics (diagnostics, FALSE);
  return cli_write (text) && !failed ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}
