/* -run and -emit: tests on devices, and their results. */
#include "cli/extra.h"
#include "extra/hardware/hardware.h"
#include "parser/litmus/litmus.h"
#include "report/report.h"

#include <gio/gio.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef struct DeviceOptions {
  guint run, emit;    /* RspTarget; RSP_N_TARGETS: neither */
  guint64 runs, seed; /* of -run */
  double seconds;
  char *sources; /* directory, or NULL */
} DeviceOptions;

static DeviceOptions *own_options (const CliOptions *options) {
  return cli_extra_options (options, &hardware_extra);
}

typedef struct CliInterrupt CliInterrupt;

/* The tests of -run and -emit: those that can be read and run on the target. */

typedef struct CliSuite {
  GPtrArray *programs; /* of RspProgram */
  GPtrArray *notes;    /* of char *: notes for the log, one per program; "" for none */
  GArray *indices;     /* of guint: each program's number among all tests */
  guint n_refused;     /* tests that do not run on the target; each was reported */
  gboolean unread;     /* has a test been unreadable? It has been reported */
} CliSuite;

static void cli_suite_free (CliSuite *suite);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliSuite, cli_suite_free)

/* ---- Interrupt ------------------------------------------------------------------------------ */

/* SIGINT and SIGTERM while waiting for other programs: they cancel the wait, so that what was begun
 * can be cleaned up before the signal ends the process. */

/* A separate thread handles the signals, since the one that waits for a program runs no main loop
 * of ours. */
struct CliInterrupt {
  GCancellable *cancellable;
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  gint signal; /* atomic */
};

typedef struct Watch {
  CliInterrupt *interrupt;
  int signal;
} Watch;

static gboolean take_signal (gpointer data) {
  const Watch *watch = data;
  g_atomic_int_set (&watch->interrupt->signal, watch->signal);
  g_cancellable_cancel (watch->interrupt->cancellable);
  return G_SOURCE_CONTINUE;
}

static void watch_signal (CliInterrupt *interrupt, int number) {
  Watch *watch = g_new (Watch, 1);
  g_autoptr (GSource) source = g_unix_signal_source_new (number);
  *watch = (Watch){ interrupt, number };
  g_source_set_callback (source, take_signal, watch, g_free);
  g_source_attach (source, interrupt->context);
}

static gpointer run_loop (gpointer data) {
  g_main_loop_run (data);
  return NULL;
}

/* Starts catching the signals, unless they are ignored. */
static CliInterrupt *cli_interrupt_watch (void) {
  static const int ending[] = { SIGINT, SIGTERM };
  CliInterrupt *interrupt = g_new0 (CliInterrupt, 1);
  interrupt->cancellable = g_cancellable_new ();
  interrupt->context = g_main_context_new ();
  interrupt->loop = g_main_loop_new (interrupt->context, FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (ending); i++)
    if (!cli_signal_is_ignored (ending[i]))
      watch_signal (interrupt, ending[i]);
  interrupt->thread = g_thread_new ("signals", run_loop, interrupt->loop);
  return interrupt;
}

/* Cancelled when a signal arrives; owned by the interrupt. */
static GCancellable *cli_interrupt_cancellable (const CliInterrupt *interrupt) {
  return interrupt->cancellable;
}

static gboolean quit_loop (gpointer loop) {
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

/* Ends the watch and frees interrupt. Returns the signal that arrived, or 0. */
static int cli_interrupt_end (CliInterrupt *interrupt) {
  /* as an event of the loop, which may not have begun to run */
  g_autoptr (GSource) quit = g_idle_source_new ();
  g_source_set_callback (quit, quit_loop, interrupt->loop, NULL);
  g_source_attach (quit, interrupt->context);
  g_thread_join (interrupt->thread);
  int number = interrupt->signal;
  g_main_loop_unref (interrupt->loop);
  g_main_context_unref (interrupt->context);
  g_object_unref (interrupt->cancellable);
  g_free (interrupt);
  return number;
}

/* ---- Suite ---------------------------------------------------------------------------------- */

/* The log's notes in addition to the counts. */
static char *describe (const RspProgram *program, RspTarget target, guint n_ordinary) {
  GString *note = g_string_new (NULL);
  if (target == RSP_TARGET_C11 && program->language->scoped)
    g_string_append (note, "scopes are dropped: every operation reaches all threads");
  if (n_ordinary)
    g_string_append_printf (note, "%sremote operations are ordinary ones of the same scope",
                            note->len ? "; " : "");
  return g_string_free (note, FALSE);
}

static gboolean makes_ordinary (const CliOptions *options) {
  return g_strcmp0 (cli_option_text (options, "remote"), "ordinary") == 0;
}

/* Takes the program. */
static void take_program (CliSuite *suite, const CliJobs *jobs, guint index,
                          const RspEmitOptions *emit, RspProgram *program,
                          RspDiagnostics *diagnostics) {
  guint n_ordinary = makes_ordinary (jobs->options) ? rsp_hardware_make_ordinary (program) : 0;
  g_autofree char *reason = rsp_hardware_refusal (program, emit);
  if (reason) {
    rsp_warning (diagnostics, RSP_NOWHERE, NULL, "%s is not run: %s", program->name, reason);
    suite->n_refused++;
    rsp_program_free (program);
    return;
  }
  g_ptr_array_add (suite->programs, program);
  g_ptr_array_add (suite->notes, describe (program, emit->target, n_ordinary));
  g_array_append_val (suite->indices, index);
}

/* Reads the tests of jobs whose numbers are in share. */
static CliSuite *cli_suite_read (const CliJobs *jobs, const GArray *share,
                                 const RspEmitOptions *emit, RspDiagnostics *diagnostics) {
  CliSuite *suite = g_new0 (CliSuite, 1);
  suite->programs = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_program_free);
  suite->notes = g_ptr_array_new_with_free_func (g_free);
  suite->indices = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < share->len; i++) {
    guint index = g_array_index (share, guint, i);
    CliResult result = { .diagnostics = rsp_diagnostics_new (), .selected = TRUE };
    RspProgram *program = cli_job_read (jobs, jobs->paths->pdata[index], &result);
    suite->unread |= cli_print_diagnostics (result.diagnostics, jobs->options->quiet) > 0;
    if (program)
      take_program (suite, jobs, index, emit, program, diagnostics);
    cli_print_diagnostics (diagnostics, jobs->options->quiet);
    rsp_diagnostics_free (result.diagnostics);
  }
  return suite;
}

static void cli_suite_free (CliSuite *suite) {
  if (!suite)
    return;
  g_ptr_array_unref (suite->programs);
  g_ptr_array_unref (suite->notes);
  g_array_unref (suite->indices);
  g_free (suite);
}

/* ---- Results -------------------------------------------------------------------------------- */

/* The results of -run: a device's log as records, next to those of models. */

typedef struct Results {
  const CliJobs *jobs;
  const CliSuite *suite;
  const GPtrArray *columns; /* of CliColumn: those of -model */
  GPtrArray *entries;       /* of RspLogEntry, in the suite's order; some tests may be missing */
  guint n_entries;          /* taken so far */
  const char *log;
  CliReport *report;
  CliCompared *compared;
  gboolean failed, violated;
} Results;

/* ---- The device's record ---- */
/* "Refused NAME: reason" */
static char *find_reason (const Results *r, const RspProgram *program) {
  g_autofree char *begin = g_strdup_printf ("Refused %s: ", program->name);
  const char *at = g_str_has_prefix (r->log, begin) ? r->log : strstr (r->log, begin);
  if (!at)
    return g_strdup ("the tests' program ended before this test");
  at += strlen (begin);
  return g_strndup (at, strcspn (at, "\n"));
}

/* The log's record of the program; NULL if it has none. */
static RspRecord *take_entry (Results *r, const RspProgram *program) {
  if (r->n_entries == r->entries->len)
    return NULL;
  RspLogEntry *entry = r->entries->pdata[r->n_entries];
  if (!g_str_equal (entry->record->test, program->name))
    return NULL;
  r->n_entries++;
  return g_steal_pointer (&entry->record);
}

static char *describe_options (const CliOptions *options) {
  const DeviceOptions *own = own_options (options);
  return g_strdup_printf (
      "run=%s remote=%s unroll=%u runs=%" G_GUINT64_FORMAT " seconds=%g seed=%" G_GUINT64_FORMAT,
      rsp_target_names[own->run], cli_option_text (options, "remote") ? "ordinary" : "refuse",
      options->check.unroll, own->runs, own->seconds, own->seed);
}

/* The target's name, or a different one if a model has that name (opencl). */
static char *column_label (const Results *r) {
  const char *name = rsp_target_names[own_options (r->jobs->options)->run];
  for (guint k = 0; k < r->columns->len; k++)
    if (g_str_equal (((const CliColumn *) r->columns->pdata[k])->label, name))
      return g_strdup_printf ("%s device", name);
  return g_strdup (name);
}

static RspRecord *device_record (Results *r, guint i) {
  const RspProgram *program = r->suite->programs->pdata[i];
  guint index = g_array_index (r->suite->indices, guint, i);
  const char *path = r->jobs->paths->pdata[index];
  RspRecord *record = take_entry (r, program);
  if (!record) {
    g_autofree char *reason = find_reason (r, program);
    record = rsp_record_new (program->name, path, "", reason);
  }
  record->is_device = TRUE;
  record->index = index;
  record->total = r->jobs->paths->len;
  record->column = r->columns->len;
  record->columns = r->columns->len + 1;
  g_clear_pointer (&record->log, g_free);
  g_free (record->path);
  record->path = g_strdup (path);
  g_free (record->model);
  record->model = column_label (r);
  record->options = describe_options (r->jobs->options);
  g_free (record->version);
  record->version = g_strdup (RSP_VERSION);
  rsp_record_set_program (record, program);
  rsp_record_set_question (record, program);
  return record;
}

/* ---- Rows ---- */
static void take_record (Results *r, RspRecord *record) {
  r->failed |= !rsp_record_is_ok (record);
  r->failed |= !cli_report_take (r->report, record);
}

/* The device's record, and the records of logs for the same test. */
static void take_device (Results *r, RspRecord *device) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GPtrArray) compared = cli_compared_with (r->compared, device, diagnostics);
  cli_print_diagnostics (diagnostics, r->jobs->options->quiet);
  take_record (r, device);
  for (guint k = 0; k < compared->len; k++)
    cli_report_take (r->report, g_steal_pointer (&compared->pdata[k]));
}

static void report_cell (Results *r, CliCell *cell) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  cli_models_report (r->jobs->models, cell->model, diagnostics);
  r->failed |= cli_print_diagnostics (diagnostics, r->jobs->options->quiet) > 0;
  r->failed |= cli_print_diagnostics (cell->diagnostics, r->jobs->options->quiet) > 0;
  cell->record->columns++;
}

static void report_row (Results *r, guint i) {
  CliResult *result = g_new0 (CliResult, 1);
  RspRecord *device = device_record (r, i);
  result->diagnostics = rsp_diagnostics_new ();
  cli_job_check (r->jobs, device->index, r->suite->programs->pdata[i], r->columns, result);
  for (guint k = 0; k < result->n_cells; k++) {
    report_cell (r, &result->cells[k]);
    rsp_judge_record (device, result->cells[k].record);
  }
  r->violated |= rsp_record_is_violation (device);
  for (guint k = 0; k < result->n_cells; k++)
    take_record (r, g_steal_pointer (&result->cells[k].record));
  take_device (r, device);
  cli_result_free (result);
}

/* Reports every test of the suite: a record for each -model, one for the device, those of -compare.
 * *violated: is some device's record a violation? FALSE if some test has no answer or something
 * cannot be written. */
static gboolean cli_results_report (const CliJobs *jobs, const CliSuite *suite, const char *log,
                                    CliReport *report, CliCompared *compared, gboolean *violated) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspSource) source = rsp_source_new ("log", g_strdup (log), strlen (log));
  Results r = { .jobs = jobs,
                .suite = suite,
                .columns = jobs->columns->given,
                .entries = rsp_log_read (source, rsp_target_names[own_options (jobs->options)->run],
                                         diagnostics),
                .log = log,
                .report = report,
                .compared = compared };
  r.failed = !cli_report_begin (report);
  for (guint i = 0; i < suite->programs->len; i++)
    report_row (&r, i);
  r.failed |= !cli_report_end (report);
  g_ptr_array_unref (r.entries);
  *violated = r.violated;
  return !r.failed;
}

/* ---- Device --------------------------------------------------------------------------------- */

static gboolean is_requested (const CliOptions *options) {
  const DeviceOptions *own = own_options (options);
  return own->run != RSP_N_TARGETS || own->emit != RSP_N_TARGETS;
}

/* Reports options that cannot be combined: FALSE, with an error in diagnostics. */
static gboolean check (const CliOptions *options, RspDiagnostics *diagnostics) {
  const DeviceOptions *own = own_options (options);
  gboolean runs = own->run != RSP_N_TARGETS, emits = own->emit != RSP_N_TARGETS;
  const char *remote = cli_option_text (options, "remote");
  const char *wrong = NULL;
  if (runs && emits)
    wrong = "`-run` and `-emit` are alternatives: give only one of them";
  else if ((runs || emits) && remote && !g_str_equal (remote, "ordinary"))
    wrong = "`-remote` of `-run` and `-emit`: expected `ordinary`";
  else if (emits && !options->logs)
    wrong = "`-emit` needs a directory for the sources: `-o DIR`";
  else if (runs
           && (options->expect || options->merge || options->resume
               || cli_option_is_set (options, "machine")))
    wrong = "`-run` cannot be combined with `-expect`, `-machine`, `-merge` or `-resume`";
  else if (runs && options->check.speedcheck != RSPCHECK_SPEED_EXACT)
    wrong = "`-run` compares with all states that a model allows, and `-speedcheck` does not find "
            "them";
  if (wrong)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", wrong);
  return wrong == NULL;
}

/* As in checks: the last variant counts. */
static void choose_writeback (const CliOptions *options, RspEmitOptions *how) {
  for (guint i = 0; i < options->variants->len; i++) {
    gboolean always = g_str_equal (options->variants->pdata[i], "cas-writeback");
    if (always || g_str_equal (options->variants->pdata[i], "no-cas-writeback"))
      for (guint k = 0; k < RSP_N_LANGUAGES; k++)
        how->cas_writeback[k] = always;
  }
}

/* ---- Folders ---- */
/* The folder of the sources; the caller frees it. NULL after an error. */
static char *choose_folder (const CliOptions *options, GError **error) {
  const DeviceOptions *own = own_options (options);
  if (own->emit != RSP_N_TARGETS)
    return g_strdup (options->logs);
  return own->sources ? g_strdup (own->sources) : g_dir_make_tmp ("rspcheck-XXXXXX", error);
}

/* It has only files in it. */
static void remove_folder (const char *folder) {
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  for (const char *name; directory && (name = g_dir_read_name (directory));) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_unlink (path);
  }
  g_rmdir (folder);
}

/* ---- Running ---- */
static char *run_suite (const CliOptions *options, const char *folder, GCancellable *cancellable,
                        GError **error) {
  const DeviceOptions *own = own_options (options);
  RspDeviceRun how = { .runs = own->runs,
                       .seconds = own->seconds,
                       .seed = own->seed,
                       .jobs = options->jobs,
                       .progress = !options->quiet && isatty (STDERR_FILENO) };
  if (!rsp_hardware_build (own->run, folder, options->jobs, cancellable, error))
    return NULL;
  return rsp_hardware_run (folder, &how, cancellable, error);
}

/* The log, or NULL after an error; if the program ended early, that is also reported. A signal ends
 * the process after the folder has been removed. */
static char *make_and_run (const CliOptions *options, const CliSuite *suite,
                           const RspEmitOptions *how, RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  const DeviceOptions *own = own_options (options);
  gboolean runs = own->run != RSP_N_TARGETS;
  CliInterrupt *interrupt = runs ? cli_interrupt_watch () : NULL;
  g_autofree char *folder = choose_folder (options, &error);
  char *log = NULL;
  if (folder && rsp_hardware_emit_suite (suite->programs, suite->notes, how, folder, &error) && runs
      && suite->programs->len)
    log = run_suite (options, folder, cli_interrupt_cancellable (interrupt), &error);
  if (folder && runs && !own->sources)
    remove_folder (folder);
  int signal = runs ? cli_interrupt_end (interrupt) : 0;
  if (signal)
    cli_signals_die (signal);
  if (error)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
  return log;
}

static int run_tests (const CliJobs *jobs, const GArray *share, CliReport *report,
                      CliCompared *compared, RspDiagnostics *diagnostics) {
  const CliOptions *options = jobs->options;
  const DeviceOptions *own = own_options (options);
  gboolean runs = own->run != RSP_N_TARGETS;
  RspEmitOptions how = { .target = runs ? own->run : own->emit, .unroll = options->check.unroll };
  for (guint i = 0; i < RSP_N_LANGUAGES; i++)
    how.cas_writeback[i] = rsp_languages[i].cas_writeback;
  choose_writeback (options, &how);
  g_autoptr (CliSuite) suite = cli_suite_read (jobs, share, &how, diagnostics);
  g_autofree char *log = make_and_run (options, suite, &how, diagnostics);
  gboolean failed = cli_print_diagnostics (diagnostics, options->quiet) > 0;
  gboolean violated = FALSE;
  if (log)
    failed |= !cli_results_report (jobs, suite, log, report, compared, &violated);
  if (violated)
    return CLI_STATUS_DIFFERENT;
  return failed || suite->unread || suite->n_refused ? CLI_STATUS_UNFINISHED : CLI_STATUS_OK;
}

/* Models' records are not logged, since the device's record has their judgements. */
static gboolean take_log (CliSink *sink, const RspRecord *record) {
  return !record->is_device || cli_sink_take_log (sink, record);
}

static const CliSink sink = { .take = take_log };

/* ---- The row -------------------------------------------------------------------------------- */

#define OPTIONS DeviceOptions
#include "cli/option_rows.h"

static const CliOption options_table[] = {
  WORD ("run", CLI_DEVICES, run, rsp_target_names, "cuda|c11|opencl",
        "Run the tests on a device: a GPU with nvcc (cuda) or OpenCL C 2.0, or this machine's "
        "processor (c11). The log has litmus7's format; with -model, it also shows whether each "
        "state seen is "
        "allowed. See docs/hardware.md."),
  WORD ("emit", CLI_DEVICES, emit, rsp_target_names, "cuda|c11|opencl",
        "Only write the sources of that run, with a Makefile, to the directory of -o."),
  VALUE ("runs", CLI_DEVICES, CLI_COUNT, runs, "N",
         "Run each test at least N times. Default: 1000000, or as often as -seconds allows."),
  VALUE ("seconds", CLI_DEVICES, CLI_SECONDS, seconds, "S", "Run each test for S seconds."),
  VALUE ("seed", CLI_DEVICES, CLI_COUNT, seed, "K",
         "Draw the parameters of runs (placement, stress) from K. Default: 1."),
  VALUE ("sources", CLI_DEVICES, CLI_TEXT, sources, "DIR", "Keep the sources of -run in DIR."),
};

static void init (gpointer own) {
  DeviceOptions *options = own;
  options->run = options->emit = RSP_N_TARGETS;
  options->seed = 1;
}

static const CliCommand commands[]
    = { { .option = "run", .is_requested = is_requested, .sink = &sink, .run_tests = run_tests },
        { .option = NULL } };

const CliExtra hardware_extra = { .options = options_table,
                                  .n_options = G_N_ELEMENTS (options_table),
                                  .size = sizeof (DeviceOptions),
                                  .init = init,
                                  .outside = (const char *const[]){ "run", "emit", NULL },
                                  .check_tests = check,
                                  .commands = commands };
