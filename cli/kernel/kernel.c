#include "cli/kernel/kernel.h"
#include "cli/kernel/findings.h"
#include "cli/kernel/repair.h"

#include "cli/base/status.h"
#include "cli/base/stream.h"
#include "cli/columns/models.h"
#include "enumerator/search/evidence/evidence.h"
#include "enumerator/search/spin.h"
#include "explain/explain.h"
#include "report/explain/text.h"
#include "report/progress.h"

#include <string.h>

typedef struct Run
{
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  CliModels *models;
  const CliColumn *column;
  RspCheckOptions check;
  RspKernelOptions kernel;
  GPtrArray *preprocessing; /* the words; owned */
} Run;

/* ---- Options ---- */

static void
add_words (GPtrArray *words, const char *option, const GPtrArray *values)
{
  for (guint i = 0; i < values->len; i++)
    if (strlen (option) == 2)
      g_ptr_array_add (words, g_strdup_printf ("%s%s", option, (const char *) values->pdata[i]));
    else
      {
        g_ptr_array_add (words, g_strdup (option));
        g_ptr_array_add (words, g_strdup (values->pdata[i]));
      }
}

static gboolean
read_options (Run *run)
{
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
  else
    {
      add_words (run->preprocessing, "-D", options->macros);
      add_words (run->preprocessing, "-include", options->includes);
      g_ptr_array_add (run->preprocessing, NULL);
      run->kernel.grid.devices = options->devices;
      run->kernel.entry = options->entry;
      run->kernel.preprocessing = (const char *const *) run->preprocessing->pdata;
      run->kernel.arguments = (const char *const *) options->kernel_arguments->pdata;
      return TRUE;
    }
  return FALSE;
}

/* ---- One check ---- */

static gboolean
is_finished (const RspOutcome *outcome)
{
  return outcome->stop == RSPCHECK_STOP_COMPLETE || outcome->stop == RSPCHECK_STOP_FOUND;
}

/* NULL: not asked for, or not all found, with an error. */
static RspHangs *
find_hangs (Run *run, const RspKernel *kernel, const RspModel *model)
{
  const GArray *models = run->column->progress;
  if (!models->len)
    return NULL;
  RspCheckOptions rest = rsp_check_options_rest (&run->check, 0);
  rest.prefixes = FALSE;
  RspHangs *hangs
      = rsp_hangs_find (kernel->program, model, &rest, (const RspProgress *) models->data,
                        models->len, NULL, run->diagnostics);
  if (hangs->stop != RSPCHECK_STOP_COMPLETE)
    rsp_error (run->diagnostics, RSP_NOWHERE, "a smaller grid, -timeout or -max-memory may help",
               "%s: the search for hangs did not finish", run->options->kernel);
  return hangs;
}

/* Why: the assertions' failure, if there are any, and each flag, with an execution; and how it hangs. */
static void
explain (Run *run, const RspKernel *kernel, const RspModel *model, const RspOutcome *outcome,
         const RspHangs *hangs, GString *out)
{
  g_autofree char *ways = hangs ? rsp_hangs_explain (hangs) : NULL;
  RspCheckOptions rest = rsp_check_options_rest (&run->check, 0);
  g_autoptr (RspExplanations) all = rsp_explanations_new ();
  if (kernel->n_asserts + kernel->n_finals)
    rsp_explain (all, kernel->program, model, &rest, outcome, run->diagnostics);
  else
    rsp_explain_flags (all, kernel->program, model, &rest, outcome, run->diagnostics);
  g_string_append_c (out, '\n');
  rsp_explanations_format (all, FALSE, out);
  g_string_append (out, ways ? ways : "");
}

/* The outcomes of two readings of the kernel: with failures as the end of a path, and lenient. */
typedef struct Readings
{
  RspKernel *kernel, *lenient;     /* lenient NULL: nothing failed */
  RspOutcome *outcome, *leniently; /* leniently: the outcome itself, if nothing failed */
} Readings;

static void
readings_clear (Readings *readings)
{
  if (readings->lenient)
    rsp_outcome_free (readings->leniently);
  rsp_kernel_free (readings->lenient);
  if (readings->outcome)
    rsp_outcome_free (readings->outcome);
  rsp_kernel_free (readings->kernel);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Readings, readings_clear)

/* Nothing was found; but has any execution ended? */
static gboolean
is_vacuous (Run *run, const Readings *readings)
{
  const char *path = run->options->kernel;
  if (run->check.prefixes)
    rsp_error (run->diagnostics, RSP_NOWHERE,
               "-unroll N allows more rounds; `-progress fair` asks whether it runs for ever",
               "%s: no execution ends within %u rounds of each loop", path, run->check.unroll);
  else if (!readings->leniently->n_states)
    rsp_warning (run->diagnostics, RSP_NOWHERE, "do its assumptions exclude each other?",
                 "%s: the kernel has no execution", path);
  return run->check.prefixes;
}

static int
report (Run *run, const RspModel *model, const Readings *readings)
{
  const RspKernel *kernel = readings->kernel;
  const CliOptions *options = run->options;
  RspCheckOptions rest = rsp_check_options_rest (&run->check, 0);
  g_autoptr (GPtrArray) evidence = rsp_evidence_find_every_line (model, &rest, readings->leniently);
  g_autoptr (GString) out = g_string_new (NULL);
  RspHangs *hangs = find_hangs (run, kernel, model);
  CliFindings findings = { .path = options->kernel,
                           .kernel = kernel,
                           .options = &run->kernel,
                           .grid = g_strdup (options->grid),
                           .unroll = run->check.unroll,
                           .unending = run->check.prefixes };
  cli_findings_collect (&findings, readings->outcome, readings->leniently, evidence, hangs);
  gboolean found = findings.all->len > 0, vacuous = !found && is_vacuous (run, readings);
  if (vacuous)
    ;
  else if (options->sarif)
    cli_findings_sarif (&findings, out);
  else if (options->json)
    cli_findings_json (&findings, out);
  else
    {
      cli_findings_format (&findings, out);
      if (options->explain)
        explain (run, readings->lenient ? readings->lenient : kernel, model, readings->leniently,
                 hangs, out);
    }
  gboolean whole = !vacuous && (!hangs || hangs->stop == RSPCHECK_STOP_COMPLETE);
  int status = found ? CLI_STATUS_DIFFERENT : CLI_STATUS_OK;
  cli_findings_clear (&findings);
  rsp_hangs_free (hangs);
  whole = cli_write (out) && whole;
  if (whole && found && options->repair)
    whole = cli_kernel_repair (options, kernel, &run->kernel, model, &rest, run->column->label,
                               run->diagnostics);
  return whole ? status : CLI_STATUS_UNFINISHED;
}

/* The check has ended early: findings count, but their absence does not. */
static int
report_unfinished (Run *run, const RspOutcome *outcome)
{
  if (rsp_diagnostics_count_errors (run->diagnostics) == 0)
    rsp_error (run->diagnostics, RSP_NOWHERE, "a smaller grid, -timeout or -max-memory may help",
               "%s: the search did not finish (%s)", run->options->kernel,
               outcome->stop == RSPCHECK_STOP_TIMEOUT  ? "time"
               : outcome->stop == RSPCHECK_STOP_MEMORY ? "memory"
                                                       : "a limit");
  return CLI_STATUS_UNFINISHED;
}

static gboolean
is_raised (const RspOutcome *outcome, const char *flag)
{
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && strcmp (outcome->flags[i].name, flag) == 0)
      return TRUE;
  return FALSE;
}

/* If nothing ends, chooses how what all executions begin with is found; FALSE: it is known, or something ends. Under `-spin last`,
 * loops that wait have no rounds, and one that no value can end (of a plain variable, for instance) nothing at all. */
static gboolean
look_at_beginnings (RspCheckOptions *check, const RspOutcome *outcome)
{
  if (check->prefixes || !is_finished (outcome) || outcome->n_states || outcome->n_failures)
    return FALSE;
  if (check->spin == RSPCHECK_SPIN_LAST && !is_raised (outcome, RSP_SPIN_FLAG))
    {
      check->spin = RSPCHECK_SPIN_ALL;
      return TRUE;
    }
  check->prefixes = outcome->loop;
  return check->prefixes;
}

/* Checks the kernel with arrays as large as all executions need; if no execution ends, what they all begin with. FALSE after
 * an error. */
static gboolean
check_once (Run *run, const RspModel *model, RspKernel **kernel, RspOutcome **outcome)
{
  g_autoptr (GPtrArray) facts = rsp_kernel_facts_new ();
  for (;;)
    {
      g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
      *kernel = rsp_kernel_explore (run->options->kernel, &run->kernel, facts, &run->check,
                                    run->diagnostics);
      if (!*kernel)
        return FALSE;
      *outcome = rsp_check ((*kernel)->program, model, &run->check, own);
      gboolean grown = is_finished (*outcome) && rsp_kernel_grow (*kernel, *outcome, facts);
      if (!grown && !look_at_beginnings (&run->check, *outcome))
        {
          if ((*outcome)->n_failures) /* they are findings */
            rsp_diagnostics_drop (own, RSP_ERROR);
          rsp_diagnostics_move (run->diagnostics, own);
          return TRUE;
        }
      g_clear_pointer (outcome, rsp_outcome_free);
      g_clear_pointer (kernel, rsp_kernel_free);
    }
}

/* A failure ends its path, and with it all executions that have the path. So what races besides is found in a
 * lenient reading. */
static int
check (Run *run, const RspModel *model)
{
  g_auto (Readings) readings = { NULL, NULL, NULL, NULL };
  if (!check_once (run, model, &readings.kernel, &readings.outcome))
    return CLI_STATUS_UNFINISHED;
  if (rsp_kernel_is_cut (readings.kernel, readings.outcome, run->diagnostics))
    return CLI_STATUS_UNFINISHED;
  readings.leniently = readings.outcome;
  if (is_finished (readings.outcome) && readings.outcome->n_failures)
    {
      run->kernel.lenient = TRUE;
      gboolean good = check_once (run, model, &readings.lenient, &readings.leniently);
      run->kernel.lenient = FALSE;
      if (!good)
        return CLI_STATUS_UNFINISHED;
    }
  return is_finished (readings.leniently) ? report (run, model, &readings)
                                          : report_unfinished (run, readings.leniently);
}

static int
check_column (Run *run)
{
  CliModel *found = cli_models_get (run->models, run->column, run->options->kernel);
  cli_models_report (run->models, found, run->diagnostics);
  if (!found->model)
    return CLI_STATUS_UNFINISHED;
  run->check = run->column->check;
  run->check.skipped_checks = (const char *const *) run->column->skipped->pdata;
  run->check.cas_writeback = RSPCHECK_CAS_WRITEBACK_ALWAYS;
  run->check.counts_optional = run->check.engine != RSPCHECK_ENGINE_NAIVE;
  run->check.jobs = MAX (1, run->options->jobs);
  return check (run, found->model);
}

int
cli_kernel_run (CliOptions *options, RspDiagnostics *diagnostics)
{
  Run run = { .options = options, .diagnostics = diagnostics };
  int status = CLI_STATUS_USAGE;
  run.preprocessing = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (options->kernel_arguments, NULL);
  g_autoptr (CliModels) models = cli_models_new (options);
  g_autoptr (CliColumns) columns = cli_columns_new (options, diagnostics);
  run.models = models;
  if (columns && read_options (&run))
    {
      const GPtrArray *list = cli_columns_for (columns, RSP_LANGUAGE_OPENCL);
      status = CLI_STATUS_OK;
      for (guint i = 0; i < list->len; i++)
        {
          run.column = list->pdata[i];
          int own = check_column (&run);
          status = MAX (status, own);
        }
    }
  cli_print_diagnostics (diagnostics, options->quiet);
  g_ptr_array_unref (run.preprocessing);
  return status;
}
