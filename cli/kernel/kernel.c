#include "cli/kernel/kernel.h"
#include "cli/kernel/findings.h"
#include "cli/kernel/readings.h"
#include "cli/kernel/repair.h"

#include "api/run/any.h"
#include "cli/base/status.h"
#include "cli/base/stream.h"
#include "cli/columns/models.h"
#include "enumerator/search/evidence/evidence.h"
#include "enumerator/search/spin.h"
#include "explain/explain.h"
#include "report/explain/text.h"
#include "report/progress.h"

#include <string.h>

typedef struct Run {
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  CliModels *models;
  const CliColumn *column;
  RspCheckOptions check;
  RspKernelOptions kernel;
  GPtrArray *preprocessing; /* the words; owned */
  char *
      *any[RSP_KERNEL_MAX_UNKNOWN]; /* the arguments that may have any value, in kernel.arguments */
  guint n_any;
  const char *note;     /* their values in this check: "n=1, m=2" */
  CliFindings findings; /* with all of their values */
} Run;

/* ---- Options ---- */

static void add_words (GPtrArray *words, const char *option, const GPtrArray *values) {
  for (guint i = 0; i < values->len; i++)
    if (strlen (option) == 2)
      g_ptr_array_add (words, g_strdup_printf ("%s%s", option, (const char *) values->pdata[i]));
    else {
      g_ptr_array_add (words, g_strdup (option));
      g_ptr_array_add (words, g_strdup (values->pdata[i]));
    }
}

/* Is the argument given again? Then the last one counts. */
static gboolean is_overridden (const GPtrArray *all, guint i) {
  const char *own = all->pdata[i];
  const gsize length = strcspn (own, "[=");
  for (guint k = i + 1; all->pdata[k]; k++)
    if (strcspn (all->pdata[k], "[=") == length && strncmp (all->pdata[k], own, length) == 0)
      return TRUE;
  return FALSE;
}

/* `-arg n=any`; FALSE, with an error: there are too many, or what else is asked for is about one
 * value. */
static gboolean find_any (Run *run) {
  GPtrArray *all = run->options->kernel_arguments;
  for (guint i = 0; all->pdata[i]; i++) {
    if (!g_str_has_suffix (all->pdata[i], "=any") || is_overridden (all, i))
      continue;
    if (run->n_any < RSP_KERNEL_MAX_UNKNOWN)
      run->any[run->n_any++] = (char **) &all->pdata[i];
    else
      rsp_error (run->diagnostics, RSP_NOWHERE, "give numbers for some",
                 "-arg %s: only %u arguments may have any value", (char *) all->pdata[i],
                 RSP_KERNEL_MAX_UNKNOWN);
  }
  if (run->n_any && (run->options->explain || run->options->repair))
    rsp_error (run->diagnostics, RSP_NOWHERE, "give it a value with which there is a finding",
               "-arg %s: `-explain` and `-repair` are about one value", *run->any[0]);
  return rsp_diagnostics_count_errors (run->diagnostics) == 0;
}

static gboolean read_options (Run *run) {
  const CliOptions *options = run->options;
  if (!options->grid)
    rsp_error (run->diagnostics, RSP_NOWHERE, "`-grid 2x2`: two work-groups of two work-items",
               "`-kernel` needs a grid");
  else if (!rsp_grid_parse (options->grid, &run->kernel.grid))
    rsp_error (
        run->diagnostics, RSP_NOWHERE,
        "`-grid 2x2`, or `-grid 2x1x2`: work-groups, sub-groups of each, work-items of each; "
        "`-grid 2,2x4,4`: two dimensions",
        "-grid: found `%s`, expected two or three numbers with `x` between them", options->grid);
  else if (options->repair && options->sarif)
    rsp_error (run->diagnostics, RSP_NOWHERE, "`-json` prints both as JSON",
               "`-repair` prints patches, which `-sarif` has no place for");
  else if (options->inputs->len)
    rsp_error (run->diagnostics, RSP_NOWHERE, NULL, "`-kernel` takes no tests, but `%s` is given",
               (const char *) options->inputs->pdata[0]);
  else {
    add_words (run->preprocessing, "-D", options->macros);
    add_words (run->preprocessing, "-include", options->includes);
    g_ptr_array_add (run->preprocessing, NULL);
    run->kernel.grid.devices = options->devices;
    run->kernel.entry = options->entry;
    run->kernel.preprocessing = (const char *const *) run->preprocessing->pdata;
    run->kernel.arguments = (const char *const *) options->kernel_arguments->pdata;
    return find_any (run);
  }
  return FALSE;
}

/* ---- One check ---- */

/* NULL: not asked for, or not all found, with an error. */
static RspHangs *find_hangs (Run *run, const RspKernel *kernel, const RspModel *model) {
  const GArray *models = run->column->progress;
  if (!models->len)
    return NULL;
  RspCheckOptions rest = rsp_check_options_rest (&run->check, 0);
  RspHangs *hangs
      = rsp_hangs_find (kernel->program, model, &rest, (const RspProgress *) models->data,
                        models->len, NULL, run->diagnostics);
  if (hangs->stop != RSPCHECK_STOP_COMPLETE)
    rsp_error (run->diagnostics, RSP_NOWHERE, "a smaller grid, -timeout or -max-memory may help",
               "%s: the search for hangs did not finish", run->options->kernel);
  return hangs;
}

/* Why: the assertions' failure, if there are any, and each flag, with an execution. */
static void explain (Run *run, const CliReadings *readings, const RspModel *model,
                     RspExplanations *all) {
  const RspKernel *kernel = readings->kernel;
  RspCheckOptions rest = rsp_check_options_rest (&readings->check, 0);
  if (kernel->n_asserts + kernel->n_finals)
    rsp_explain (all, cli_readings_flagged (readings)->program, model, &rest, readings->leniently,
                 run->diagnostics);
  else
    rsp_explain_flags (all, cli_readings_flagged (readings)->program, model, &rest,
                       readings->leniently, run->diagnostics);
}

/* Flags that only executions that never end raise. */
static void explain_endless (Run *run, const CliReadings *endless, const CliReadings *readings,
                             const RspModel *model, RspExplanations *all) {
  RspOutcome others = *endless->leniently;
  RspCheckOptions rest = rsp_check_options_rest (&endless->check, 0);
  others.flags = rsp_arena_copy (others.arena, others.flags, sizeof (RspFlag) * others.n_flags);
  for (guint i = 0; i < others.n_flags; i++)
    others.flags[i].raised &= !cli_is_raised (readings->leniently, others.flags[i].name);
  rsp_explain_flags (all, cli_readings_flagged (endless)->program, model, &rest, &others,
                     run->diagnostics);
}

/* Nothing was found; but has any execution ended? */
static gboolean is_vacuous (Run *run, const CliReadings *readings) {
  const char *path = run->options->kernel;
  const gboolean endless = readings->check.prefixes;
  if (endless)
    rsp_error (run->diagnostics, RSP_NOWHERE,
               "-unroll N allows more rounds; `-progress fair` asks whether it runs for ever",
               "%s: no execution ends within %u rounds of each loop", path, run->check.unroll);
  else if (!readings->leniently->n_states && !run->n_any)
    rsp_warning (run->diagnostics, RSP_NOWHERE, "do its assumptions exclude each other?",
                 "%s: the kernel has no execution", path);
  return endless;
}

static void format_findings (const CliOptions *options, const CliFindings *findings, GString *out) {
  if (options->sarif)
    cli_findings_sarif (findings, out);
  else if (options->json)
    cli_findings_json (findings, out);
  else
    cli_findings_format (findings, out);
}

static void collect (Run *run, const CliReadings *readings, const RspModel *model,
                     const RspHangs *hangs, CliFindings *findings) {
  RspCheckOptions rest = rsp_check_options_rest (&readings->check, 0);
  g_autoptr (GPtrArray) evidence = rsp_evidence_find_every_line (model, &rest, readings->leniently);
  *findings = (CliFindings){ .path = run->options->kernel,
                             .kernel = readings->kernel,
                             .options = &run->kernel,
                             .grid = g_strdup (run->options->grid),
                             .unroll = run->check.unroll,
                             .unending = readings->check.prefixes };
  cli_findings_collect (findings, readings->outcome, readings->leniently, evidence, hangs);
  if (readings->asserting)
    cli_findings_add_asserted (findings, readings->asserted);
}

/* All of one check; endless: NULL if it always ends. */
static void print (Run *run, const CliReadings *readings, const CliReadings *endless,
                   const RspModel *model, const RspHangs *hangs, const CliFindings *findings,
                   GString *out) {
  format_findings (run->options, findings, out);
  if (!run->options->explain)
    return;
  g_autofree char *ways = hangs ? rsp_hangs_explain (hangs) : NULL;
  g_autoptr (RspExplanations) all = rsp_explanations_new ();
  /* What memory holds at the end is only known where there is one. */
  const CliReadings *main = endless && !readings->kernel->n_finals ? endless : readings;
  explain (run, main, model, all);
  if (endless && main != endless)
    explain_endless (run, endless, readings, model, all);
  g_string_append_c (out, '\n');
  rsp_explanations_format (all, FALSE, out);
  g_string_append (out, ways ? ways : "");
}

static int report (Run *run, const RspModel *model, const CliReadings *readings,
                   const CliReadings *endless) {
  const CliOptions *options = run->options;
  RspCheckOptions rest = rsp_check_options_rest (&readings->check, 0);
  g_autoptr (GString) out = g_string_new (NULL);
  RspHangs *hangs = find_hangs (run, readings->kernel, model);
  CliFindings findings, others;
  collect (run, readings, model, hangs, &findings);
  if (endless) {
    collect (run, endless, model, NULL, &others);
    cli_findings_merge (&findings, &others, NULL);
  }
  gboolean found = findings.all->len > 0, vacuous = !found && is_vacuous (run, readings);
  if (run->n_any)
    cli_findings_merge (&run->findings, &findings, run->note);
  else if (!vacuous)
    print (run, readings, endless, model, hangs, &findings, out);
  gboolean whole = !vacuous && (!hangs || hangs->stop == RSPCHECK_STOP_COMPLETE);
  int status = found ? CLI_STATUS_DIFFERENT : CLI_STATUS_OK;
  cli_findings_clear (&findings);
  rsp_hangs_free (hangs);
  whole = cli_write (out) && whole;
  if (whole && found && options->repair)
    whole = cli_kernel_repair (options, readings->kernel, &run->kernel, model, &rest,
                               run->column->label, run->diagnostics);
  return whole ? status : CLI_STATUS_UNFINISHED;
}

/* The check has ended early: findings count, but their absence does not. */
static int report_unfinished (Run *run, const RspOutcome *outcome) {
  if (rsp_diagnostics_count_errors (run->diagnostics) == 0)
    rsp_error (run->diagnostics, RSP_NOWHERE, "a smaller grid, -timeout or -max-memory may help",
               "%s: the search did not finish (%s)", run->options->kernel,
               outcome->stop == RSPCHECK_STOP_TIMEOUT  ? "time"
               : outcome->stop == RSPCHECK_STOP_MEMORY ? "memory"
                                                       : "a limit");
  return CLI_STATUS_UNFINISHED;
}

static int check (Run *run, const RspModel *model) {
  g_auto (CliReadings) readings = { .check = run->check }, endless = { .check = run->check };
  const char *path = run->options->kernel;
  if (!cli_readings_make (&readings, path, &run->kernel, model, run->diagnostics))
    return CLI_STATUS_UNFINISHED;
  if (!cli_is_finished (readings.leniently))
    return report_unfinished (run, readings.leniently);
  if (readings.asserting && !cli_is_finished (readings.asserted))
    return report_unfinished (run, readings.asserted);
  gboolean more
      = cli_is_raised (readings.leniently, RSP_SPIN_FLAG)
        && cli_readings_make_endless (&endless, path, &run->kernel, model, run->diagnostics);
  return report (run, model, &readings, more ? &endless : NULL);
}

/* The check with each of the values that stand for all, of the arguments from this one on. note:
 * the values of those before. */
static int check_each (Run *run, const RspModel *model, const GPtrArray *values, guint argument,
                       const char *note) {
  int status = CLI_STATUS_OK;
  if (argument == run->n_any) {
    run->note = note;
    return check (run, model);
  }
  const GPtrArray *own = values->pdata[argument];
  for (guint i = 0; i < own->len && status != CLI_STATUS_UNFINISHED; i++) {
    *run->any[argument] = own->pdata[i];
    g_autofree char *all = g_strdup_printf ("%s%s%s", note, *note ? ", " : "", *run->any[argument]);
    int one = check_each (run, model, values, argument + 1, all);
    status = one == CLI_STATUS_UNFINISHED ? one : MAX (status, one);
  }
  return status;
}

/* NULL after an error. */
static GPtrArray *find_values (Run *run, gboolean *loop) {
  g_auto (GStrv) names = g_new0 (char *, RSP_KERNEL_MAX_UNKNOWN + 1);
  for (guint i = 0; i < run->n_any; i++)
    names[i] = g_strndup (*run->any[i], strcspn (*run->any[i], "="));
  run->kernel.unknown = (const char *const *) names;
  GPtrArray *values = rsp_kernel_representatives (run->options->kernel, &run->kernel, &run->check,
                                                  loop, run->diagnostics);
  run->kernel.unknown = NULL;
  return values;
}

static int check_values (Run *run, const RspModel *model) {
  gboolean loop;
  char *given[RSP_KERNEL_MAX_UNKNOWN];
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GPtrArray) values = find_values (run, &loop);
  if (!values)
    return CLI_STATUS_UNFINISHED;
  for (guint i = 0; i < run->n_any; i++)
    given[i] = *run->any[i];
  int status = check_each (run, model, values, 0, "");
  for (guint i = 0; i < run->n_any; i++)
    *run->any[i] = given[i];
  if (run->findings.all && (status != CLI_STATUS_UNFINISHED || run->findings.all->len)) {
    run->findings.loop |= loop;
    format_findings (run->options, &run->findings, out);
    status = cli_write (out) ? status : CLI_STATUS_UNFINISHED;
  }
  cli_findings_clear (&run->findings);
  return status;
}

static int check_column (Run *run) {
  CliModel *found = cli_models_get (run->models, run->column, run->options->kernel);
  cli_models_report (run->models, found, run->diagnostics);
  if (!found->model)
    return CLI_STATUS_UNFINISHED;
  run->check = run->column->check;
  run->check.skipped_checks = (const char *const *) run->column->skipped->pdata;
  run->check.cas_writeback = RSPCHECK_CAS_WRITEBACK_ALWAYS;
  run->check.counts_optional = run->check.engine != RSPCHECK_ENGINE_NAIVE;
  run->check.speedcheck = RSPCHECK_SPEED_EXACT; /* any execution may have a finding */
  run->check.jobs = MAX (1, run->options->jobs);
  return run->n_any ? check_values (run, found->model) : check (run, found->model);
}

int cli_kernel_run (CliOptions *options, RspDiagnostics *diagnostics) {
  Run run = { .options = options, .diagnostics = diagnostics };
  int status = CLI_STATUS_USAGE;
  run.preprocessing = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (options->kernel_arguments, NULL);
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  run.models = models;
  if (columns && read_options (&run)) {
    const GPtrArray *list = cli_columns_for (columns, RSP_LANGUAGE_OPENCL);
    status = CLI_STATUS_OK;
    for (guint i = 0; i < list->len; i++) {
      run.column = list->pdata[i];
      int own = check_column (&run);
      status = MAX (status, own);
    }
  }
  cli_print_diagnostics (diagnostics, options->quiet);
  g_ptr_array_unref (run.preprocessing);
  return status;
}
