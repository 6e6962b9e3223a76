/* -run and -emit: tests on devices, and their results. */
#include "cli/extra.h"
#include "cli/gio.h"
#include "extra/hardware/hardware.h"
#include "parser/litmus/litmus.h"
#include "report/report.h"

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

/* The tests of -run and -emit that can be read and run on the target. */

typedef struct Suite {
  GPtrArray *programs; /* of RspProgram */
  GPtrArray *notes;    /* of char *: what the log says besides counts, per program; "" for none */
  GArray *indices;     /* of guint: each program's number among all tests */
  guint n_refused;     /* tests that do not run on the target; each was reported */
  gboolean unread;     /* has a test been unreadable? It has been reported */
} Suite;

static void free_suite (Suite *suite) {
  if (!suite)
    return;
  g_ptr_array_unref (suite->programs);
  g_ptr_array_unref (suite->notes);
  g_array_unref (suite->indices);
  g_free (suite);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Suite, free_suite)

/* ---- Interrupt ------------------------------------------------------------------------------ */

/* SIGINT, SIGTERM and SIGHUP while waiting for other programs: they cancel the wait, so that
 * folders can be removed before the signal ends the process. A separate thread handles them, since
 * the one that waits for a program runs no main loop of ours. */

typedef struct Interrupt {
  GCancellable *cancellable; /* cancelled when a signal arrives */
  GMainContext *context;
  GMainLoop *loop;
  GThread *thread;
  gint signal; /* atomic */
} Interrupt;

typedef struct Watch {
  Interrupt *interrupt;
  int signal;
} Watch;

static gboolean take_signal (gpointer data) {
  const Watch *watch = data;
  g_atomic_int_set (&watch->interrupt->signal, watch->signal);
  cli_gio.cancellable_cancel (watch->interrupt->cancellable);
  return G_SOURCE_CONTINUE;
}

static gpointer run_loop (gpointer data) {
  g_main_loop_run (data);
  return NULL;
}

/* Starts to catch the signals, unless they are ignored. */
static Interrupt *catch_signals (void) {
  Interrupt *interrupt = g_new0 (Interrupt, 1);
  interrupt->cancellable = cli_gio.cancellable_new ();
  interrupt->context = g_main_context_new ();
  interrupt->loop = g_main_loop_new (interrupt->context, FALSE);
  for (guint i = 0; i < CLI_N_ENDING; i++)
    if (!cli_signal_is_ignored (cli_ending_signals[i])) {
      Watch *watch = g_new (Watch, 1);
      g_autoptr (GSource) source = g_unix_signal_source_new (cli_ending_signals[i]);
      *watch = (Watch){ interrupt, cli_ending_signals[i] };
      g_source_set_callback (source, take_signal, watch, g_free);
      g_source_attach (source, interrupt->context);
    }
  interrupt->thread = g_thread_new ("signals", run_loop, interrupt->loop);
  return interrupt;
}

static gboolean quit_loop (gpointer loop) {
  g_main_loop_quit (loop);
  return G_SOURCE_REMOVE;
}

/* Ends the watch and frees interrupt. Returns the signal that arrived, or 0. */
static int end_interrupt (Interrupt *interrupt) {
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

/* Reads the tests of jobs whose numbers are in share. */
static Suite *read_suite (const CliJobs *jobs, const GArray *share, const RspEmitOptions *emit,
                          RspDiagnostics *diagnostics) {
  Suite *suite = g_new0 (Suite, 1);
  gboolean makes_ordinary = g_strcmp0 (cli_option_text (jobs->options, "remote"), "ordinary") == 0;
  suite->programs = g_ptr_array_new_with_free_func ((GDestroyNotify) rsp_program_free);
  suite->notes = g_ptr_array_new_with_free_func (g_free);
  suite->indices = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < share->len; i++) {
    guint index = g_array_index (share, guint, i);
    CliResult result = { .diagnostics = rsp_diagnostics_new (), .selected = TRUE };
    RspProgram *program = cli_job_read (jobs, jobs->paths->pdata[index], &result);
    suite->unread |= cli_print_diagnostics (result.diagnostics, jobs->options->quiet) > 0;
    guint n_ordinary = program && makes_ordinary ? rsp_hardware_make_ordinary (program) : 0;
    if (program)
      rsp_hardware_place_memory (program);
    g_autofree char *reason = program ? rsp_hardware_refusal (program, emit) : NULL;
    if (reason) {
      rsp_warning (diagnostics, RSP_NOWHERE, NULL, "%s is not run: %s", program->name, reason);
      suite->n_refused++;
      rsp_program_free (program);
    } else if (program) {
      GString *note = g_string_new (NULL);
      if (emit->target == RSP_TARGET_C11 && program->language->scoped)
        g_string_append (note, "scopes are dropped: every operation reaches all threads");
      if (n_ordinary)
        g_string_append_printf (note, "%sremote operations are ordinary ones of the same scope",
                                note->len ? "; " : "");
      g_ptr_array_add (suite->programs, program);
      g_ptr_array_add (suite->notes, g_string_free (note, FALSE));
      g_array_append_val (suite->indices, index);
    }
    cli_print_diagnostics (diagnostics, jobs->options->quiet);
    rsp_diagnostics_free (result.diagnostics);
  }
  return suite;
}

/* ---- Results -------------------------------------------------------------------------------- */

/* The results of -run: a device's log as records, next to those of models. */

typedef struct Results {
  const CliJobs *jobs;
  const Suite *suite;
  const GPtrArray *columns; /* of CliColumn: those of -model */
  GPtrArray *entries;       /* of RspLogEntry, in the suite's order; some tests may be missing */
  guint n_entries;          /* taken so far */
  const char *log;
  CliReport *report;
  CliCompared *compared;
  gboolean failed, violated;
} Results;

/* ---- The device's record ---- */
/* The record of program i: the log's, or one that tells why there is none. */
static RspRecord *device_record (Results *r, guint i) {
  const CliOptions *options = r->jobs->options;
  const DeviceOptions *own = own_options (options);
  const RspProgram *program = r->suite->programs->pdata[i];
  guint index = g_array_index (r->suite->indices, guint, i);
  const char *path = r->jobs->paths->pdata[index], *target = rsp_target_names[own->run];
  RspLogEntry *entry = r->n_entries < r->entries->len ? r->entries->pdata[r->n_entries] : NULL;
  RspRecord *device;
  if (entry && g_str_equal (entry->record->test, program->name)) {
    device = g_steal_pointer (&entry->record);
    r->n_entries++;
  } else {
    g_autofree char *refused = g_strdup_printf ("Refused %s: ", program->name);
    const char *at = g_str_has_prefix (r->log, refused) ? r->log : strstr (r->log, refused);
    const char *why = at ? at + strlen (refused) : "the tests' program ended before this test";
    g_autofree char *reason = g_strndup (why, strcspn (why, "\n"));
    device = rsp_record_new (program->name, path, "", reason);
  }
  device->is_device = TRUE;
  device->index = index;
  device->total = r->jobs->paths->len;
  device->column = r->columns->len;
  device->columns = r->columns->len + 1;
  g_clear_pointer (&device->log, g_free);
  g_free (device->path);
  device->path = g_strdup (path);
  g_free (device->model);
  device->model /* a model may have the target's name (opencl) */
      = g_strdup_printf ("%s%s", target, cli_columns_have (r->columns, target) ? " device" : "");
  device->options = g_strdup_printf (
      "run=%s remote=%s unroll=%u runs=%" G_GUINT64_FORMAT " seconds=%g seed=%" G_GUINT64_FORMAT,
      target, cli_option_text (options, "remote") ? "ordinary" : "refuse", options->check.unroll,
      own->runs, own->seconds, own->seed);
  g_free (device->version);
  device->version = g_strdup (RSP_VERSION);
  rsp_record_set_program (device, program);
  rsp_record_set_question (device, program);
  return device;
}

/* ---- Rows ---- */
static void take_record (Results *r, RspRecord *record) {
  r->failed |= !rsp_record_is_ok (record);
  r->failed |= !cli_report_take (r->report, record);
}

/* Reports program i: a record for each -model, one for the device, those of -compare. */
static void report_row (Results *r, guint i) {
  CliResult *result = g_new0 (CliResult, 1);
  RspRecord *device = device_record (r, i);
  result->diagnostics = rsp_diagnostics_new ();
  cli_job_check (r->jobs, device->index, r->suite->programs->pdata[i], r->columns, result);
  for (guint k = 0; k < result->n_cells; k++) {
    g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
    cli_models_report (r->jobs->models, result->cells[k].model, diagnostics);
    r->failed |= cli_print_diagnostics (diagnostics, r->jobs->options->quiet) > 0;
    r->failed |= cli_print_diagnostics (result->cells[k].diagnostics, r->jobs->options->quiet) > 0;
    result->cells[k].record->columns++;
    rsp_judge_record (device, result->cells[k].record);
  }
  r->violated |= rsp_record_is_violation (device);
  for (guint k = 0; k < result->n_cells; k++)
    take_record (r, g_steal_pointer (&result->cells[k].record));
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (GPtrArray) compared = cli_compared_with (r->compared, device, diagnostics);
  cli_print_diagnostics (diagnostics, r->jobs->options->quiet);
  take_record (r, device);
  for (guint k = 0; k < compared->len; k++)
    cli_report_take (r->report, g_steal_pointer (&compared->pdata[k]));
  cli_result_free (result);
}

/* ---- Device --------------------------------------------------------------------------------- */

static gboolean is_requested (const CliOptions *options) {
  const DeviceOptions *own = own_options (options);
  return own->run != RSP_N_TARGETS || own->emit != RSP_N_TARGETS;
}

/* Reports options that cannot be combined: FALSE, with an error in diagnostics. */
static gboolean check (const CliOptions *options, RspDiagnostics *diagnostics) {
  const DeviceOptions *own = own_options (options);
  const char *remote = cli_option_text (options, "remote");
  gboolean runs = own->run != RSP_N_TARGETS, emits = own->emit != RSP_N_TARGETS;
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

/* The log, or NULL after an error; reports also if the program ended early. A signal ends the
 * process after the folder has been removed. */
static char *make_and_run (const CliOptions *options, const Suite *suite, const RspEmitOptions *how,
                           RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  const DeviceOptions *own = own_options (options);
  gboolean runs = own->run != RSP_N_TARGETS;
  if (runs && !cli_load_gio (&error)) {
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
    return NULL;
  }
  Interrupt *interrupt = runs ? catch_signals () : NULL;
  const char *named = runs ? own->sources : options->logs;
  g_autofree char *folder = named ? g_strdup (named) : g_dir_make_tmp ("rspcheck-XXXXXX", &error);
  char *log = NULL;
  RspDeviceRun run = { .runs = own->runs,
                       .seconds = own->seconds,
                       .seed = own->seed,
                       .jobs = options->jobs,
                       .progress = !options->no_progress && isatty (STDERR_FILENO) };
  if (folder && rsp_hardware_emit_suite (suite->programs, suite->notes, how, folder, &error) && runs
      && suite->programs->len
      && rsp_hardware_build (own->run, suite->programs->len, folder, options->jobs,
                             interrupt->cancellable, &error))
    log = rsp_hardware_run (folder, &run, interrupt->cancellable, &error);
  if (folder && runs && !named) { /* it has only files in it */
    g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
    for (const char *name; directory && (name = g_dir_read_name (directory));) {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_unlink (path);
    }
    g_rmdir (folder);
  }
  int signal = runs ? end_interrupt (interrupt) : 0;
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
  for (guint i = 0; i < options->variants->len; i++) {
    gboolean always = g_str_equal (options->variants->pdata[i], "cas-writeback");
    if (always
        || g_str_equal (options->variants->pdata[i], "no-cas-writeback")) /* the last one counts */
      for (guint k = 0; k < RSP_N_LANGUAGES; k++)
        how.cas_writeback[k] = always;
  }
  g_autoptr (Suite) suite = read_suite (jobs, share, &how, diagnostics);
  g_autofree char *log = make_and_run (options, suite, &how, diagnostics);
  Results r = { .jobs = jobs,
                .suite = suite,
                .columns = jobs->columns->given,
                .log = log,
                .report = report,
                .compared = compared };
  r.failed = cli_print_diagnostics (diagnostics, options->quiet) > 0;
  if (log) {
    g_autoptr (RspDiagnostics) reading = rsp_diagnostics_new ();
    g_autoptr (RspSource) source = rsp_source_new ("log", g_strdup (log), strlen (log));
    r.entries = rsp_log_read (source, rsp_target_names[own->run], reading);
    r.failed |= !cli_report_begin (report);
    for (guint i = 0; i < suite->programs->len; i++)
      report_row (&r, i);
    r.failed |= !cli_report_end (report);
    g_ptr_array_unref (r.entries);
  }
  if (r.violated)
    return CLI_STATUS_DIFFERENT;
  return r.failed || suite->unread || suite->n_refused ? CLI_STATUS_UNFINISHED : CLI_STATUS_OK;
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
  VALUE ("sources", CLI_DEVICES, CLI_WRITTEN, sources, "DIR", "Keep the sources of -run in DIR."),
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
                                  .check_tests = check,
                                  .commands = commands };
