#include "cli/device/device.h"
#include "cli/device/interrupt.h"
#include "cli/device/results.h"
#include "cli/base/status.h"
#include "cli/run/signals.h"
#include "cli/base/stream.h"
#include "hardware/emit/suite.h"
#include "hardware/run.h"

#include <glib/gstdio.h>
#include <unistd.h>

gboolean cli_device_is_requested (const CliOptions *options) {
  return options->run != RSP_N_TARGETS || options->emit != RSP_N_TARGETS;
}

/* Reports options that cannot be combined: FALSE, with an error in diagnostics. */
gboolean cli_device_check (const CliOptions *options, RspDiagnostics *diagnostics) {
  gboolean runs = options->run != RSP_N_TARGETS, emits = options->emit != RSP_N_TARGETS;
  const char *wrong = NULL;
  if (runs && emits)
    wrong = "`-run` and `-emit` are alternatives: give only one of them";
  else if ((runs || emits) && options->bounds.remote
           && !g_str_equal (options->bounds.remote, "ordinary"))
    wrong = "`-remote` of `-run` and `-emit`: expected `ordinary`";
  else if (emits && !options->logs)
    wrong = "`-emit` needs a directory for the sources: `-o DIR`";
  else if (runs && (options->expect || options->merge || options->resume || options->machine))
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
  if (options->emit != RSP_N_TARGETS)
    return g_strdup (options->logs);
  return options->sources ? g_strdup (options->sources) : g_dir_make_tmp ("rspcheck-XXXXXX", error);
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
  RspDeviceRun how = { .runs = options->runs,
                       .seconds = options->seconds,
                       .seed = options->seed,
                       .jobs = options->jobs,
                       .progress = !options->quiet && isatty (STDERR_FILENO) };
  if (!rsp_hardware_build (options->run, folder, options->jobs, cancellable, error))
    return NULL;
  return rsp_hardware_run (folder, &how, cancellable, error);
}

/* The log, or NULL after an error; if the program ended early, that is also reported. A signal ends
 * the process after the folder has been removed. */
static char *make_and_run (const CliOptions *options, const CliSuite *suite,
                           const RspEmitOptions *how, RspDiagnostics *diagnostics) {
  g_autoptr (GError) error = NULL;
  gboolean runs = options->run != RSP_N_TARGETS;
  CliInterrupt *interrupt = runs ? cli_interrupt_watch () : NULL;
  g_autofree char *folder = choose_folder (options, &error);
  char *log = NULL;
  if (folder && rsp_hardware_emit_suite (suite->programs, suite->notes, how, folder, &error) && runs
      && suite->programs->len)
    log = run_suite (options, folder, cli_interrupt_cancellable (interrupt), &error);
  if (folder && runs && !options->sources)
    remove_folder (folder);
  int signal = runs ? cli_interrupt_end (interrupt) : 0;
  if (signal)
    cli_signals_die (signal);
  if (error)
    rsp_error (diagnostics, RSP_NOWHERE, NULL, "%s", error->message);
  return log;
}

int cli_device_run (const CliJobs *jobs, const GArray *share, CliReport *report,
                    CliCompared *compared, RspDiagnostics *diagnostics) {
  const CliOptions *options = jobs->options;
  gboolean runs = options->run != RSP_N_TARGETS;
  RspEmitOptions how
      = { .target = runs ? options->run : options->emit, .unroll = options->check.unroll };
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
