/* The program: one of its faces, by the options. */
#include "cli/extra.h"

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

/* FALSE, with an error, if -progress is given with a command that would ignore it. */
static gboolean check_progress (const CliOptions *options, RspDiagnostics *diagnostics) {
  const CliCommand *command = cli_requested (options, CLI_COMMAND_CHECKED);
  if (!options->progress->len || !command || command->takes_progress)
    return TRUE;
  rsp_error (diagnostics, RSP_NOWHERE, NULL,
             "`-progress` asks about given tests or a kernel under models: it cannot be combined "
             "with questions about mappings, devices, edits or all programs");
  return FALSE;
}

int main (int argc, char **argv) {
  open_standard_descriptors ();
  keep_memory ();
  signal (SIGPIPE, SIG_IGN); /* a closed reader shows as a failed write, */
  signal (SIGXFSZ, SIG_IGN); /* as does a file that may not grow (ulimit -f) */
  g_autoptr (CliOptions) options = cli_options_new ();
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  if (!cli_options_parse (options, argc - 1, argv + 1, diagnostics)) {
    cli_print_diagnostics (diagnostics, FALSE);
    return CLI_STATUS_USAGE;
  }
  if (options->confined && !cli_confine (options, diagnostics)) {
    cli_print_diagnostics (diagnostics, FALSE);
    return CLI_STATUS_UNFINISHED;
  }
  if (options->help) {
    CliGroup topic = options->topic;
    if (topic == CLI_N_GROUPS)
      return print_text (cli_help_format);
    g_autoptr (GString) text = g_string_new (NULL);
    cli_help_format_topic (topic, text);
    return cli_write (text) ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
  }
  if (options->help_all)
    return print_text (options->json ? cli_help_format_json : cli_help_format_all);
  if (options->version)
    return print_text (options->verbose ? cli_news_format : cli_version_format);
  cli_warn_of_no_effect (options, diagnostics);
  if (options->help_model)
    return cli_help_models (options, diagnostics);
  if (options->completion) {
    g_autoptr (GString) text = g_string_new (NULL);
    cli_completion_format (options->completion, text);
    return cli_write (text) ? CLI_STATUS_OK : CLI_STATUS_UNFINISHED;
  }
  if (options->man)
    return print_text (cli_man_format);
  const CliCommand *early = cli_requested (options, CLI_COMMAND_EARLY);
  if (early) {
    cli_print_diagnostics (diagnostics, options->quiet);
    return early->run (options, diagnostics);
  }
  if (options->format == CLI_FORMAT_LAYOUT)
    return cli_layout_run (options, diagnostics);
  if (!cli_extra_check (options, diagnostics) || !check_progress (options, diagnostics)) {
    cli_print_diagnostics (diagnostics, FALSE);
    return CLI_STATUS_USAGE;
  }
  const CliCommand *command = cli_requested (options, CLI_COMMAND_ANSWERS);
  if (command)
    return command->run (options, diagnostics);
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
