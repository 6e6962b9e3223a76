/* Patches of a kernel's own text after which nothing is found. */
#include "cli/kernel/repair.h"

#include "api/run/kernel.h"
#include "cli/synth/repair.h"
#include "synth/edits/repair.h"
#include "synth/edits/sites.h"

enum { DEFAULT_EDITS = 2 };

typedef struct Repair {
  const CliOptions *options;
  RspKernelOptions kernel;
} Repair;

static gboolean raises_flag (const RspOutcome *outcome) {
  for (guint i = 0; i < outcome->n_flags; i++)
    if (outcome->flags[i].raised)
      return TRUE;
  return FALSE;
}

/* Nothing may be found, and there must be an execution. */
static void answer (const RspOutcome *outcome, SynthAnswer *out) {
  out->good = outcome->stop == RSPCHECK_STOP_COMPLETE;
  out->undefined = raises_flag (outcome) || outcome->n_failures || rsp_outcome_may_fail (outcome)
                   || !outcome->positive;
}

static void check_text (SynthTask *task, const char *text, SynthAnswer *out) {
  const Repair *repair = task->data;
  RspKernelOptions options = repair->kernel;
  RspCheckOptions check = rsp_synth_task_options (task);
  g_autoptr (GPtrArray) facts = rsp_kernel_facts_new ();
  options.text = text;
  for (gboolean grown = TRUE; grown;) {
    g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
    g_autoptr (RspKernel) kernel
        = rsp_kernel_explore (repair->options->kernel, &options, facts, &check, unheard);
    if (!kernel)
      return;
    g_autoptr (RspOutcome) outcome = rsp_check (kernel->program, task->model, &check, unheard);
    grown = rsp_kernel_grow (kernel, outcome, facts);
    if (outcome->stop != RSPCHECK_STOP_COMPLETE)
      task->complete = FALSE;
    answer (outcome, out);
  }
}

gboolean cli_kernel_repair (const CliOptions *options, const RspKernel *kernel,
                            const RspKernelOptions *kernel_options, const RspModel *model,
                            const RspCheckOptions *check, const char *label,
                            RspDiagnostics *diagnostics) {
  Repair repair = { options, *kernel_options };
  RspProgram shown = *kernel->program; /* with the kernel's own text */
  shown.source = kernel->file;
  SynthTask task = { .program = &shown,
                     .model = model,
                     .check = check,
                     .all = options->all_findings > 0,
                     .most = options->edits ? options->edits : DEFAULT_EDITS,
                     .deadline = rsp_deadline_in (check->timeout),
                     .check_text = check_text,
                     .data = &repair,
                     .sites = rsp_synth_kernel_sites_find (kernel) };
  gboolean good = cli_repair_costs (options, task.costs, diagnostics)
                  && rsp_synth_repair (&task, diagnostics);
  good = cli_repair_report (options, &task, options->kernel, label) && good;
  rsp_synth_task_clear (&task);
  return good;
}
