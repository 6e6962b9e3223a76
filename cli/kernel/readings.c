#include "cli/kernel/readings.h"

#include "enumerator/search/spin.h"

#include <string.h>

/* What is read, and where errors go. */
typedef struct Text {
  const char *path;
  RspKernelOptions *options;
  const RspModel *model;
  RspDiagnostics *diagnostics;
} Text;

void cli_readings_clear (CliReadings *readings) {
  if (readings->asserting)
    rsp_outcome_free (readings->asserted);
  rsp_kernel_free (readings->asserting);
  if (readings->lenient)
    rsp_outcome_free (readings->leniently);
  rsp_kernel_free (readings->lenient);
  if (readings->outcome)
    rsp_outcome_free (readings->outcome);
  rsp_kernel_free (readings->kernel);
}

const RspKernel *cli_readings_flagged (const CliReadings *readings) {
  return readings->lenient ? readings->lenient : readings->kernel;
}

gboolean cli_is_finished (const RspOutcome *outcome) {
  return outcome->stop == RSPCHECK_STOP_COMPLETE || outcome->stop == RSPCHECK_STOP_FOUND;
}

gboolean cli_is_raised (const RspOutcome *outcome, const char *flag) {
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised && strcmp (outcome->flags[i].name, flag) == 0)
      return TRUE;
  return FALSE;
}

/* If nothing ends, chooses how what all executions begin with is found; FALSE: it is known, or
 * something ends. Under `-spin last`, loops that wait have no rounds, and one that no value can end
 * (of a plain variable, for instance) nothing at all. */
static gboolean look_at_beginnings (RspCheckOptions *check, const RspOutcome *outcome) {
  if (check->prefixes || !cli_is_finished (outcome) || outcome->n_states || outcome->n_failures
      || cli_is_raised (outcome, RSP_SPIN_FLAG))
    return FALSE;
  if (check->spin == RSPCHECK_SPIN_LAST) {
    check->spin = RSPCHECK_SPIN_ALL;
    return TRUE;
  }
  check->prefixes = outcome->loop;
  return check->prefixes;
}

/* Checks the kernel with arrays as large as all executions need; if no execution ends, what they
 * all begin with. FALSE after an error. */
static gboolean check_once (const Text *text, RspCheckOptions *check, RspKernel **kernel,
                            RspOutcome **outcome) {
  g_autoptr (GPtrArray) facts = rsp_kernel_facts_new ();
  for (;;) {
    g_autoptr (RspDiagnostics) own = rsp_diagnostics_new ();
    *kernel = rsp_kernel_explore (text->path, text->options, facts, check, text->diagnostics);
    if (!*kernel)
      return FALSE;
    *outcome = rsp_check ((*kernel)->program, text->model, check, own);
    gboolean grown = cli_is_finished (*outcome) && rsp_kernel_grow (*kernel, *outcome, facts);
    if (!grown && !look_at_beginnings (check, *outcome)) {
      if ((*outcome)->n_failures) /* they are findings */
        rsp_diagnostics_drop (own, RSP_ERROR);
      rsp_diagnostics_move (text->diagnostics, own);
      return TRUE;
    }
    g_clear_pointer (outcome, rsp_outcome_free);
    g_clear_pointer (kernel, rsp_kernel_free);
  }
}

/* A failure ends its path, and with it all executions that have the path. So what races besides is
 * found in a lenient reading, and which assertions fail besides, before that, in one in which they
 * are failures too. */
gboolean cli_readings_make (CliReadings *readings, const char *path, RspKernelOptions *options,
                            const RspModel *model, RspDiagnostics *diagnostics) {
  const Text text = { path, options, model, diagnostics };
  if (!check_once (&text, &readings->check, &readings->kernel, &readings->outcome)
      || rsp_kernel_is_cut (readings->kernel, readings->outcome, diagnostics))
    return FALSE;
  readings->leniently = readings->outcome;
  if (!cli_is_finished (readings->outcome) || !readings->outcome->n_failures)
    return TRUE;
  options->lenient = TRUE;
  gboolean good = check_once (&text, &readings->check, &readings->lenient, &readings->leniently);
  options->lenient = FALSE;
  if (!good || !readings->kernel->n_asserts || !cli_is_finished (readings->leniently))
    return good;
  options->asserts_fail = TRUE;
  good = check_once (&text, &readings->check, &readings->asserting, &readings->asserted);
  options->asserts_fail = FALSE;
  return good;
}

gboolean cli_readings_make_endless (CliReadings *readings, const char *path,
                                    RspKernelOptions *options, const RspModel *model,
                                    RspDiagnostics *diagnostics) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  readings->check.prefixes = TRUE;
  gboolean whole = cli_readings_make (readings, path, options, model, unheard)
                   && cli_is_finished (readings->leniently);
  if (!whole)
    rsp_warning (diagnostics, RSP_NOWHERE, "a smaller grid, -timeout or -max-memory may help",
                 "%s: what is wrong only in executions that never end is not looked for within the "
                 "limits of time and memory",
                 path);
  return whole;
}
