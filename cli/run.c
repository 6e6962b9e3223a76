#include "cli/run.h"
#include "cli/compared.h"
#include "cli/inputs.h"
#include "cli/job.h"
#include "cli/report.h"
#include "cli/stream.h"
#include "cli/workers.h"

typedef struct Run
{
  CliJobs jobs;
  RspDiagnostics *diagnostics;
  CliReport *report;
  CliCompared *compared;
  int status;
} Run;

static const RspSpan nowhere = { NULL, 0, 0 };

/* Prints what there is to say; an error among it makes the run unfinished. */
static void
tell (Run *run, RspDiagnostics *diagnostics)
{
  if (cli_tell (diagnostics, run->jobs.options->quiet))
    run->status = CLI_STATUS_UNFINISHED;
}

/* ---- Results, in order ---- */

/* FALSE when the output cannot be written. */
static gboolean
take_cell (Run *run, CliCell *cell)
{
  if (cell->model)
    {
      cli_models_tell (run->jobs.models, cell->model, run->diagnostics);
      tell (run, run->diagnostics);
    }
  if (!rsp_record_is_ok (cell->record))
    run->status = CLI_STATUS_UNFINISHED;
  gboolean written = cli_report_take (run->report, g_steal_pointer (&cell->record));
  tell (run, cell->said);
  return written;
}

/* Takes the records, which come from logs. */
static gboolean
take_records (Run *run, GPtrArray *records)
{
  gboolean written = TRUE;
  tell (run, run->diagnostics);
  for (guint i = 0; records && i < records->len && written; i++)
    written = cli_report_take (run->report, g_steal_pointer (&records->pdata[i]));
  return written;
}

static gboolean
take_logs (Run *run)
{
  gboolean written = TRUE;
  for (guint i = 0; i < cli_compared_n_tests (run->compared) && written; i++)
    {
      g_autoptr (GPtrArray) row = cli_compared_row (run->compared, i, run->diagnostics);
      written = take_records (run, row);
    }
  return written;
}

static gboolean
take (gpointer data, guint i, gpointer made)
{
  Run *run = data;
  CliResult *result = made;
  gboolean written = TRUE;
  (void) i;
  g_autoptr (GPtrArray) beside = NULL;
  tell (run, result->said);
  if (result->n_cells)
    beside = cli_compared_beside (run->compared, result->cells[0].record, run->diagnostics);
  for (guint k = 0; k < result->n_cells && written; k++)
    written = take_cell (run, &result->cells[k]);
  written = written && take_records (run, beside);
  cli_result_free (result);
  return written;
}

static gpointer
make (gpointer data, guint i)
{
  Run *run = data;
  return cli_job_run (&run->jobs, i);
}

static void
drop (gpointer result)
{
  cli_result_free (result);
}

/* ---- The run ---- */

/* Threads work on several tests at a time, or all on the only one. */
static void
prepare_check (CliOptions *options, guint n_tests)
{
  if (options->jobs == 0)
    options->jobs = g_get_num_processors ();
  options->check.jobs = n_tests == 1 ? options->jobs : 1;
}

static void
run_tests (Run *run)
{
  CliWork work = { .make = make, .take = take, .drop = drop, .data = run };
  if (!cli_report_begin (run->report)
      || !cli_workers_run (&work, run->jobs.options->jobs, run->jobs.paths->len)
      || (run->jobs.options->inputs->len == 0 && !take_logs (run)) || !cli_report_end (run->report))
    run->status = CLI_STATUS_UNFINISHED;
  else
    {
      cli_compared_report_left (run->compared, run->diagnostics);
      cli_selection_report_missing (run->jobs.selection, run->diagnostics);
      cli_models_report_unknown (run->jobs.models, run->diagnostics);
    }
  tell (run, run->diagnostics);
}

int
cli_run (CliOptions *options, RspDiagnostics *diagnostics)
{
  g_autoptr (CliSelection) selection = cli_selection_new (options, diagnostics);
  g_autoptr (GPtrArray) paths = NULL;
  g_autoptr (CliColumns) columns = NULL;
  g_autoptr (CliExpectations) expectations = NULL;
  g_autoptr (CliReport) report = NULL;
  if (selection)
    {
      paths = cli_inputs_expand (options->inputs, diagnostics);
      prepare_check (options, paths->len);
      columns = cli_columns_new (options, diagnostics);
    }
  if (columns && options->expect)
    expectations = cli_expectations_new (options, columns, selection, paths, diagnostics);
  if (columns)
    report = cli_report_new (options, expectations, diagnostics);
  if (!report)
    {
      cli_tell (diagnostics, FALSE);
      return CLI_STATUS_USAGE;
    }
  if (!options->init_writes)
    rsp_warning (diagnostics, nowhere, NULL,
                 "`-initwrites false` has no effect: initial writes are always events");
  g_autoptr (CliCompared) compared = cli_compared_new (options, columns, selection, diagnostics);
  g_autoptr (CliModels) models = cli_models_new (options);
  Run run = { .jobs = { .options = options,
                        .models = models,
                        .selection = selection,
                        .paths = paths,
                        .columns = columns,
                        .expectations = expectations },
              .report = report,
              .compared = compared,
              .diagnostics = diagnostics };
  if (options->verbose)
    rsp_note (diagnostics, nowhere, "rspcheck " RSP_VERSION " %s", options->command);
  tell (&run, diagnostics);
  run_tests (&run);
  return run.status == CLI_STATUS_OK && cli_report_differs (report) ? CLI_STATUS_DIFFERENT
                                                                    : run.status;
}
