#include "cli/kernel/kernel.h"
#include "cli/kernel/findings.h"
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

typedef struct Run
{
  const CliOptions *options;
  RspDiagnostics *diagnostics;
  CliModels *models;
  const CliColumn *column;
  RspCheckOptions check;
  RspKernelOptions kernel;
  GPtrArray *preprocessing; /* the words; owned */
  char **any;           /* the argument that may have any value, in kernel.arguments; NULL: none */
  CliFindings findings; /* with all of its values */
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

/* `-arg n=any`; FALSE, with an error: there are several, or what else is asked for is about one value. */
static gboolean
find_any (Run *run)
{
  GPtrArray *all = run->options->kernel_arguments;
  for (guint i = 0; all->pdata[i]; i++)
    if (g_str_has_suffix (all->pdata[i], "=any"))
      {
        if (run->any)
          rsp_error (run->diagnostics, RSP_NOWHERE, "give numbers for all others",
                     "-arg %s: only one argument may have any value", (char *) all->pdata[i]);
        run->any = (char **) &all->pdata[i];
      }
  if (run->any && (run->options->explain || run->options->repair))
    rsp_error (run->diagnostics, RSP_NOWHERE, "give it a value with which there is a finding",
               "-arg %s: `-explain` and `-repair` are about one value", *run->any);
  return rsp_diagnostics_count_errors (run->diagnostics) == 0;
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
      return find_any (run);
    }
  return FALSE;
}

/* ---- One check ---- */

static gboolean
is_finished (const RspOutcome *outcome)
{
  return outcome->stop == RSPCHECK_STOP_COMPLETE || outcome->stop == RSPCHECK_STOP_FOUND;
}

static gboolean
is_raised (const RspOutcome *outcome, const char *flag)
{
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && strcmp (outcome->flags[i].name, flag) == 0)
      return TRUE;
  return FALSE;
}

/* NULL: not asked for, or not all found, with an error. */
static RspHangs *
find_hangs (Run *run, const RspKernel *kernel, const RspModel *model)
{
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

/* The outcomes of two readings of the kernel: with failures as the end of a path, and lenient. */
typedef struct Readings
{
  RspCheckOptions check;
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

static const RspKernel *
flagged_kernel (const Readings *readings)
{
  return readings->lenient ? readings->lenient : readings->kernel;
}

/* Why: the assertions' failure, if there are any, and each flag, with an execution. */
static void
explain (Run *run, const Readings *readings, const RspModel *model, RspExplanations *all)
{
  const RspKernel *kernel = readings->kernel;
  RspCheckOptions rest = rsp_check_options_rest (&readings->check, 0);
  if (kernel->n_asserts + kernel->n_finals)
    rsp_explain (all, flagged_kernel (readings)->program, model, &rest, readings->leniently,
                 run->diagnostics);
  else
    rsp_explain_flags (all, flagged_kernel (readings)->program, model, &rest, readings->leniently,
                       run->diagnostics);
}

/* Flags that only executions that never end raise. */
static void
explain_endless (Run *run, const Readings *endless, const Readings *readings, const RspModel *model,
                 RspExplanations *all)
{
  RspOutcome others = *endless->leniently;
  RspCheckOptions rest = rsp_check_options_rest (&endless->check, 0);
  others.flags = rsp_arena_copy (others.arena, others.flags, sizeof (RspFlag) * others.n_flags);
  for (guint i = 0; i < others.n_flags; i++)
    others.flags[i].raised &= !is_raised (readings->leniently, others.flags[i].name);
  rsp_explain_flags (all, flagged_kernel (endless)->program, model, &rest, &others,
                     run->diagnostics);
}

/* Nothing was found; but has any execution ended? */
static gboolean
is_vacuous (Run *run, const Readings *readings)
{
  const char *path = run->options->kernel;
  const gboolean endless = readings->check.prefixes;
  if (endless)
    rsp_error (run->diagnostics, RSP_NOWHERE,
               "-unroll N allows more rounds; `-progress fair` asks whether it runs for ever",
               "%s: no execution ends within %u rounds of each loop", path, run->check.unroll);
  else if (!readings->leniently->n_states && !run->any)
    rsp_warning (run->diagnostics, RSP_NOWHERE, "do its assumptions exclude each other?",
                 "%s: the kernel has no execution", path);
  return endless;
}

static void
format_findings (const CliOptions *options, const CliFindings *findings, GString *out)
{
  if (options->sarif)
    cli_findings_sarif (findings, out);
  else if (options->json)
    cli_findings_json (findings, out);
  else
    cli_findings_format (findings, out);
}

static void
collect (Run *run, const Readings *readings, const RspModel *model, const RspHangs *hangs,
         CliFindings *findings)
{
  RspCheckOptions rest = rsp_check_options_rest (&readings->check, 0);
  g_autoptr (GPtrArray) evidence = rsp_evidence_find_every_line (model, &rest, readings->leniently);
  *findings = (CliFindings){ .path = run->options->kernel,
                             .kernel = readings->kernel,
                             .options = &run->kernel,
                             .grid = g_strdup (run->options->grid),
                             .unroll = run->check.unroll,
                             .unending = readings->check.prefixes };
  cli_findings_collect (findings, readings->outcome, readings->leniently, evidence, hangs);
}

/* All of one check; endless: NULL if it always ends. */
static void
print (Run *run, const Readings *readings, const Readings *endless, const RspModel *model,
       const RspHangs *hangs, const CliFindings *findings, GString *out)
{
  format_findings (run->options, findings, out);
  if (!run->options->explain)
    return;
  g_autofree char *ways = hangs ? rsp_hangs_explain (hangs) : NULL;
  g_autoptr (RspExplanations) all = rsp_explanations_new ();
  /* What memory holds at the end is only known where there is one. */
  const Readings *main = endless && !readings->kernel->n_finals ? endless : readings;
  explain (run, main, model, all);
  if (endless && main != endless)
    explain_endless (run, endless, readings, model, all);
  g_string_append_c (out, '\n');
  rsp_explanations_format (all, FALSE, out);
  g_string_append (out, ways ? ways : "");
}

static int
report (Run *run, const RspModel *model, const Readings *readings, const Readings *endless)
{
  const CliOptions *options = run->options;
  RspCheckOptions rest = rsp_check_options_rest (&readings->check, 0);
  g_autoptr (GString) out = g_string_new (NULL);
  RspHangs *hangs = find_hangs (run, readings->kernel, model);
  CliFindings findings, others;
  collect (run, readings, model, hangs, &findings);
  if (endless)
    {
      collect (run, endless, model, NULL, &others);
      cli_findings_merge (&findings, &others, NULL);
    }
  gboolean found = findings.all->len > 0, vacuous = !found && is_vacuous (run, readings);
  if (run->any)
    cli_findings_merge (&run->findings, &findings, *run->any);
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

/* If nothing ends, chooses how what all executions begin with is found; FALSE: it is known, or something ends. Under `-spin last`,
 * loops that wait have no rounds, and one that no value can end (of a plain variable, for instance) nothing at all. */
static gboolean
look_at_beginnings (RspCheckOptions *check, const RspOutcome *outcome)
{
  if (check->prefixes || !is_finished (outcome) || outcome->n_states || outcome->n_failures
      || is_raised (outcome, RSP_SPIN_FLAG))
    return FALSE;
  if (check->spin == RSPCHECK_SPIN_LAST)
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
check_once (Run *run, const RspModel *model, RspCheckOptions *check, RspKernel **kernel,
            RspOutcome **outcome)
{
  g_autoptr (GPtrArray) facts = rsp_kernel_facts_new ();
  for (;;)
    {
      g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
      *kernel
          = rsp_kernel_explore (run->options->kernel, &run->kernel, facts, check, run->diagnostics);
      if (!*kernel)
        return FALSE;
      *outcome = rsp_check ((*kernel)->program, model, check, own);
      gboolean grown = is_finished (*outcome) && rsp_kernel_grow (*kernel, *outcome, facts);
      if (!grown && !look_at_beginnings (check, *outcome))
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
 * lenient reading. FALSE after an error. */
static gboolean
read_twice (Run *run, const RspModel *model, Readings *readings)
{
  if (!check_once (run, model, &readings->check, &readings->kernel, &readings->outcome)
      || rsp_kernel_is_cut (readings->kernel, readings->outcome, run->diagnostics))
    return FALSE;
  readings->leniently = readings->outcome;
  if (!is_finished (readings->outcome) || !readings->outcome->n_failures)
    return TRUE;
  run->kernel.lenient = TRUE;
  gboolean good
      = check_once (run, model, &readings->check, &readings->lenient, &readings->leniently);
  run->kernel.lenient = FALSE;
  return good;
}

/* If the kernel may run for ever: what it finds before. FALSE, with a warning, if that is not all found. */
static gboolean
read_endless (Run *run, const RspModel *model, Readings *readings)
{
  g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
  RspDiagnostics *diagnostics = run->diagnostics;
  readings->check.prefixes = TRUE;
  run->diagnostics = own;
  gboolean whole = read_twice (run, model, readings) && is_finished (readings->leniently);
  run->diagnostics = diagnostics;
  if (!whole)
    rsp_warning (diagnostics, RSP_NOWHERE, "a smaller grid, -timeout or -max-memory may help",
                 "%s: what is wrong only in executions that never end is not looked for within the "
                 "limits of time and memory",
                 run->options->kernel);
  return whole;
}

static int
check (Run *run, const RspModel *model)
{
  g_auto (Readings) readings = { .check = run->check }, endless = { .check = run->check };
  if (!read_twice (run, model, &readings))
    return CLI_STATUS_UNFINISHED;
  if (!is_finished (readings.leniently))
    return report_unfinished (run, readings.leniently);
  gboolean more
      = is_raised (readings.leniently, RSP_SPIN_FLAG) && read_endless (run, model, &endless);
  return report (run, model, &readings, more ? &endless : NULL);
}

/* The check with each of the values that stand for all. */
static int
check_values (Run *run, const RspModel *model)
{
  char *given = *run->any;
  g_autofree char *name = g_strndup (given, strcspn (given, "="));
  g_autoptr (GString) out = g_string_new (NULL);
  int status = CLI_STATUS_OK;
  run->kernel.unknown = name;
  g_autoptr (GPtrArray) values = rsp_kernel_representatives (run->options->kernel, &run->kernel,
                                                             &run->check, run->diagnostics);
  run->kernel.unknown = NULL;
  if (!values)
    return CLI_STATUS_UNFINISHED;
  for (guint i = 0; i < values->len && status != CLI_STATUS_UNFINISHED; i++)
    {
      *run->any = values->pdata[i];
      int own = check (run, model);
      status = own == CLI_STATUS_UNFINISHED ? own : MAX (status, own);
    }
  *run->any = given;
  if (run->findings.all && (status != CLI_STATUS_UNFINISHED || run->findings.all->len))
    {
      format_findings (run->options, &run->findings, out);
      status = cli_write (out) ? status : CLI_STATUS_UNFINISHED;
    }
  cli_findings_clear (&run->findings);
  return status;
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
  return run->any ? check_values (run, found->model) : check (run, found->model);
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
