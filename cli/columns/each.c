#include "cli/columns/each.h"
#include "cli/base/status.h"
#include "cli/base/stream.h"
#include "cli/columns/models.h"
#include "cli/select/inputs.h"
#include "parser/litmus/parse.h"

typedef struct Run {
  const CliOptions *options;
  const CliQuestion *question;
  const CliColumns *columns;
  CliModels *models;
  RspDiagnostics *diagnostics;
} Run;

static gboolean ask (const Run *run, const RspProgram *program, const char *path,
                     const CliColumn *column) {
  CliModel *found = cli_models_get (run->models, column, path);
  cli_models_report (run->models, found, run->diagnostics);
  return found->model
         && run->question->answer (run->question->data, program, path, column, found->model);
}

static gboolean ask_about (const Run *run, const char *path) {
  g_autoptr (RspDiagnostics) reading = rsp_diagnostics_new ();
  g_autoptr (RspProgram) program = cli_inputs_read (path, run->options->strict > 0, reading);
  const GPtrArray *list = program ? cli_columns_for (run->columns, program->language->id) : NULL;
  gboolean good = program != NULL;
  if (!program || !run->question->tells_warnings)
    rsp_diagnostics_move (run->diagnostics, reading);
  for (guint i = 0; list && i < list->len; i++)
    good &= ask (run, program, path, list->pdata[i]);
  cli_print_diagnostics (run->diagnostics, run->options->quiet);
  return good;
}

static int ask_all (const Run *run) {
  g_autoptr (GPtrArray) paths = cli_inputs_expand (run->options->inputs, run->diagnostics);
  gboolean good = cli_print_diagnostics (run->diagnostics, FALSE) == 0;
  if (!run->question->begin (run->question->data))
    return CLI_STATUS_UNFINISHED;
  for (guint i = 0; i < paths->len; i++)
    good &= ask_about (run, paths->pdata[i]);
  return good ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

int cli_ask_each (const CliOptions *options, const CliQuestion *question,
                  RspDiagnostics *diagnostics) {
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  Run run = { options, question, columns, models, diagnostics };
  if (options->inputs->len == 0)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-%s` needs a test", question->option);
  else if (columns)
    return ask_all (&run);
  cli_print_diagnostics (diagnostics, options->quiet);
  return CLI_STATUS_USAGE;
}
