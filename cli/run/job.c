#include "cli/run/job.h"
#include "cli/machine/cell.h"
#include "cli/machine/compile.h"
#include "cli/select/inputs.h"
#include "api/run/run.h"
#include "cli/run/notes.h"
#include "cli/run/watch.h"
#include "enumerator/search/prepare/path_cache.h"
#include "machine/dsom/check.h"
#include "parser/dsom/parse.h"
#include "parser/litmus/parse.h"
#include "report/tables/relate.h"

#include <string.h>

/* ---- Reading ---- */

/* Parses source if its test is selected, with the question that the selection has for it. */
static RspProgram *parse_selected (const CliJobs *jobs, RspSource *source, CliResult *result) {
  gboolean strict = jobs->options->strict > 0;
  g_autoptr (RspProgram) program = rsp_litmus_parse (source, strict, result->diagnostics);
  if (!program)
    return NULL;
  result->selected = cli_selection_includes (jobs->selection, program->name);
  if (!result->selected)
    return NULL;
  RspSpan question = cli_selection_question (jobs->selection, program->name);
  if (question.source) {
    rsp_diagnostics_truncate (result->diagnostics, 0);
    rsp_program_free (program);
    program = rsp_litmus_parse_with_question (source, question, strict, result->diagnostics);
  }
  if (program)
    cli_selection_set_kind (jobs->selection, program);
  return g_steal_pointer (&program);
}

/* NULL after an error. */
static RspSource *read_source (const char *path, CliResult *result) {
  g_autoptr (GError) error = NULL;
  RspSource *source = rsp_source_read (path, &error);
  if (!source) {
    g_autofree char *hint = cli_inputs_hint (path);
    rsp_error (result->diagnostics, RSP_NOWHERE, hint, "%s", error->message);
  }
  return source;
}

RspProgram *cli_job_read (const CliJobs *jobs, const char *path, CliResult *result) {
  g_autoptr (RspSource) source = read_source (path, result);
  if (!source)
    return NULL;
  return parse_selected (jobs, source, result);
}

/* ---- Results ---- */

/* Those of expectations, or else the defaults. For the caller to unref. */
static GPtrArray *choose_columns (const CliJobs *jobs, guint i, const char *test, RspSource *source,
                                  const GPtrArray *defaults, CliResult *result) {
  const CliTest what = { test, source, defaults };
  if (jobs->expectations)
    return cli_expectations_columns (jobs->expectations, jobs->paths->pdata[i], &what,
                                     result->diagnostics);
  return g_ptr_array_ref ((GPtrArray *) defaults);
}

/* Makes a cell, still empty, for each column. */
static void begin_result (CliResult *result, const GPtrArray *columns) {
  result->n_cells = columns->len;
  result->cells = g_new0 (CliCell, result->n_cells);
}

/* The record of a cell so far: an error, until there is an outcome. */
static RspRecord *begin_record (const CliJobs *jobs, guint i, guint k, const char *test,
                                const GPtrArray *columns, const char *reason) {
  const CliColumn *column = columns->pdata[k];
  RspRecord *record = rsp_record_new (test, jobs->paths->pdata[i], column->label, reason);
  record->index = i;
  record->total = jobs->paths->len;
  record->column = k;
  record->columns = columns->len;
  record->options = g_strdup (column->described);
  rsp_record_set_shard (record, jobs->options->shard.number, jobs->options->shard.of);
  return record;
}

/* Fills the cell from an earlier run (-resume), if its record is for the same question. FALSE if
 * there is none, or something has changed since. */
static gboolean take_over (const CliJobs *jobs, CliCell *cell) {
  if (!jobs->resume)
    return FALSE;
  RspRecord *found = cli_resume_find (jobs->resume, cell->record, &cell->stale);
  if (!found)
    return FALSE;
  rsp_record_free (cell->record);
  cell->record = found;
  return TRUE;
}

/* ---- One test under one model ---- */

/* Evidence is for reports that show it, and for records that are kept for any report. */
static gboolean shows_evidence (const CliOptions *options) {
  return options->json || options->diff || options->html || options->resume || options->verbose;
}

/* Checks the test under the model of cell k. timeout: in seconds; 0: none. */
static void check (const CliJobs *jobs, const RspProgram *program, const CliColumn *column,
                   double timeout, CliResult *result, guint k) {
  CliCell *cell = &result->cells[k];
  const RspModel *model = cell->model->model;
  const CliOptions *options = jobs->options;
  g_autofree const char **outcomes = g_new0 (const char *, options->outcomes->len + 1);
  for (guint i = 0; i < options->outcomes->len; i++)
    outcomes[i] = options->outcomes->pdata[i];
  RspRunOptions run = { .check = column->check,
                        .evidence = shows_evidence (options),
                        .explain = options->explain || options->outcomes->len,
                        .outcomes = outcomes,
                        .progress = (const RspProgress *) column->progress->data,
                        .n_progress = column->progress->len,
                        .candidates = options->html ? options->most_shown : 0,
                        .show = (RspcheckShow) options->show,
                        .most_shown = options->most_shown };
  run.check.timeout = timeout;
  run.check.path_cache = result->path_cache;
  run.check.attribute = options->json || options->resume || options->verbose;
  g_autoptr (GString) journal = options->verbose > 1 ? g_string_new (NULL) : NULL;
  run.check.journal = journal;
  rsp_run (program, model, &run, cell->record, cell->diagnostics);
  if (options->verbose)
    cli_note_search (cell, model, journal);
  if (!options->log_undefined && options->omitted_flag
      && rsp_record_has_flag (cell->record, options->omitted_flag))
    rsp_note (cell->diagnostics, RSP_NOWHERE, "%s: flag %s, so no log (-badexecs false)",
              program->name, options->omitted_flag);
}

static void begin_cell (const CliJobs *jobs, guint i, guint k, const RspProgram *program,
                        const GPtrArray *columns, CliResult *result) {
  CliCell *cell = &result->cells[k];
  cell->diagnostics = rsp_diagnostics_new ();
  cell->model = cli_models_get (jobs->models, columns->pdata[k], jobs->paths->pdata[i]);
  cell->record = begin_record (jobs, i, k, program->name, columns, "the model cannot be read");
  if (k > 0 && !jobs->resume) /* a record of an earlier run may have been made by another version */
    rsp_record_set_program_of (cell->record, result->cells[0].record);
  else
    rsp_record_set_program (cell->record, program);
  if (!cell->model->model)
    return;
  cell->record->model_digest = g_strdup (cell->model->model->digest);
  if (jobs->resume)
    rsp_record_set_question (cell->record, program);
}

/* For -watch: looks what is found within a time, tells it, and looks again for four times as long,
 * until the answer is there (TRUE), no states are after seconds, or the next look would take as
 * long as the check may. What explains an answer is not cut short. */
static gboolean look (const CliJobs *jobs, guint i, guint k, const RspProgram *program,
                      const GPtrArray *columns, CliResult *result) {
  const guint first = 60, more = 4; /* milliseconds, times */
  const CliColumn *column = columns->pdata[k];
  const CliOptions *options = jobs->options;
  CliCell *cell = &result->cells[k];
  double most = column->check.timeout > 0 ? column->check.timeout * 1000 : G_MAXUINT;
  if (!options->watch || options->explain || options->outcomes->len || column->progress->len)
    return FALSE;
  gboolean has_states = TRUE;
  for (guint64 wait = first; (has_states || wait < 2000) && wait < most / more; wait *= more) {
    check (jobs, program, column, wait / 1000.0, result, k);
    if (cell->record->status != RSP_STATUS_TIMEOUT)
      return TRUE;
    has_states = cell->record->states->len > 0;
    if (has_states)
      cli_watch_tell (options->watch, result, k + 1, TRUE);
    rsp_record_free (cell->record);
    rsp_diagnostics_free (cell->diagnostics);
    begin_cell (jobs, i, k, program, columns, result);
  }
  return FALSE;
}

static void run_cell (const CliJobs *jobs, guint i, guint k, const RspProgram *program,
                      const GPtrArray *columns, CliResult *result) {
  const CliColumn *column = columns->pdata[k];
  CliCell *cell = &result->cells[k];
  begin_cell (jobs, i, k, program, columns, result);
  if (cell->model->model) {
    if (take_over (jobs, cell))
      return;
    if (!look (jobs, i, k, program, columns, result))
      check (jobs, program, column, column->check.timeout, result, k);
  }
  if (jobs->resume)
    cli_resume_add (jobs->resume, cell->record);
}

/* ---- One test on a machine ---- */

/* The model's record of the test, made once for all mappings; NULL without -model on a machine, or
 * if the model cannot be read. */
static RspRecord *search_model (const CliJobs *jobs, guint i, const RspProgram *program,
                                const CliColumn *column, CliCell *cell) {
  if (!jobs->options->models->len && jobs->options->machine)
    return NULL;
  cell->model
      = cli_models_get_for (jobs->models, column, jobs->paths->pdata[i], program->language->id);
  if (!cell->model->model)
    return NULL;
  RspRecord *record = rsp_record_new (program->name, jobs->paths->pdata[i], column->label, NULL);
  RspRunOptions run = { .check = column->check };
  rsp_run (program, cell->model->model, &run, record, cell->diagnostics);
  return record;
}

static void run_mapping (const CliJobs *jobs, guint i, guint k, const CliColumn *column,
                         const RspProgram *program, const CliModel *source, const RspRecord *model,
                         CliCell *cell) {
  if (!jobs->machines->translations) {
    cli_machine_check (jobs->machines, k, jobs->options, &column->check, program,
                       source ? source->model : NULL, model, cell->record, cell->diagnostics);
    return;
  }
  cell->target
      = cli_models_get (jobs->models, jobs->machines->targets->pdata[k], jobs->paths->pdata[i]);
  const CliCompile compile = { .machines = jobs->machines,
                               .mapping = k,
                               .column = column,
                               .source = source->model,
                               .target = cell->target->model,
                               .verbose = jobs->options->verbose > 0 };
  if (compile.source && compile.target)
    cli_compile_check (&compile, program, model, cell->record, cell->diagnostics);
}

static void run_machine (const CliJobs *jobs, guint i, const RspProgram *program,
                         const GPtrArray *columns, CliResult *result) {
  const CliColumn *column = columns->pdata[0];
  result->n_cells = jobs->machines->maps->len;
  result->cells = g_new0 (CliCell, result->n_cells);
  g_autoptr (RspRecord) model = NULL;
  for (guint k = 0; k < result->n_cells; k++) {
    CliCell *cell = &result->cells[k];
    cell->diagnostics = rsp_diagnostics_new ();
    if (k == 0)
      model = search_model (jobs, i, program, column, cell);
    cell->record = begin_record (jobs, i, 0, program->name, columns,
                                 jobs->options->machine ? "the machine cannot run it"
                                                        : "it cannot be translated");
    RspRecord *record = cell->record;
    g_free (record->model);
    record->model = cli_machines_label (jobs->machines, k);
    record->column = k;
    record->columns = result->n_cells;
    rsp_record_set_program (record, program);
    run_mapping (jobs, i, k, column, program, result->cells[0].model, model, cell);
  }
}

/* ---- A program of commands, on the machine dsom ---- */

/* Only the machine dsom can run it, and no other machine or model. */
static gboolean is_for_dsom (const CliOptions *options) {
  return !options->models->len && (!options->machine || g_str_equal (options->machine, "dsom"));
}

/* The parts of a record besides the results: -resume reuses only records in which they are the
 * same. */
static void note_extras (const CliOptions *options, RspRecord *record) {
  char *described = g_strdup_printf ("%s%s%s", record->options, options->verbose ? " traces" : "",
                                     options->cost ? " cost" : "");
  g_free (record->options);
  record->options = described;
}

static void run_commands_cell (const CliJobs *jobs, const RspDsomProgram *program,
                               const CliColumn *column, CliCell *cell) {
  const CliOptions *options = jobs->options;
  const RspDsomOptions dsom = { .config = column->dsom,
                                .max_states = options->max_states,
                                .timeout = options->check.timeout,
                                .max_memory = options->check.max_memory,
                                .traces = options->verbose > 0,
                                .cost = options->cost };
  if (!column->is_dsom) {
    rsp_error (cell->diagnostics, RSP_NOWHERE, NULL,
               "test %s: `%s` cannot run a program of commands", program->name, column->label);
    return;
  }
  note_extras (options, cell->record);
  rsp_dsom_describe (program, &dsom, cell->record);
  if (take_over (jobs, cell))
    return;
  rsp_dsom_check (program, &dsom, cell->record, cell->diagnostics);
  if (jobs->resume)
    cli_resume_add (jobs->resume, cell->record);
}

static void run_columns (const CliJobs *jobs, guint i, RspDsomProgram *program, CliResult *result) {
  const CliKind *kind = cli_selection_kind (jobs->selection, program->name);
  if (cli_selection_question (jobs->selection, program->name).source)
    rsp_warning (result->diagnostics, RSP_NOWHERE, NULL,
                 "test %s keeps its condition: -conds has no effect on programs of commands",
                 program->name);
  if (kind && !jobs->options->expect)
    program->quantifier = kind->quantifier;
  g_autoptr (GPtrArray) columns
      = choose_columns (jobs, i, program->name, program->source, jobs->columns->dsom, result);
  begin_result (result, columns);
  for (guint k = 0; k < result->n_cells; k++) {
    CliCell *cell = &result->cells[k];
    cell->diagnostics = rsp_diagnostics_new ();
    cell->record = begin_record (jobs, i, k, program->name, columns, "the machine cannot run it");
    run_commands_cell (jobs, program, columns->pdata[k], cell);
    if (k > 0) /* a race is one whatever the strategy */
      rsp_diagnostics_drop (cell->diagnostics, RSP_NOTE);
  }
}

static void run_commands (const CliJobs *jobs, guint i, RspSource *source, CliResult *result) {
  result->left_out = !is_for_dsom (jobs->options);
  if (result->left_out)
    return;
  g_autoptr (RspDsomProgram) program = rsp_dsom_parse (source, result->diagnostics);
  if (program)
    result->selected = cli_selection_includes (jobs->selection, program->name);
  if (program && result->selected)
    run_columns (jobs, i, program, result);
}

/* ---- All ---- */

/* A test that cannot be read or checked still has its row. */
static void record_unread (const CliJobs *jobs, guint i, const GPtrArray *columns,
                           const char *reason, CliResult *result) {
  begin_result (result, columns);
  for (guint k = 0; k < result->n_cells; k++) {
    result->cells[k].diagnostics = rsp_diagnostics_new ();
    result->cells[k].record = begin_record (jobs, i, k, jobs->paths->pdata[i], columns, reason);
    if (jobs->resume)
      cli_resume_add (jobs->resume, result->cells[k].record);
  }
}

void cli_job_check (const CliJobs *jobs, guint i, const RspProgram *program,
                    const GPtrArray *columns, CliResult *result) {
  begin_result (result, columns);
  g_autoptr (RspPathCache) path_cache = rsp_path_cache_new (program);
  result->path_cache = path_cache;
  for (guint k = 0; k < result->n_cells; k++) {
    run_cell (jobs, i, k, program, columns, result);
    if (jobs->options->watch && k + 1 < result->n_cells)
      cli_watch_tell (jobs->options->watch, result, k + 1, FALSE);
  }
  result->path_cache = NULL;
}

/* A program that is not one of commands, under models or on a machine. */
static void run_program (const CliJobs *jobs, guint i, RspSource *source, CliResult *result) {
  g_autoptr (RspProgram) program = parse_selected (jobs, source, result);
  if (!program)
    return;
  g_autoptr (GPtrArray) columns
      = choose_columns (jobs, i, program->name, program->source,
                        cli_columns_for (jobs->columns, program->language->id), result);
  if (!jobs->machines)
    cli_job_check (jobs, i, program, columns, result);
  else if (jobs->machines->maps->len)
    run_machine (jobs, i, program, columns, result);
  else
    result->left_out = TRUE;
}

CliResult *cli_job_run (const CliJobs *jobs, guint i) {
  CliResult *result = g_new0 (CliResult, 1);
  result->diagnostics = rsp_diagnostics_new ();
  result->selected = TRUE;
  g_autoptr (RspSource) source = read_source (jobs->paths->pdata[i], result);
  const GPtrArray *columns = cli_columns_for (jobs->columns, RSP_LANGUAGE_OPENCL);
  if (source && rsp_dsom_recognises (source))
    columns = jobs->columns->dsom;
  if (source && columns == jobs->columns->dsom)
    run_commands (jobs, i, source, result);
  else if (source)
    run_program (jobs, i, source, result);
  if (!result->n_cells && result->selected && !result->left_out)
    record_unread (jobs, i, columns, "the test cannot be read", result);
  return result;
}

CliResult *cli_job_fail (const CliJobs *jobs, guint i) {
  CliResult *result = g_new0 (CliResult, 1);
  result->diagnostics = rsp_diagnostics_new ();
  result->selected = TRUE;
  rsp_error (result->diagnostics, RSP_NOWHERE,
             "this is a bug in rspcheck: please report it, with the test and the model",
             "%s: internal error (an assertion failed, see above)",
             (const char *) jobs->paths->pdata[i]);
  record_unread (jobs, i, cli_columns_for (jobs->columns, RSP_LANGUAGE_OPENCL), "internal error",
                 result);
  return result;
}

void cli_result_free (CliResult *result) {
  if (!result)
    return;
  rsp_diagnostics_free (result->diagnostics);
  for (guint i = 0; i < result->n_cells; i++) {
    CliCell *cell = &result->cells[i];
    rsp_diagnostics_free (cell->diagnostics);
    rsp_record_free (cell->record);
  }
  g_free (result->cells);
  g_free (result);
}
