#include "report/log/test.h"
#include "report/log/state.h"

enum {
  STATE_SIZE = 320, /* bytes of a state when read and then in the record, without its bindings */
  BINDING_SIZE = 96 /* bytes of a binding's name and value, likewise */
};

static void free_state (gpointer data) {
  RspLogState *state = data;
  g_array_unref (state->bindings);
  g_free (state);
}

RspLogTest *logged_test_new (const char *name, const char *kind, RspSpan line, const char *label) {
  const char *path = line.source->name;
  RspLogTest *test = g_new0 (RspLogTest, 1);
  test->entry = g_new0 (RspLogEntry, 1);
  test->record = rsp_record_new (name, path, label, "the log has no answer");
  g_clear_pointer (&test->record->version, g_free);
  test->record->kind = g_strdup (kind);
  test->record->log = g_strdup (path);
  test->record->unknown = RSP_UNKNOWN_COUNTS;
  test->entry->record = test->record;
  test->entry->span = line;
  test->counted = TRUE;
  test->states = g_ptr_array_new_with_free_func (free_state);
  return test;
}

void logged_test_add_state (RspLogTest *test, GArray *bindings, RspCount executions) {
  RspLogState *state = g_new (RspLogState, 1);
  *state = (RspLogState){ bindings, executions };
  g_ptr_array_add (test->states, state);
  test->size += STATE_SIZE + bindings->len * (sizeof (RspLogBinding) + BINDING_SIZE);
}

static gint compare_states (gconstpointer a, gconstpointer b) {
  return rsp_log_state_compare ((*(RspLogState *const *) a)->bindings,
                                (*(RspLogState *const *) b)->bindings);
}

/* A state without bindings is an empty line, but an empty line may also be just layout. */
static void check_states (RspLogTest *test, RspDiagnostics *diagnostics) {
  if (!test->states_line.source)
    return;
  if (test->states->len == 0 && test->announced == 1 && test->blank) {
    RspLogState *empty = g_new0 (RspLogState, 1);
    empty->bindings = rsp_log_state_parse ("", 0);
    test->counted = FALSE;
    g_ptr_array_add (test->states, empty);
  }
  if (test->states->len != test->announced)
    rsp_warning (diagnostics, test->states_line, NULL,
                 "test %s: %" G_GUINT64_FORMAT " states announced, %u found", test->record->test,
                 test->announced, test->states->len);
}

/* Does the condition hold in a state? */
static RspTruth satisfies (const RspLogTest *test, const RspLogState *state) {
  const RspRecord *record = test->record;
  gboolean counts = !(record->unknown & RSP_UNKNOWN_COUNTS) && !record->undetermined;
  if (counts && record->positive == 0)
    return RSP_FAILS;
  if (counts && record->negative == 0)
    return RSP_HOLDS;
  return test->condition ? rsp_log_condition_truth (test->condition, state->bindings) : RSP_OPEN;
}

static void add_state (RspLogTest *test, const RspLogState *state, gboolean seen[2]) {
  RspRecord *record = test->record;
  g_autofree char *text = rsp_log_state_format (state->bindings);
  RspTruth truth = satisfies (test, state);
  gboolean holds = truth == RSP_HOLDS, undetermined = FALSE;
  if (truth == RSP_OPEN && record->undetermined && rsp_log_state_has_symbols (state->bindings))
    undetermined = TRUE;
  else if (truth == RSP_OPEN)
    record->unknown |= RSP_UNKNOWN_SATISFIES;
  else
    seen[holds] = TRUE;
  rsp_record_add_state (record, &(RspRecordState){ .text = text,
                                                   .satisfies = holds,
                                                   .undetermined = undetermined,
                                                   .executions = state->executions });
}

static gboolean expected_answer (const RspRecord *record) {
  RspQuantifier quantifier = RSP_EXISTS;
  if (record->kind)
    rsp_quantifier_from_kind (record->kind, &quantifier);
  return quantifier == RSP_EXISTS       ? record->observation != RSPCHECK_NEVER
         : quantifier == RSP_NOT_EXISTS ? record->observation == RSPCHECK_NEVER
                                        : record->observation == RSPCHECK_ALWAYS;
}

/* Other programs show undetermined values, raise no flag for them, and count them as other than
 * every number. */
static void flag_thin_air (RspLogTest *test) {
  gboolean found = FALSE, flagged = FALSE, open = FALSE;
  for (guint i = 0; i < test->states->len; i++) {
    const RspLogState *state = test->states->pdata[i];
    gboolean here = rsp_log_state_has_symbols (state->bindings);
    found |= here;
    open |= here && test->condition
            && rsp_log_condition_truth (test->condition, state->bindings) == RSP_OPEN;
  }
  for (guint i = 0; i < test->record->flags->len; i++)
    flagged |= g_str_equal (test->record->flags->pdata[i], "thin_air");
  if (found && !flagged)
    rsp_record_add_flag (test->record, "thin_air");
  if (!found || flagged || !open)
    return;
  test->record->observation = RSPCHECK_SOMETIMES;
  test->record->unknown |= RSP_UNKNOWN_COUNTS;
  test->record->answer = expected_answer (test->record);
}

/* Sorts states and removes duplicates. A misunderstood condition (types are not known here) can be
 * detected: some state must satisfy it if executions do. */
static void add_states (RspLogTest *test) {
  RspRecord *record = test->record;
  gboolean seen[2] = { FALSE, FALSE };
  flag_thin_air (test);
  g_ptr_array_sort (test->states, compare_states);
  for (guint i = 0; i < test->states->len; i++) {
    RspLogState *state = test->states->pdata[i];
    const RspLogState *next = i + 1 < test->states->len ? test->states->pdata[i + 1] : NULL;
    if (next && rsp_log_state_compare (state->bindings, next->bindings) == 0)
      ((RspLogState *) next)->executions += state->executions;
    else
      add_state (test, state, seen);
  }
  if (seen[1] != (record->positive > 0) || seen[0] != (record->negative > 0))
    record->unknown |= RSP_UNKNOWN_SATISFIES;
  if (!test->counted || test->states->len == 0)
    record->unknown |= RSP_UNKNOWN_EXECUTIONS;
  for (guint i = 0; i < record->states->len; i++) {
    RspRecordState *state = &g_array_index (record->states, RspRecordState, i);
    state->executions = record->unknown & RSP_UNKNOWN_EXECUTIONS ? 0 : state->executions;
    state->satisfies &= !(record->unknown & RSP_UNKNOWN_SATISFIES);
    state->undetermined &= !(record->unknown & RSP_UNKNOWN_SATISFIES);
  }
}

/* Without an Observation line, the counts of the witnesses determine it. */
static void observe_witnesses (RspLogTest *test, RspDiagnostics *diagnostics) {
  RspRecord *record = test->record;
  if (test->has_observation || !test->has_witnesses)
    return;
  rsp_warning (diagnostics, test->entry->span, NULL,
               "test %s has no Observation line here: its witnesses are counted instead",
               record->test);
  gboolean swapped = g_strcmp0 (record->kind, rsp_quantifier_kind (RSP_NOT_EXISTS)) == 0;
  record->positive = test->witnesses[swapped];
  record->negative = test->witnesses[!swapped];
  record->observation = !record->positive && !record->undetermined   ? RSPCHECK_NEVER
                        : !record->negative && !record->undetermined ? RSPCHECK_ALWAYS
                                                                     : RSPCHECK_SOMETIMES;
  record->unknown &= ~(guint) RSP_UNKNOWN_COUNTS;
  test->has_observation = TRUE;
}

/* Older logs have flags and bad executions, newer ones flags and `Undef`, or flags alone, which may
 * then come from `flag` or from `undefined_unless`. */
static void settle_undefined (RspLogTest *test) {
  RspRecord *record = test->record;
  if (!test->has_bad_count && (record->undefined || record->flags->len))
    record->unknown |= RSP_UNKNOWN_N_UNDEFINED;
  if (!test->has_bad_count && !record->undefined && record->flags->len)
    record->unknown |= RSP_UNKNOWN_UNDEFINED;
  if (record->n_undefined || record->undefined || record->flags->len)
    record->unknown |= RSP_UNKNOWN_STATE_N_UNDEFINED;
}

static void free_test (RspLogTest *test) {
  g_ptr_array_unref (test->states);
  rsp_log_condition_free (test->condition);
  g_free (test);
}

void logged_test_end (RspLogTest *test, RspDiagnostics *diagnostics) {
  if (!test)
    return;
  RspRecord *record = test->record;
  if (!record->kind && test->condition)
    record->kind = g_strdup (rsp_quantifier_kind (rsp_log_condition_quantifier (test->condition)));
  observe_witnesses (test, diagnostics);
  if (test->has_observation && !test->interrupted) {
    check_states (test, diagnostics);
    g_clear_pointer (&record->reason, g_free);
    record->status = RSP_STATUS_OK;
    record->answer = test->has_answer ? record->answer : expected_answer (record);
    settle_undefined (test);
    add_states (test);
  } else if (!test->interrupted)
    rsp_warning (diagnostics, test->entry->span, NULL,
                 "test %s has no answer in this log: no Observation line", record->test);
  free_test (test);
}
