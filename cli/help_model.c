#include "cli/help.h"
#include "cli/models.h"
#include "cli/run.h"
#include "cli/stream.h"
#include "report/model_help.h"

#define DEFAULT_MODEL "opencl_rem.cat"

int
cli_help_models (CliOptions *options, RspDiagnostics *diagnostics)
{
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = options->models->len, failed = 0;
  for (guint i = 0; i < MAX (n, 1); i++)
    {
      const char *name = n ? options->models->pdata[i] : DEFAULT_MODEL;
      CliModel *found = cli_models_get (models, name, "");
      const RspModel *model = found->model;
      cli_models_tell (models, found, diagnostics);
      if (text->len)
        g_string_append_c (text, '\n');
      if (model)
        rsp_model_format_help (model, text);
      else
        failed++;
    }
  cli_tell (diagnostics, FALSE);
  return cli_write (text) && !failed ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}
