/* The program: one of its faces, by the options. */
#include "cli/internal.h"
#include "extra/lsp/lsp.h"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

/* rspcheck: reads the command line and does what it requests. */

static int print_text (void (*format) (GString *)) {
  g_autoptr (GString) text = g_string_new (NULL);
  format (text);
  return cli_write (text) ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

static int print_help (CliGroup topic) {
  if (topic == CLI_N_GROUPS)
    return print_text (cli_help_format);
  g_autoptr (GString) text = g_string_new (NULL);
  cli_help_format_topic (topic, text);
  return cli_write (text) ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

static int print_completion (CliShell shell) {
  g_autoptr (GString) text = g_string_new (NULL);
  cli_completion_format (shell, text);
  return cli_write (text) ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
}

/* Each combination of paths has arenas of megabytes, which the next one can reuse: returning them
 * to the system in between would cost a page fault for every page. */
static void keep_memory (void) {
#ifdef __GLIBC__
  mallopt (M_MMAP_THRESHOLD, 32 << 20);
  mallopt (M_TRIM_THRESHOLD, 256 << 20);
#endif
}

/* A closed standard descriptor would be reused for the first file opened, and output would go
 * there. So it is opened in the wrong direction, which makes its use fail as before. */
static void open_standard_descriptors (void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++)
    if (fcntl (descriptor, F_GETFD) == -1) {
      int file = open ("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
      if (file > descriptor)
        close (file);
    }
}

/* FALSE, with an error, if -progress or -kernel is given with a question that would ignore it. */
static gboolean check_question (const CliOptions *options, RspDiagnostics *diagnostics) {
  gboolean other = cli_machines_are_requested (options) || cli_device_is_requested (options)
                   || cli_synth_is_requested (options) || options->relax || options->vary
                   || cli_tests_are_compared (options);
  const char *question = NULL;
  if (options->kernel && other)
    question = "`-kernel` asks what is wrong with a kernel";
  else if (options->progress->len && !options->kernel && (other || options->repair))
    question = "`-progress` asks about given tests or a kernel under models";
  if (question)
    rsp_error (
        diagnostics, RSP_NOWHERE, NULL,
        "%s: it cannot be combined with questions about mappings, devices, edits or all programs",
        question);
  return question == NULL;
}

int main (int argc, char **argv) {
  open_standard_descriptors ();
  keep_memory ();
  signal (SIGPIPE, SIG_IGN); /* a closed reader shows as a failed write */
  g_autoptr (CliOptions) options = cli_options_new ();
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  if (!cli_options_parse (options, argc - 1, argv + 1, diagnostics)) {
    cli_print_diagnostics (diagnostics, FALSE);
    return CLI_STATUS_USAGE;
  }
  if (options->confined)
    cli_confine ();
  if (options->help)
    return print_help (options->topic);
  if (options->help_all)
    return print_text (options->json ? cli_help_format_json : cli_help_format_all);
  if (options->version)
    return print_text (cli_version_format);
  if (options->help_model)
    return cli_help_models (options, diagnostics);
  if (options->help_mapping)
    return cli_help_mapping ();
  if (options->completion)
    return print_completion (options->completion);
  if (options->man)
    return print_text (cli_man_format);
  if (options->lsp)
    return rsp_lsp_run (STDIN_FILENO, STDOUT_FILENO, options->models) ? CLI_STATUS_OK
                                                                      : CLI_STATUS_UNFINISHED;
  if (options->serve)
    return cli_serve_run (options, diagnostics);
  if (options->format == CLI_FORMAT_LAYOUT)
    return cli_layout_run (options, diagnostics);
  if (!cli_machines_check (options, diagnostics) || !check_question (options, diagnostics)) {
    cli_print_diagnostics (diagnostics, FALSE);
    return CLI_STATUS_USAGE;
  }
  if (options->kernel)
    return cli_kernel_run (options, diagnostics);
  if (cli_synth_is_requested (options))
    return cli_synth_run (options, diagnostics);
  if (cli_repair_is_requested (options))
    return cli_repair_run (options, diagnostics);
  if (options->vary)
    return cli_vary_run (options, diagnostics);
  if (cli_tests_are_compared (options))
    return cli_tests_compare (options, diagnostics);
  if (options->inputs->len == 0 && options->compared->len == 0) {
    const char *hint = options->merge
                           ? "`rspcheck -merge FILE.jsonl...`: files of -json or -resume"
                           : "`rspcheck TEST.litmus`; `rspcheck -help` shows the usual commands";
    rsp_error (diagnostics, RSP_NOWHERE, hint, "no %s given", options->merge ? "file" : "test");
    cli_print_diagnostics (diagnostics, FALSE);
    return CLI_STATUS_USAGE;
  }
  return cli_run (options, diagnostics);
}
