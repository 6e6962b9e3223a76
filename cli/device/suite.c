#include "cli/device/suite.h"
#include "cli/base/stream.h"
#include "hardware/fit/fit.h"
#include "parser/litmus/parse.h"

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
  return g_strcmp0 (options->bounds.remote, "ordinary") == 0;
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

CliSuite *cli_suite_read (const CliJobs *jobs, const GArray *share, const RspEmitOptions *emit,
                          RspDiagnostics *diagnostics) {
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

void cli_suite_free (CliSuite *suite) {
  if (!suite)
    return;
  g_ptr_array_unref (suite->programs);
  g_ptr_array_unref (suite->notes);
  g_array_unref (suite->indices);
  g_free (suite);
}
