#include "machine/dsom/check.h"

#include "machine/cost/cost.h"
#include "machine/dsom/dsom.h"
#include "machine/dsom/finals.h"
#include "machine/dsom/flat.h"
#include "machine/dsom/step.h"
#include "parser/dsom/parse.h"
#include "parser/proposition.h"

enum { DEFAULT_MEMORY = 1 << 30 };

typedef struct Check {
  const RspDsomProgram *program;
  const RspDsomOptions *options;
  DsomPlan *plan;
  DsomFlat *flat;
  DsomMachine *machine;
  DsomFinals *allowed, *found; /* of the flat buffer, of the machine */
  DsomValue *values;           /* scratch: per observable */
  RspRecord *record;
  RspDiagnostics *diagnostics;
  RspBudget budget;
} Check;

static RspSearchOptions search_options (Check *check, gboolean breadth_first) {
  return (RspSearchOptions){ .breadth_first = breadth_first,
                             .max_states = check->options->max_states,
                             .budget = &check->budget };
}

/* Records which limit ended the search. */
static void note_limit (Check *check) {
  RspRecord *record = check->record;
  RspcheckStop stop = rsp_budget_stop (&check->budget);
  g_free (record->reason);
  record->status = stop == RSPCHECK_STOP_TIMEOUT  ? RSP_STATUS_TIMEOUT
                   : stop == RSPCHECK_STOP_MEMORY ? RSP_STATUS_MEMORY
                                                  : RSP_STATUS_EXECUTIONS;
  if (stop == RSPCHECK_STOP_TIMEOUT)
    record->reason = g_strdup_printf ("Timeout after %g s", check->options->timeout);
  else if (stop == RSPCHECK_STOP_MEMORY)
    record->reason = g_strdup ("The states need more memory than -max-memory allows");
  else
    record->reason
        = g_strdup_printf ("More than %" G_GUINT64_FORMAT " states", check->options->max_states);
}

/* ---- The flat buffer ---- */

static void observe_flat (Check *check, RspBytes state) {
  const DsomByte *bytes;
  const DsomValue *registers;
  dsom_flat_decode (check->flat, state, &bytes, &registers);
  for (guint i = 0; i < check->program->n_observables; i++) {
    const RspDsomObservable *o = &check->program->observables[i];
    check->values[i] = (DsomValue){ 0, FALSE };
    if (o->kind == RSP_DSOM_OBSERVE_REGISTER)
      check->values[i] = registers[o->index];
    else if (o->kind == RSP_DSOM_OBSERVE_ELEMENT)
      check->values[i] = dsom_element_load (&check->program->buffers[o->index], o->element, bytes);
  }
}

static gboolean take_flat_end (gpointer user, guint32 number, RspBytes state, RspEnd end) {
  Check *check = user;
  (void) number;
  (void) end;
  observe_flat (check, state);
  dsom_finals_add (check->allowed, check->values);
  return TRUE;
}

/* FALSE if the program has errors or is too large. */
static gboolean run_flat (Check *check) {
  RspSearchOptions options = search_options (check, FALSE);
  check->flat = dsom_flat_new (check->plan);
  g_autoptr (RspSearch) search
      = rsp_search_run (dsom_flat_system (check->flat), &options, take_flat_end, check);
  if (!dsom_flat_report (check->flat, check->diagnostics))
    return FALSE;
  if (!search->limited)
    return TRUE;
  note_limit (check);
  check->record->machine.verdict = RSP_BOUNDED;
  return FALSE;
}

/* ---- The machine ---- */

static gboolean take_end (gpointer user, guint32 number, RspBytes state, RspEnd end) {
  Check *check = user;
  (void) number;
  if (end == RSP_END_FINAL) {
    dsom_machine_observe (check->machine, state, check->values);
    dsom_finals_add (check->found, check->values);
  }
  check->record->machine.deadlock |= end == RSP_END_STUCK;
  return TRUE;
}

static void add_cost (Check *check) {
  RspSearchOptions options = search_options (check, FALSE);
  g_autoptr (GString) bill = g_string_new (NULL);
  RspCost cost;
  if (!rsp_cost_measure (dsom_machine_system (check->machine), &options, NULL, NULL, &cost)) {
    rsp_warning (check->diagnostics, RSP_NOWHERE, NULL,
                 "test %s: no bill, since a limit ended its search", check->program->name);
    return;
  }
  rsp_cost_format (&cost, RSP_BILL_WRITE_BACK, RSP_N_BILL_ITEMS, bill);
  check->record->machine.bill = g_strdup (bill->str);
}

static void run_machine (Check *check) {
  RspMachineReport *report = &check->record->machine;
  RspSearchOptions options = search_options (check, FALSE);
  check->machine = dsom_machine_new (check->plan);
  g_autoptr (RspSearch) search
      = rsp_search_run (dsom_machine_system (check->machine), &options, take_end, check);
  report->states = rsp_store_count (search->store);
  report->steps = search->steps;
  report->bytes = rsp_store_size (search->store);
  report->violated = g_strdup (dsom_machine_first_violated (check->machine));
  if (search->limited)
    note_limit (check);
  else if (check->options->cost)
    add_cost (check);
}

/* ---- Traces ---- */

typedef struct Chase {
  Check *check;
  const char *sought; /* a state as text */
  guint32 found;
} Chase;

static gboolean look_at_end (gpointer user, guint32 number, RspBytes state, RspEnd end) {
  Chase *chase = user;
  Check *check = chase->check;
  if (end != RSP_END_FINAL)
    return TRUE;
  dsom_machine_observe (check->machine, state, check->values);
  g_autofree char *text = dsom_values_format (check->program, check->values, TRUE);
  if (g_str_equal (text, chase->sought))
    chase->found = number;
  return chase->found == RSP_NO_STATE;
}

/* The shortest trace to a final state or, if that is NULL, to a state that violates an
 * invariant. */
static char *find_trace (Check *check, const char *state) {
  RspSystem system = *dsom_machine_system (check->machine);
  RspSearchOptions options = search_options (check, TRUE);
  Chase chase = { check, state, RSP_NO_STATE };
  g_autoptr (GString) text = g_string_new (NULL);
  if (!state)
    system.violated = dsom_violated;
  g_autoptr (RspSearch) search
      = rsp_search_run (&system, &options, state ? look_at_end : NULL, &chase);
  if (search->violated)
    chase.found = search->where;
  if (chase.found == RSP_NO_STATE)
    g_string_append (text, "(the search for the shortest trace met a limit)\n");
  else
    rsp_search_describe (&system, search, chase.found, text);
  return g_strdup (text->str);
}

static void add_traces (Check *check) {
  RspMachineReport *report = &check->record->machine;
  if (report->unsound) {
    g_auto (GStrv) states = g_strsplit (report->unsound, "\n", 2);
    report->trace = find_trace (check, states[0]);
  }
  if (report->violated)
    report->violated_trace = find_trace (check, NULL);
}

/* ---- The record ---- */

static void add_states (Check *check) {
  RspRecord *record = check->record;
  g_autoptr (GString) unsound = g_string_new (NULL);
  dsom_finals_sort (check->found);
  for (guint i = 0; i < check->found->list->len; i++) {
    const DsomValue *values = check->found->list->pdata[i];
    g_autofree char *text = dsom_values_format (check->program, values, TRUE);
    RspRecordState state = { .text = text,
                             .satisfies = dsom_values_satisfy (check->program, values),
                             .executions = 1 };
    rsp_record_add_state (record, &state);
    record->positive += state.satisfies;
    record->negative += !state.satisfies;
    if (!dsom_finals_has (check->allowed, values))
      g_string_append_printf (unsound, "%s%s", unsound->len ? "\n" : "", text);
  }
  if (unsound->len && record->machine.verdict != RSP_VACUOUS)
    record->machine.unsound = g_strdup (unsound->str);
}

static void add_answer (Check *check) {
  RspRecord *record = check->record;
  gboolean none = record->positive == 0, all = record->negative == 0;
  record->status = RSP_STATUS_OK;
  g_clear_pointer (&record->reason, g_free);
  record->observation = none ? RSPCHECK_NEVER : all ? RSPCHECK_ALWAYS : RSPCHECK_SOMETIMES;
  record->answer = check->program->quantifier == RSP_EXISTS       ? !none
                   : check->program->quantifier == RSP_NOT_EXISTS ? none
                                                                  : all;
}

static void add_verdict (Check *check, gboolean finished) {
  RspMachineReport *report = &check->record->machine;
  if (report->unsound) {
    report->verdict = RSP_UNSOUND;
    rsp_record_add_flag (check->record, "unsound");
  } else if (report->verdict != RSP_VACUOUS)
    report->verdict = finished ? RSP_SOUND : RSP_BOUNDED;
  if (report->violated)
    rsp_record_add_flag (check->record, report->violated);
}

static void note_race (Check *check) {
  guint one, other;
  if (!dsom_flat_race (check->flat, &one, &other))
    return;
  check->record->machine.verdict = RSP_VACUOUS;
  rsp_record_add_flag (check->record, "race");
  rsp_note (check->diagnostics, dsom_command_at (check->plan, other)->span,
            "a race: this command and `%s` are unordered, and one reads what the other writes",
            dsom_command_at (check->plan, one)->label);
}

static void run (Check *check) {
  RspRecord *record = check->record;
  check->plan = dsom_plan_new (check->program, &check->options->config, check->diagnostics);
  if (!check->plan || !run_flat (check))
    return;
  note_race (check);
  run_machine (check);
  gboolean finished = record->status == RSP_STATUS_ERROR;
  add_states (check);
  if (finished)
    add_answer (check);
  add_verdict (check, finished);
  if (check->options->traces)
    add_traces (check);
}

void rsp_dsom_describe (const RspDsomProgram *program, const RspDsomOptions *options,
                        RspRecord *record) {
  record->source = g_utf8_make_valid (program->source->text, (gssize) program->source->length);
  record->hash = rsp_dsom_hash (program);
  record->kind = g_strdup (rsp_quantifier_kind (program->quantifier));
  record->condition = rsp_condition_format (program->quantifier, program->condition, "not ");
  record->machine.machine = g_strdup ("dsom");
  record->machine.mapping = rsp_dsom_config_strategy (&options->config);
  record->machine.readings = rsp_dsom_config_readings (&options->config);
  record->machine.allowed_by = g_strdup ("flat");
}

void rsp_dsom_check (const RspDsomProgram *program, const RspDsomOptions *options,
                     RspRecord *record, RspDiagnostics *diagnostics) {
  gint64 start = g_get_monotonic_time ();
  Check check = { .program = program,
                  .options = options,
                  .allowed = dsom_finals_new (program),
                  .found = dsom_finals_new (program),
                  .values = g_new0 (DsomValue, program->n_observables + 1),
                  .record = record,
                  .diagnostics = diagnostics };
  check.budget.max_memory = options->max_memory ? options->max_memory : DEFAULT_MEMORY;
  check.budget.deadline = rsp_deadline_in (options->timeout);
  run (&check);
  record->seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  dsom_machine_free (check.machine);
  dsom_flat_free (check.flat);
  dsom_plan_free (check.plan);
  dsom_finals_free (check.allowed);
  dsom_finals_free (check.found);
  g_free (check.values);
}
