#include "cli/run.h"
#include "cli/inputs.h"
#include "cli/job.h"
#include "cli/stream.h"
#include "cli/workers.h"
#include "report/compare.h"
#include "report/json.h"

#include <unistd.h>

typedef struct Run
{
  CliJobs jobs;
  RspDiagnostics *diagnostics;
  GPtrArray *records; /* those of a comparison, kept to the end */
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

/* Prints a record, or keeps it for the comparison. */
static gboolean
take_record (Run *run, CliCell *cell)
{
  const CliOptions *options = run->jobs.options;
  g_autoptr (GString) line = g_string_new (NULL);
  if (options->json)
    rsp_json_format (cell->record, line);
  else if (options->tsv)
    rsp_tsv_format (cell->record, line);
  else
    g_ptr_array_add (run->records, g_steal_pointer (&cell->record));
  return cli_write (line);
}

/* FALSE when the output cannot be written. */
static gboolean
take_cell (Run *run, CliCell *cell)
{
  if (cell->model)
    {
      cli_models_tell (run->jobs.models, cell->model, run->diagnostics);
      tell (run, run->diagnostics);
    }
  if (cell->log && !cli_write (cell->log))
    return FALSE;
  if (cell->record && !take_record (run, cell))
    return FALSE;
  if (!cell->finished)
    run->status = CLI_STATUS_UNFINISHED;
  tell (run, cell->said);
  return TRUE;
}

static gboolean
take (gpointer data, guint i, gpointer made)
{
  Run *run = data;
  CliResult *result = made;
  gboolean written = TRUE;
  (void) i;
  tell (run, result->said);
  for (guint k = 0; k < result->n_cells && written; k++)
    written = take_cell (run, &result->cells[k]);
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

/* Threads work on several tests at a time, or all on the only one. skipped has a place for each
 * skipped check and a NULL. */
static void
prepare_check (CliOptions *options, guint n_tests, const char **skipped)
{
  RspCheckOptions *check = &options->check;
  if (options->jobs == 0)
    options->jobs = g_get_num_processors ();
  check->jobs = n_tests == 1 ? options->jobs : 1;
  for (guint i = 0; i < options->variants->len; i++)
    check->cas_writeback |= g_str_equal (options->variants->pdata[i], "cas-writeback");
  check->stage.skipped_checks = skipped;
  for (guint i = 0; i < options->skipped_checks->len; i++)
    skipped[i] = options->skipped_checks->pdata[i];
}

static gboolean
wants_logs (const CliOptions *options)
{
  return options->models->len < 2 && !options->json && !options->tsv && !options->diff;
}

static gboolean
begin_report (const CliOptions *options)
{
  g_autoptr (GString) head = g_string_new (NULL);
  if (options->tsv)
    rsp_tsv_format_header (head);
  return cli_write (head);
}

static gboolean
end_report (Run *run)
{
  const CliOptions *options = run->jobs.options;
  g_autoptr (GString) table = g_string_new (NULL);
  RspTableStyle style
      = { .colour = cli_wants_colour (STDOUT_FILENO), .only_diff = options->diff > 0 };
  if (!run->jobs.logs && !options->json && !options->tsv)
    rsp_compare_format (run->records, &style, table);
  return cli_write (table);
}

static void
run_tests (Run *run)
{
  CliWork work = { .make = make, .take = take, .drop = drop, .data = run };
  if (!begin_report (run->jobs.options)
      || !cli_workers_run (&work, run->jobs.options->jobs, run->jobs.paths->len)
      || !end_report (run))
    run->status = CLI_STATUS_UNFINISHED;
  else
    {
      cli_selection_report_missing (run->jobs.selection, run->diagnostics);
      cli_models_report_unknown (run->jobs.models, run->diagnostics);
    }
  tell (run, run->diagnostics);
}

static gboolean
check_form (const CliOptions *options, RspDiagnostics *diagnostics)
{
  if (!!options->json + !!options->tsv + !!options->diff < 2)
    return TRUE;
  rsp_error (diagnostics, nowhere, NULL,
             "`-json`, `-tsv` and `-diff` are forms of one report: "
             "give only one of them");
  return FALSE;
}

int
cli_run (CliOptions *options, RspDiagnostics *diagnostics)
{
  g_autoptr (CliSelection) selection = cli_selection_new (options, diagnostics);
  if (!selection || !check_form (options, diagnostics))
    {
      cli_tell (diagnostics, FALSE);
      return CLI_STATUS_USAGE;
    }
  if (!options->init_writes)
    rsp_warning (diagnostics, nowhere, NULL,
                 "`-initwrites false` has no effect: initial writes are always events");
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (GPtrArray) paths = cli_inputs_expand (options->inputs, diagnostics);
  g_autofree const char **skipped = g_new0 (const char *, options->skipped_checks->len + 1);
  prepare_check (options, paths->len, skipped);
  g_autofree char *described
      = rsp_options_format (&options->check, options->variants, options->skipped_checks);
  g_autoptr (GPtrArray) records = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_record_free);
  Run run = { .jobs = { .options = options,
                        .models = models,
                        .selection = selection,
                        .paths = paths,
                        .logs = wants_logs (options),
                        .described = described },
              .records = records,
              .diagnostics = diagnostics };
  tell (&run, diagnostics);
  run_tests (&run);
  return run.status;
}
