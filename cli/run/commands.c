#include "cli/run/commands.h"

#include "machine/dsom/check.h"
#include "parser/dsom/parse.h"

static const RspSpan nowhere = { NULL, 0, 0 };

/* Only the machine dsom can run it, and no other machine or model. */
static gboolean
is_for_dsom (const CliOptions *options)
{
  return !options->models->len && (!options->machine || g_str_equal (options->machine, "dsom"));
}

static GPtrArray *
choose_columns (const CliJobs *jobs, guint i, const RspDsomProgram *program, CliResult *result)
{
  const CliTest test = { program->name, program->source, jobs->columns->dsom };
  if (jobs->expectations)
    return cli_expectations_columns (jobs->expectations, jobs->paths->pdata[i], &test,
                                     result->diagnostics);
  return g_ptr_array_ref (jobs->columns->dsom);
}

/* The parts of a record besides the results: -resume reuses only records in which they are the
 * same. */
static void
note_extras (const CliOptions *options, RspRecord *record)
{
  char *described = g_strdup_printf ("%s%s%s", record->options, options->verbose ? " traces" : "",
                                     options->cost ? " cost" : "");
  g_free (record->options);
  record->options = described;
}

static void
run_cell (const CliJobs *jobs, const RspDsomProgram *program, const CliColumn *column,
          CliCell *cell)
{
  const CliOptions *options = jobs->options;
  const RspDsomOptions dsom = { .config = column->dsom,
                                .max_states = options->max_states,
                                .timeout = options->check.timeout,
                                .max_memory = options->check.max_memory,
                                .traces = options->verbose > 0,
                                .cost = options->cost };
  if (!column->is_dsom)
    {
      rsp_error (cell->diagnostics, nowhere, NULL, "test %s: `%s` cannot run a program of commands",
                 program->name, column->label);
      return;
    }
  note_extras (options, cell->record);
  rsp_dsom_describe (program, &dsom, cell->record);
  if (cli_job_take_over (jobs, cell))
    return;
  rsp_dsom_check (program, &dsom, cell->record, cell->diagnostics);
  if (jobs->resume)
    cli_resume_add (jobs->resume, cell->record);
}

static void
run (const CliJobs *jobs, guint i, RspDsomProgram *program, CliResult *result)
{
  const CliKind *kind = cli_selection_kind (jobs->selection, program->name);
  if (cli_selection_question (jobs->selection, program->name).source)
    rsp_warning (result->diagnostics, nowhere, NULL,
                 "test %s keeps its condition: -conds has no effect on programs of commands",
                 program->name);
  if (kind && !jobs->options->expect)
    program->quantifier = kind->quantifier;
  g_autoptr (GPtrArray) columns = choose_columns (jobs, i, program, result);
  cli_result_begin (result, columns);
  for (guint k = 0; k < result->n_cells; k++)
    {
      CliCell *cell = &result->cells[k];
      cell->diagnostics = rsp_diagnostics_new ();
      cell->record
          = cli_job_begin_record (jobs, i, k, program->name, columns, "the machine cannot run it");
      run_cell (jobs, program, columns->pdata[k], cell);
      if (k > 0) /* a race is one whatever the strategy */
        rsp_diagnostics_drop (cell->diagnostics, RSP_NOTE);
    }
}

void
cli_commands_run (const CliJobs *jobs, guint i, RspSource *source, CliResult *result)
{
  result->left_out = !is_for_dsom (jobs->options);
  if (result->left_out)
    return;
  g_autoptr (RspDsomProgram) program = rsp_dsom_parse (source, result->diagnostics);
  if (program)
    result->selected = cli_selection_includes (jobs->selection, program->name);
  if (program && result->selected)
    run (jobs, i, program, result);
}
