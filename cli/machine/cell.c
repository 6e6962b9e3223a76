#include "cli/machine/cell.h"

static void describe (RspRecord *record, const RspExploreOptions *options,
                      const RspExploration *run) {
  RspMachineReport *report = &record->machine;
  report->machine = g_strdup (options->machine->name);
  report->mapping = g_strdup (options->map->name);
  report->readings = rsp_readings_format (&options->readings);
  report->deadlock = run->deadlock;
  report->states = run->states;
  report->steps = run->steps;
  report->bytes = run->bytes;
  if (run->outcome->stop != RSPCHECK_STOP_EXECUTIONS)
    return;
  g_free (record->reason);
  record->reason = options->max_states ? g_strdup_printf ("More than %" G_GUINT64_FORMAT " states",
                                                          options->max_states)
                                       : g_strdup ("Too many values of one location");
}

/* The number of the first state that is not allowed. */
static guint find_unsound (const RspRecord *record) {
  g_auto (GStrv) lines = g_strsplit (record->machine.unsound, "\n", 2);
  guint i = 0;
  while (!g_str_equal (rsp_record_state (record, i)->text, lines[0] ? lines[0] : ""))
    i++;
  return i;
}

static char *find_trace (const RspProgram *program, const RspExploreOptions *options,
                         const RspExploration *run, guint state) {
  g_autoptr (GString) trace = g_string_new (NULL);
  if (!rsp_exploration_trace (program, options, run, state, trace))
    return g_strdup ("(the search for the shortest trace met a limit)\n");
  return g_strdup (trace->str);
}

static void find_traces (RspRecord *record, const RspProgram *program,
                         const RspExploreOptions *options, const RspExploration *run) {
  RspMachineReport *report = &record->machine;
  if (report->verdict == RSP_UNSOUND)
    report->trace = find_trace (program, options, run, find_unsound (record));
  if (report->deadlock)
    report->deadlock_trace = find_trace (program, options, run, G_MAXUINT);
}

/* Over the executions that end in a state that the model allows; all of them without a model. */
static char *find_bill (const RspRecord *record, const RspRecord *model, const RspProgram *program,
                        const RspExploreOptions *options, const RspExploration *run,
                        RspDiagnostics *diagnostics) {
  if (!rsp_record_is_ok (record))
    return NULL;
  g_autoptr (GString) bill = g_string_new (NULL);
  g_autofree gboolean *allowed = g_new0 (gboolean, record->states->len + 1);
  for (guint i = 0; i < record->states->len; i++)
    allowed[i] = !model || record->machine.verdict == RSP_VACUOUS
                 || rsp_soundness_allows (model, rsp_record_state (record, i)->text);
  if (rsp_exploration_cost (program, options, run, allowed, bill))
    return bill->len ? g_strdup (bill->str) : NULL;
  rsp_warning (diagnostics, RSP_NOWHERE,
               "-max-states N, -timeout S and -max-memory SIZE allow more",
               "test %s, mapping %s: no bill, since a limit ended its search", program->name,
               options->map->name);
  return NULL;
}

void cli_machine_check (const CliMachines *machines, guint i, const CliOptions *options,
                        const RspCheckOptions *check, const RspProgram *program,
                        const RspModel *source, const RspRecord *model, RspRecord *record,
                        RspDiagnostics *diagnostics) {
  gint64 start = g_get_monotonic_time ();
  RspExploreOptions run_options = cli_machines_run (machines, i, options);
  run_options.cas_writeback = check->cas_writeback;
  run_options.wide_barriers = source && source->wide_barriers;
  g_autoptr (RspExploration) run = rsp_exploration_new (program, &run_options, diagnostics);
  rsp_record_set_outcome (record, run->outcome, check);
  describe (record, &run_options, run);
  record->seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  if (model)
    rsp_soundness_judge (record, model);
  if (options->cost)
    record->machine.bill = find_bill (record, model, program, &run_options, run, diagnostics);
  if (options->verbose)
    find_traces (record, program, &run_options, run);
}
