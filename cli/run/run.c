#include "cli/run/run.h"
#include "cli/base/status.h"
#include "cli/device/device.h"
#include "cli/sinks/compared.h"
#include "cli/select/inputs.h"
#include "cli/run/job.h"
#include "cli/run/records/merge.h"
#include "cli/run/progress.h"
#include "cli/sinks/report.h"
#include "cli/select/share.h"
#include "cli/run/signals.h"
#include "cli/base/stream.h"
#include "cli/run/workers.h"

typedef struct Run {
  CliJobs jobs;
  RspDiagnostics *diagnostics;
  CliReport *report;
  CliCompared *compared;
  const GArray *share; /* of guint: numbers of the tests to do */
  GPtrArray *merged;   /* of RspRecord: of -merge; else NULL */
  CliProgress progress;
  CliSignals signals;
  int arrived; /* the signal that ended the work, or 0 */
  guint n_taken;
  guint n_left_out;  /* tests that are not for the run's machine or models */
  guint n_truncated; /* tests whose loops were truncated, if these are only counted */
  int status;
} Run;

enum {
  MOST_WAITING = 256 << 20 /* bytes of results that wait for one before them */
};

/* Prints the diagnostics; an error makes the run unfinished. */
static void tell (Run *run, RspDiagnostics *diagnostics) {
  if (rsp_diagnostics_count (diagnostics))
    cli_progress_erase (&run->progress);
  if (cli_print_diagnostics (diagnostics, run->jobs.options->quiet))
    run->status = CLI_STATUS_UNFINISHED;
}

/* ---- Results, in order ---- */

/* FALSE if the output cannot be written. */
static gboolean take_cell (Run *run, CliCell *cell) {
  CliModel *const models[] = { cell->model, cell->target };
  for (guint i = 0; i < G_N_ELEMENTS (models); i++)
    if (models[i]) {
      cli_models_report (run->jobs.models, models[i], run->diagnostics);
      tell (run, run->diagnostics);
    }
  if (!rsp_record_is_ok (cell->record))
    run->status = CLI_STATUS_UNFINISHED;
  if (run->jobs.resume)
    cli_resume_report (run->jobs.resume, &cell->stale, cell->record, cell->diagnostics);
  gboolean written = cli_report_take (run->report, g_steal_pointer (&cell->record));
  tell (run, cell->diagnostics);
  return written;
}

/* Takes the records, which come from logs. */
static gboolean take_records (Run *run, GPtrArray *records) {
  gboolean written = TRUE;
  tell (run, run->diagnostics);
  for (guint i = 0; records && i < records->len && written; i++)
    written = cli_report_take (run->report, g_steal_pointer (&records->pdata[i]));
  return written;
}

/* Records of -merge, grouped by test, each row with its logs. */
static gboolean take_merged (Run *run) {
  const GPtrArray *records = run->merged;
  gboolean written = TRUE;
  for (guint i = 0; written && i < records->len;) {
    RspRecord *first = records->pdata[i];
    guint index = first->index;
    gboolean admitted = cli_compared_admits (run->compared, first, run->diagnostics);
    g_autoptr (GPtrArray) compared
        = admitted ? cli_compared_with (run->compared, first, run->diagnostics) : NULL;
    for (; written && i < records->len && ((RspRecord *) records->pdata[i])->index == index; i++) {
      if (!admitted)
        continue;
      if (!rsp_record_is_ok (records->pdata[i]))
        run->status = CLI_STATUS_UNFINISHED;
      written = cli_report_take (run->report, g_steal_pointer (&records->pdata[i]));
    }
    written = written && take_records (run, compared);
  }
  return written;
}

static gboolean take_logs (Run *run) {
  gboolean written = TRUE;
  for (guint i = 0; i < cli_compared_n_tests (run->compared) && written; i++) {
    g_autoptr (GPtrArray) row = cli_compared_row (run->compared, i, run->diagnostics);
    written = take_records (run, row);
  }
  return written;
}

/* Loops are the same under every model: in a comparison they are counted, and with -v named once
 * per test. */
static void count_truncated (Run *run, CliResult *result) {
  gboolean any = FALSE;
  for (guint k = 0; k < result->n_cells; k++)
    if (result->n_cells > 1 && (k > 0 || !run->jobs.options->verbose))
      any |= rsp_diagnostics_drop (result->cells[k].diagnostics, RSP_TRUNCATED);
  run->n_truncated += any && !run->jobs.options->verbose;
}

static gboolean take (gpointer data, guint i, gpointer made) {
  Run *run = data;
  CliResult *result = made;
  gboolean written = TRUE;
  (void) i;
  g_autoptr (GPtrArray) compared = NULL;
  cli_progress_erase (&run->progress);
  tell (run, result->diagnostics);
  gboolean admitted
      = result->n_cells
        && cli_compared_admits (run->compared, result->cells[0].record, run->diagnostics);
  if (admitted) {
    compared = cli_compared_with (run->compared, result->cells[0].record, run->diagnostics);
    count_truncated (run, result);
  }
  for (guint k = 0; admitted && k < result->n_cells && written; k++)
    written = take_cell (run, &result->cells[k]);
  written = written && take_records (run, compared);
  written = written && (!run->jobs.resume || cli_resume_check (run->jobs.resume, run->diagnostics));
  run->n_taken++;
  run->n_left_out += result->left_out;
  cli_result_free (result);
  return written;
}

static gpointer make (gpointer data, guint i) {
  Run *run = data;
  return cli_job_run (&run->jobs, g_array_index (run->share, guint, i));
}

static gpointer fail (gpointer data, guint i) {
  Run *run = data;
  return cli_job_fail (&run->jobs, g_array_index (run->share, guint, i));
}

static gsize size (gconstpointer made) {
  const CliResult *result = made;
  gsize bytes = 0;
  for (guint i = 0; i < result->n_cells; i++)
    bytes += rsp_record_size (result->cells[i].record);
  return bytes;
}

/* FALSE if a signal has arrived. */
static gboolean tick (gpointer data, const CliWorkView *view) {
  Run *run = data;
  run->arrived = cli_signals_arrived (&run->signals);
  g_autofree char *slowest = NULL;
  if (view->busy)
    slowest = g_path_get_basename (
        run->jobs.paths->pdata[g_array_index (run->share, guint, view->oldest)]);
  if (!run->arrived)
    cli_progress_show (&run->progress, view, slowest);
  return !run->arrived;
}

static void drop (gpointer result) { cli_result_free (result); }

/* ---- The run ---- */

/* Threads work on several tests at a time; if there are more threads than tests, several work on
 * each. */
static void prepare_check (CliOptions *options, guint n_tests) {
  if (options->jobs == 0)
    options->jobs = g_get_num_processors ();
  options->check.jobs = MAX (options->jobs / MAX (n_tests, 1), 1);
}

static void report_interruption (Run *run) {
  const char *file = run->jobs.options->resume;
  g_autofree char *hint
      = file ? g_strdup_printf ("finished results are in %s: the same command continues the run",
                                file)
             : g_strdup ("with `-resume FILE` a run saves its results and can be continued");
  rsp_error (run->diagnostics, RSP_NOWHERE, hint, "interrupted: %u of %u tests were checked",
             run->n_taken, run->share->len);
  tell (run, run->diagnostics);
}

/* Handles a failed assertion that belongs to no particular test. */
static void report_fault (Run *run) {
  rsp_error (run->diagnostics, RSP_NOWHERE,
             "this is a bug in rspcheck: please report it, with the tests and the models",
             "internal error (an assertion failed, see above): %u of %u tests were checked",
             run->n_taken, run->share->len);
  tell (run, run->diagnostics);
}

/* Signals and faults end the run in good order: finished tests are reported, and nothing is left
 * half done. */
static gboolean work (Run *run) {
  CliWork work = { .make = make,
                   .fail = fail,
                   .take = take,
                   .drop = drop,
                   .size = size,
                   .most_waiting = MOST_WAITING,
                   .tick = tick,
                   .data = run };
  cli_progress_init (&run->progress, run->jobs.options->quiet);
  cli_signals_hold (&run->signals);
  CliWorkEnd end = cli_workers_run (&work, run->jobs.options->jobs, run->share->len);
  cli_progress_erase (&run->progress);
  if (end == CLI_WORK_INTERRUPTED) {
    report_interruption (run);
    cli_signals_die (run->arrived);
  }
  if (end == CLI_WORK_FAILED) {
    report_fault (run);
    cli_report_end (run->report);
    cli_signals_die (SIGABRT);
  }
  cli_signals_release (&run->signals);
  return end == CLI_WORK_DONE;
}

/* FALSE if the run ended early. */
static gboolean take_all (Run *run) {
  const CliOptions *options = run->jobs.options;
  if (run->merged)
    return take_merged (run);
  if (options->inputs->len == 0)
    return take_logs (run);
  return work (run);
}

/* Programs of commands are for the machine dsom, and all others are not. */
static void report_left_out (Run *run) {
  gboolean is_dsom = g_strcmp0 (run->jobs.options->machine, "dsom") == 0;
  if (!run->n_left_out)
    return;
  rsp_warning (run->diagnostics, RSP_NOWHERE, is_dsom ? NULL : "-machine dsom",
               is_dsom ? "left out: %u of %u tests, which are not programs of commands (head DSOM)"
                       : "left out: %u of %u tests, which are programs of commands (head DSOM)",
               run->n_left_out, run->n_taken);
}

static void run_tests (Run *run) {
  if (!cli_report_begin (run->report) || !take_all (run) || !cli_report_end (run->report))
    run->status = CLI_STATUS_UNFINISHED;
  else {
    if (run->jobs.options->shard.of == 0) /* otherwise other shares run the rest */
      cli_compared_report_left (run->compared, run->diagnostics);
    cli_selection_report_missing (run->jobs.selection, run->diagnostics);
    cli_models_report_unknown (run->jobs.models, run->diagnostics);
  }
  report_left_out (run);
  if (run->n_truncated)
    rsp_warning (run->diagnostics, RSP_NOWHERE, "-v names them, and -unroll N allows more rounds",
                 run->n_truncated == 1 ? "%u test has truncated loops"
                                       : "%u tests have truncated loops",
                 run->n_truncated);
  tell (run, run->diagnostics);
}

/* FALSE if options are given that do not apply to -merge, whose records determine what was run. */
static gboolean check_merge (const CliOptions *options, RspDiagnostics *diagnostics) {
  const struct {
    const char *name;
    gboolean given;
  } others[] = { { "model", options->models->len > 0 },
                 { "names", options->names->len > 0 },
                 { "kinds", options->kinds->len > 0 && !options->expect },
                 { "conds", options->conditions->len > 0 },
                 { "shard", options->shard.of > 0 },
                 { "resume", options->resume != NULL } };
  for (guint i = 0; options->merge && i < G_N_ELEMENTS (others); i++)
    if (others[i].given) {
      rsp_error (
          diagnostics, RSP_NOWHERE, NULL,
          "`-merge` only reports the contents of its files: it cannot be combined with `-%s`",
          others[i].name);
      return FALSE;
    }
  return TRUE;
}

/* Copies of the paths of the tests that are to be done: this run's share, or those that merged
 * records name. */
static GPtrArray *own_paths (const GPtrArray *paths, const GArray *share, const GPtrArray *merged) {
  GPtrArray *own = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < share->len; i++)
    g_ptr_array_add (own, g_strdup (paths->pdata[g_array_index (share, guint, i)]));
  for (guint i = 0; merged && i < merged->len; i++)
    g_ptr_array_add (own, g_strdup (((const RspRecord *) merged->pdata[i])->path));
  return own;
}

static GPtrArray *find_tests (const CliOptions *options, CliSelection *selection,
                              RspDiagnostics *diagnostics) {
  if (options->merge)
    return g_ptr_array_new ();
  GPtrArray *paths = cli_inputs_expand (options->inputs, diagnostics);
  cli_share_filter (paths, options, selection);
  return paths;
}

static void warn_of_no_effect (const CliOptions *options, guint n_tests,
                               RspDiagnostics *diagnostics) {
  if (options->names->len && options->inputs->len && !n_tests && !options->merge)
    rsp_warning (diagnostics, RSP_NOWHERE, NULL,
                 "no test is left to check: `-names` names none of them");
  if (!options->init_writes)
    rsp_warning (diagnostics, RSP_NOWHERE, NULL,
                 "`-initwrites false` has no effect: initial writes are always events");
}

/* Opens the files that the options name. FALSE after an error. */
static gboolean open_run (Run *run, GPtrArray *own) {
  CliJobs *jobs = &run->jobs;
  const CliOptions *options = jobs->options;
  jobs->columns = cli_columns_new (options, run->diagnostics);
  if (!jobs->columns)
    return FALSE;
  if (options->expect)
    jobs->expectations
        = cli_expectations_new (options, jobs->columns, jobs->selection, own, run->diagnostics);
  guint n_models = run->merged ? cli_merge_count_models (run->merged) : jobs->columns->given->len;
  run->report = cli_report_new (options, n_models, jobs->expectations, run->diagnostics);
  if (!run->report)
    return FALSE;
  run->compared = cli_compared_new (options, jobs->columns, jobs->selection, run->diagnostics);
  jobs->models = cli_models_new (options);
  gboolean requested = cli_machines_are_requested (options);
  jobs->machines = requested ? cli_machines_new (options, run->diagnostics) : NULL;
  return jobs->machines || !requested;
}

static void close_run (Run *run) {
  CliJobs *jobs = &run->jobs;
  g_clear_pointer (&jobs->machines, cli_machines_free);
  g_clear_pointer (&jobs->models, cli_models_free);
  g_clear_pointer (&run->compared, cli_compared_free);
  g_clear_pointer (&run->report, cli_report_free);
  g_clear_pointer (&jobs->expectations, cli_expectations_free);
  g_clear_pointer (&jobs->columns, cli_columns_free);
}

static int do_run (Run *run) {
  const CliOptions *options = run->jobs.options;
  if (options->verbose)
    rsp_note (run->diagnostics, RSP_NOWHERE, "rspcheck " RSP_VERSION " %s", options->command);
  tell (run, run->diagnostics);
  if (cli_device_is_requested (options))
    return cli_device_run (&run->jobs, run->share, run->report, run->compared, run->diagnostics);
  run_tests (run);
  if (cli_report_is_unsound (run->report)) /* whatever else could not be finished */
    return CLI_STATUS_DIFFERENT;
  return run->status == CLI_STATUS_OK && cli_report_differs (run->report) ? CLI_STATUS_DIFFERENT
                                                                          : run->status;
}

/* merged: of -merge, else NULL; resume: of -resume, else NULL. */
static int run_selected (CliOptions *options, CliSelection *selection, GPtrArray *merged,
                         CliResume *resume, RspDiagnostics *diagnostics) {
  g_autoptr (GPtrArray) paths = find_tests (options, selection, diagnostics);
  g_autoptr (GArray) share = cli_share_take (options->shard, paths->len);
  g_autoptr (GPtrArray) own = own_paths (paths, share, merged);
  prepare_check (options, share->len);
  Run run
      = { .jobs = { .options = options, .selection = selection, .paths = paths, .resume = resume },
          .share = share,
          .merged = merged,
          .diagnostics = diagnostics };
  warn_of_no_effect (options, paths->len, diagnostics);
  gboolean open = open_run (&run, own);
  int status = open ? do_run (&run) : CLI_STATUS_USAGE;
  if (!open)
    cli_print_diagnostics (diagnostics, FALSE);
  close_run (&run);
  return status;
}

int cli_run (CliOptions *options, RspDiagnostics *diagnostics) {
  g_autoptr (CliSelection) selection
      = check_merge (options, diagnostics) && cli_device_check (options, diagnostics)
            ? cli_selection_new (options, diagnostics)
            : NULL;
  if (!selection) {
    cli_print_diagnostics (diagnostics, FALSE);
    return CLI_STATUS_USAGE;
  }
  g_autoptr (GPtrArray) merged = options->merge ? cli_merge_read (options, diagnostics) : NULL;
  g_autoptr (CliResume) resume
      = options->resume ? cli_resume_new (options->resume, diagnostics) : NULL;
  if ((options->merge && !merged) || (options->resume && !resume)) {
    cli_print_diagnostics (diagnostics, options->quiet);
    return CLI_STATUS_UNFINISHED;
  }
  return run_selected (options, selection, merged, resume, diagnostics);
}
