/* The machine dsom and its tests on the command line: columns, runs, -strategy. */
#include "extra/dsom/dsom.h"
#include "extra/machine/command.h"

#include <string.h>

typedef struct DsomOptions {
  GPtrArray *strategies; /* of -strategy */
} DsomOptions;

static DsomOptions *own_options (const CliOptions *options) {
  return cli_extra_options (options, &dsom_extra);
}

/* ---- Columns -------------------------------------------------------------------------------- */

/* Columns of programs of commands: the machine dsom under one strategy and readings. */

static const char machine[] = "dsom";

static const CliTests tests;

/* From `dsom`, `dsom -strategy S -reading NAME=VALUE…`: as cli_column_new. */
static CliColumn *new_column (const char *text, RspSpan at, RspDiagnostics *diagnostics) {
  g_auto (GStrv) words = g_strsplit_set (text, " \t", -1);
  g_autoptr (GString) label = g_string_new (machine);
  RspDsomConfig config = rsp_dsom_config_default ();
  for (guint i = 1; words[0] && words[i]; i++) {
    const char *name = words[i];
    if (!*name)
      continue;
    while (words[i + 1] && !*words[i + 1])
      i++;
    /* Reads the option `name` with its value; FALSE after an error. */
    g_autofree char *message = NULL;
    gboolean good = FALSE;
    if (!words[i + 1])
      message = g_strdup ("the value is missing");
    else if (g_str_equal (name, "-strategy"))
      good = rsp_dsom_config_set_strategy (&config, words[i + 1], &message);
    else if (g_str_equal (name, "-reading"))
      good = !(message = rsp_reading_set (rsp_dsom_readings, &config, words[i + 1]));
    else
      message = g_strdup ("the machine dsom has the options -strategy and -reading");
    if (!good)
      rsp_error (diagnostics, at, NULL, "`%s%s%s`: %s", name, words[i + 1] ? " " : "",
                 words[i + 1] ? words[i + 1] : "", message);
    if (!good)
      return NULL;
    g_string_append_printf (label, " %s %s", name, words[++i]);
  }
  g_autofree char *strategy = rsp_dsom_config_strategy (&config);
  g_autofree char *readings = rsp_readings_format (rsp_dsom_readings, &config);
  CliColumn *column = g_new0 (CliColumn, 1);
  *column = (CliColumn){ .file = g_strdup (machine),
                         .label = g_strdup (label->str),
                         .variants = g_ptr_array_new_with_free_func (g_free),
                         .skipped = g_ptr_array_new_with_free_func (g_free),
                         .progress = g_array_new (FALSE, FALSE, sizeof (RspProgress)),
                         .described = g_strdup_printf ("strategy=%s%s%s", strategy,
                                                       *readings ? " " : "", readings),
                         .tests = &tests,
                         .own = g_memdup2 (&config, sizeof config) };
  return column;
}

static void add (const CliOptions *options, const char *strategy, GPtrArray *columns,
                 RspDiagnostics *diagnostics) {
  g_autoptr (GString) text = g_string_new (machine);
  if (strategy)
    g_string_append_printf (text, " -strategy %s", strategy);
  const MachineOptions *given = rsp_machine_options (options);
  if (g_strcmp0 (given->machine, machine) == 0)
    for (guint i = 0; i < given->readings->len; i++)
      g_string_append_printf (text, " -reading %s", (char *) given->readings->pdata[i]);
  CliColumn *column = new_column (text->str, RSP_NOWHERE, diagnostics);
  if (column)
    g_ptr_array_add (columns, column);
}

/* Adds the columns of the command line: one for each -strategy, or for the default one. */
static void add_columns (const CliOptions *options, GPtrArray *columns,
                         RspDiagnostics *diagnostics) {
  static const char *const all[] = { "batch", "balance", "lazy", "adaptive" };
  const GPtrArray *strategies = own_options (options)->strategies;
  if (!strategies->len)
    add (options, NULL, columns, diagnostics);
  for (guint i = 0; i < strategies->len; i++) {
    const char *strategy = strategies->pdata[i];
    if (!g_str_equal (strategy, "all"))
      add (options, strategy, columns, diagnostics);
    for (guint k = 0; k < G_N_ELEMENTS (all) && g_str_equal (strategy, "all"); k++)
      add (options, all[k], columns, diagnostics);
  }
}

/* ---- Run ------------------------------------------------------------------------------------ */

/* Only the machine dsom can run them, and no other machine or model. */
static gboolean may_run (const CliOptions *options) {
  const char *given = rsp_machine_options (options)->machine;
  return !options->models->len && (!given || g_str_equal (given, machine));
}

static void run_commands_cell (const CliJobs *jobs, const RspDsomProgram *program,
                               const CliColumn *column, CliCell *cell) {
  const CliOptions *options = jobs->options;
  if (column->tests != &tests) {
    rsp_error (cell->diagnostics, RSP_NOWHERE, NULL,
               "test %s: `%s` cannot run a program of commands", program->name, column->label);
    return;
  }
  const RspDsomOptions dsom = { .config = *(const RspDsomConfig *) column->own,
                                .max_states = rsp_machine_options (options)->max_states,
                                .timeout = options->check.timeout,
                                .max_memory = options->check.max_memory,
                                .traces = options->verbose > 0,
                                .cost = rsp_machine_options (options)->cost };
  /* The parts of a record besides the results: -resume reuses only records in which they are the
   * same. */
  char *described
      = g_strdup_printf ("%s%s%s", cell->record->options, options->verbose ? " traces" : "",
                         rsp_machine_options (options)->cost ? " cost" : "");
  g_free (cell->record->options);
  cell->record->options = described;
  rsp_dsom_describe (program, &dsom, cell->record);
  if (cli_job_take_over (jobs, cell))
    return;
  rsp_dsom_check (program, &dsom, cell->record, cell->diagnostics);
  if (jobs->resume)
    cli_resume_add (jobs->resume, cell->record);
}

static void run (const CliJobs *jobs, guint i, RspSource *source, CliResult *result) {
  g_autoptr (RspDsomProgram) program = rsp_dsom_parse (source, result->diagnostics);
  if (program)
    result->selected = cli_selection_includes (jobs->selection, program->name);
  if (program && result->selected) {
    const CliKind *kind = cli_selection_kind (jobs->selection, program->name);
    if (cli_selection_question (jobs->selection, program->name).source)
      rsp_warning (result->diagnostics, RSP_NOWHERE, NULL,
                   "test %s keeps its condition: -conds has no effect on programs of commands",
                   program->name);
    if (kind && !jobs->options->expect)
      program->quantifier = kind->quantifier;
    g_autoptr (GPtrArray) columns
        = cli_job_columns (jobs, i, program->name, program->source,
                           cli_columns_of_tests (jobs->columns, &tests), result);
    cli_result_begin (result, columns->len);
    for (guint k = 0; k < result->n_cells; k++) {
      CliCell *cell = &result->cells[k];
      cell->diagnostics = rsp_diagnostics_new ();
      cell->record
          = cli_job_record (jobs, i, k, program->name, columns, "the machine cannot run it");
      run_commands_cell (jobs, program, columns->pdata[k], cell);
      if (k > 0) /* a race is one whatever the strategy */
        rsp_diagnostics_drop (cell->diagnostics, RSP_NOTE);
    }
  }
}

/* ---- The row -------------------------------------------------------------------------------- */

static char *read_name (RspSource *source, RspDiagnostics *diagnostics) {
  g_autoptr (RspDsomProgram) program = rsp_dsom_parse (source, diagnostics);
  return program ? g_strdup (program->name) : NULL;
}

static gboolean check_machine (const CliOptions *options, RspDiagnostics *diagnostics) {
  if (!rsp_machine_options (options)->mappings->len && !options->models->len)
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, "-strategy",
             "the machine dsom has no mappings, and is compared with the flat buffer, not with a "
             "model");
  return FALSE;
}

static const CliTests tests = {
  .machine = machine,
  .language = "DSOM",
  .meaning = "A distributed shared OpenCL memory, for programs of commands (head DSOM). It has "
             "update strategies instead of mappings: -strategy.",
  .readings = rsp_dsom_readings,
  .check = check_machine,
  .recognises = rsp_dsom_recognises,
  .read = read_name,
  .column = new_column,
  .add_columns = add_columns,
  .may_run = may_run,
  .run = run,
};

#define OPTIONS DsomOptions
#include "cli/option_rows.h"

static const CliOption options_table[] = {
  AFTER ("reading", CLI_MACHINES),
  VALUE (
      "strategy", CLI_MACHINES, CLI_LIST, strategies, "S",
      "The update strategy of the machine dsom: batch, balance, lazy, adaptive or adaptive:N, or "
      "all, which is all four. May be repeated. Default: lazy."),
};

/* -strategy alone means this machine. */
static void finish (CliOptions *options) {
  MachineOptions *given = rsp_machine_options (options);
  if (own_options (options)->strategies->len && !given->machine)
    given->machine = g_strdup (machine);
}

static gboolean check (const CliOptions *options, RspDiagnostics *diagnostics) {
  if (!own_options (options)->strategies->len
      || g_str_equal (rsp_machine_options (options)->machine, machine))
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, NULL, "`-strategy` needs `-machine dsom`");
  return FALSE;
}

const CliExtra dsom_extra = { .options = options_table,
                              .n_options = G_N_ELEMENTS (options_table),
                              .size = sizeof (DsomOptions),
                              .inside = (const char *const[]){ "strategy", NULL },
                              .finish = finish,
                              .check = check,
                              .tests = &tests };
