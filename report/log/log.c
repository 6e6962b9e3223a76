#include "report/log/log.h"
#include "report/tables/relate.h"

#include <string.h>

enum {
  LISTED_BAD_EXECUTIONS = 20,
  PART = 1 << 16 /* bytes */
};

static void format_count (const char *before, RspCount count, GString *out) {
  g_string_append (out, before);
  rsp_count_format (count, out);
}

/* Executions are numbered from 0, state by state as printed, the undefined ones of a state
 * first. */
static void format_bad_executions (const RspRecord *record, GString *out) {
  format_count ("Bad executions (", record->n_undefined, out);
  g_string_append (out, " in total):");
  RspCount first = 0;
  guint listed = 0;
  for (guint i = 0; i < record->states->len && listed < LISTED_BAD_EXECUTIONS; i++) {
    const RspRecordState *state = rsp_record_state (record, i);
    for (RspCount k = 0; k < state->n_undefined && listed < LISTED_BAD_EXECUTIONS; k++, listed++)
      format_count (" ", first + k, out);
    first += state->executions;
  }
  g_string_append_c (out, '\n');
}

static void format_witnesses (const RspRecord *record, GString *out) {
  RspCount positive, negative;
  rsp_record_witnesses (record, &positive, &negative);
  format_count ("Witnesses\nPositive: ", positive, out);
  format_count (" Negative: ", negative, out);
  g_string_append_c (out, '\n');
}

static void format_progress (const RspRecord *record, GString *out) {
  g_string_append (out, record->progress ? record->progress : "");
  g_string_append (out, record->schedule ? record->schedule : "");
}

/* The elements of an array that a state shows whole, in a row. */
typedef struct Cells {
  const char *array; /* with its length; NULL: none yet */
  gsize length;
  GPtrArray *values; /* by their index */
} Cells;

/* "v={1,2}; " */
static void end_cells (Cells *cells, GString *out) {
  if (!cells->array)
    return;
  g_string_append_printf (out, "%.*s={", (int) cells->length, cells->array);
  for (guint i = 0; i < cells->values->len; i++)
    g_string_append_printf (out, "%s%s", i ? "," : "", (const char *) cells->values->pdata[i]);
  g_string_append (out, "}; ");
  g_ptr_array_set_size (cells->values, 0);
  cells->array = NULL;
}

/* Takes `v[1]=2`, if it is of one of the arrays. */
static gboolean take_cell (Cells *cells, const char *const *arrays, const char *binding,
                           GString *out) {
  const char *bracket = strchr (binding, '['), *value = strchr (binding, '=');
  if (!bracket || !value || bracket > value)
    return FALSE;
  gsize length = (gsize) (bracket - binding);
  g_autofree char *name = g_strndup (binding, length);
  if (!g_strv_contains (arrays, name))
    return FALSE;
  if (!cells->array || cells->length != length || strncmp (cells->array, binding, length) != 0)
    end_cells (cells, out);
  cells->array = binding;
  cells->length = length;
  guint index = (guint) g_ascii_strtoull (bracket + 1, NULL, 10);
  g_ptr_array_set_size (cells->values, (gint) MAX (cells->values->len, index + 1));
  cells->values->pdata[index] = (gpointer) (value + 1);
  return TRUE;
}

/* The state's text, with arrays that the question names as herd prints them. */
static void format_state (const RspRecord *record, const RspRecordState *state, GString *out) {
  if (!record->arrays) {
    g_string_append_len (out, state->text, state->length);
    return;
  }
  g_auto (GStrv) arrays = g_strsplit (record->arrays, " ", 0);
  g_auto (GStrv) bindings = g_strsplit (state->text, "; ", 0);
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  Cells cells = { .values = values };
  for (guint i = 0; bindings[i]; i++) {
    g_strdelimit (bindings[i], ";", '\0');
    if (take_cell (&cells, (const char *const *) arrays, bindings[i], out))
      continue;
    end_cells (&cells, out);
    g_string_append_printf (out, "%s; ", bindings[i]);
  }
  end_cells (&cells, out);
  g_string_truncate (out, out->len - 1);
}

static void format_states (const RspRecord *record, GString *out, RspLogPartTake take,
                           gpointer data) {
  g_string_append_printf (out, "States %u\n", record->states->len);
  for (guint i = 0; i < record->states->len; i++) {
    const RspRecordState *state = rsp_record_state (record, i);
    format_state (record, state, out);
    g_string_append_c (out, '\n');
    if (take && out->len >= PART)
      take (out, data);
  }
}

static void format_answer (const RspRecord *record, GString *out) {
  g_string_append_printf (out, "%s%s\n", record->loop ? "Loop " : "", record->answer ? "Ok" : "No");
  format_witnesses (record, out);
  if (record->has_undefined)
    format_bad_executions (record, out);
  if (record->undetermined) {
    format_count ("Undetermined ", record->undetermined, out);
    g_string_append (out, " (thin air)\n");
  }
  for (guint i = 0; i < record->flags->len; i++)
    g_string_append_printf (out, "Flag %s\n", (const char *) record->flags->pdata[i]);
  format_progress (record, out);
}

static void format_question (const RspRecord *record, GString *out) {
  g_string_append_printf (out, "Condition %s\nObservation %s %s", record->condition, record->test,
                          rsp_observation_names[record->observation]);
  format_count (" ", record->positive, out);
  format_count (" ", record->negative, out);
  g_string_append_c (out, '\n');
}

/* ---- Devices ---- */

static void format_histogram (const RspRecord *record, GString *out) {
  g_string_append_printf (out, "Histogram (%u states)\n", record->states->len);
  for (guint i = 0; i < record->states->len; i++) {
    const RspRecordState *state = rsp_record_state (record, i);
    g_autoptr (GString) count = g_string_new (NULL);
    rsp_count_format (state->executions, count);
    g_string_append_printf (out, "%-6s%c>", count->str, state->satisfies ? '*' : ':');
    format_state (record, state, out);
    g_string_append_c (out, '\n');
  }
}

static void format_device_answer (const RspRecord *record, GString *out) {
  RspCount positive, negative;
  rsp_record_witnesses (record, &positive, &negative);
  g_string_append_printf (out, "%s\n\nWitnesses", record->answer ? "Ok" : "No");
  format_count ("\nPositive: ", positive, out);
  format_count (", Negative: ", negative, out);
  g_string_append_printf (out, "\nCondition %s is %svalidated\nHash=%s\n", record->condition,
                          record->answer ? "" : "NOT ", record->hash);
  if (record->scope_hash)
    g_string_append_printf (out, "ScopeHash=%s\n", record->scope_hash);
  g_string_append_printf (out, "Observation %s %s", record->test,
                          rsp_observation_names[record->observation]);
  format_count (" ", record->positive, out);
  format_count (" ", record->negative, out);
  g_string_append_printf (out, "\nTime %s %.2f\n", record->test, record->seconds);
}

static void format_setup (const RspRecord *record, GString *out) {
  const char *const lines[][2] = { { "Device", record->device },
                                   { "Compiler", record->compiler },
                                   { "Setup", record->setup } };
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    if (lines[i][1])
      g_string_append_printf (out, "%s %s\n", lines[i][0], lines[i][1]);
  if (record->rounds)
    g_string_append_printf (out, "Rounds %u at most\n", record->rounds);
}

static gboolean is_among (const GPtrArray *texts, const char *text) {
  return g_ptr_array_find_with_equal_func ((GPtrArray *) texts, text, g_str_equal, NULL);
}

static void format_judgement (const RspRecord *record, const RspJudgement *judgement,
                              GString *out) {
  const char *model = judgement->model;
  g_string_append_printf (out, "Model %s: %s\n", model, rsp_judged_names[judgement->judged]);
  for (guint i = 0; i < record->states->len && judgement->judged != RSP_JUDGED_NOT; i++) {
    const RspRecordState *state = rsp_record_state (record, i);
    const char *word = is_among (judgement->not_allowed, state->text) ? "NOT ALLOWED" : "allowed";
    g_string_append_printf (out, "%s by %s: %s  seen", word, model, state->text);
    format_count (" ", state->executions, out);
    g_string_append (out, " times\n");
  }
  for (guint i = 0; i < judgement->not_seen->len; i++)
    g_string_append_printf (out, "allowed by %s: %s  not seen\n", model,
                            (const char *) judgement->not_seen->pdata[i]);
}

static void format_device (const RspRecord *record, GString *out) {
  g_string_append_printf (out, "Test %s %s\n", record->test, record->kind);
  if (rsp_record_is_ok (record)) {
    format_histogram (record, out);
    format_device_answer (record, out);
    format_setup (record, out);
    for (guint i = 0; i < record->judgements->len; i++)
      format_judgement (record, &g_array_index (record->judgements, RspJudgement, i), out);
  } else
    g_string_append_printf (out, "Error: %s\n", record->reason);
  g_string_append_c (out, '\n');
}

/* ---- All ---- */

void rsp_log_format_parts (const RspRecord *record, gboolean scope_hash, GString *out,
                           RspLogPartTake take, gpointer data) {
  if (!record->kind)
    return;
  if (record->is_device) {
    format_device (record, out);
    return;
  }
  g_string_append_printf (out, "Test %s %s\n", record->test, record->kind);
  if (rsp_record_is_ok (record)) {
    format_states (record, out, take, data);
    format_answer (record, out);
    format_question (record, out);
    g_string_append_printf (out, "Hash=%s\n", record->hash);
    if (scope_hash && record->scope_hash)
      g_string_append_printf (out, "ScopeHash=%s\n", record->scope_hash);
  } else {
    g_string_append_printf (out, "%s\n", record->reason);
    format_progress (record, out);
  }
  g_string_append_c (out, '\n');
}

void rsp_log_format (const RspRecord *record, gboolean scope_hash, GString *out) {
  rsp_log_format_parts (record, scope_hash, out, NULL, NULL);
}
