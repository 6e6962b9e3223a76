/* States are rows of numbers of values, which results.h keeps. */
#include "enumerator/search/states/tally.h"
#include "enumerator/search/states/results.h"
#include "enumerator/search/states/sort.h"
#include "enumerator/terms/value_table.h"
#include "enumerator/values/final_state.h"
#include "parser/arithmetic.h"
#include "parser/format.h"

#include <string.h>

enum {
  /* Flags of a row: does the condition's proposition hold, or is its truth undetermined? The
   * condition names only what is printed, so its truth depends on the state alone. */
  SATISFIES = 1,
  UNDETERMINED = 2,
  /* Limit of states shown after a limit or -speedcheck ended the search. */
  MAX_UNFINISHED_STATES = 10000
};

struct RspTally {
  const RspProgram *program;
  RspArena *arena;
  guint *printed;
  guint n_printed;
  RspValueTable values;
  gboolean has_unknown; /* is one of them undetermined? */
  guint32 *state, *row; /* scratch: of all observables; of those printed */
  /* Of the numbers of printed values, and of the number of the text; NULL: none yet. */
  RspResults *rows;
  GPtrArray *texts;     /* of -outcomereads, by number, in the arena; NULL: there are none */
  GHashTable *text_ids; /* text → its number + 1 */
  RspCount executions, positive, undetermined, n_undefined;
};

RspTally *rsp_tally_new (const RspProgram *program) {
  RspTally *tally = g_new0 (RspTally, 1);
  tally->program = program;
  tally->arena = rsp_arena_new ();
  tally->printed = rsp_arena_new0 (tally->arena, guint, program->n_observables);
  for (guint i = 0; i < program->n_observables; i++)
    if (!program->filter_only || !program->filter_only[i])
      tally->printed[tally->n_printed++] = i;
  tally->state = rsp_arena_new0 (tally->arena, guint32, program->n_observables);
  tally->row = rsp_arena_new0 (tally->arena, guint32, tally->n_printed + 1);
  tally->values.arena = tally->arena;
  return tally;
}

void rsp_tally_free (RspTally *tally) {
  if (!tally)
    return;
  rsp_value_table_clear (&tally->values);
  rsp_results_unref (tally->rows);
  if (tally->texts) {
    g_ptr_array_unref (tally->texts);
    g_hash_table_unref (tally->text_ids);
  }
  rsp_arena_free (tally->arena);
  g_free (tally);
}

/* ---- Numbers ---- */

guint32 rsp_tally_number (RspTally *tally, RspValue value) {
  tally->has_unknown |= value.unknown != 0;
  return rsp_value_table_number (&tally->values, value);
}

/* The number that a tally has for each value of another. */
static guint32 *translate_numbers (RspTally *to, const RspTally *from) {
  guint n = rsp_value_table_count (&from->values);
  guint32 *numbers = g_new (guint32, n + 1);
  for (guint i = 0; i < n; i++)
    numbers[i] = rsp_tally_number (to, *rsp_value_table_get (&from->values, i));
  return numbers;
}

static guint32 text_number (RspTally *tally, const char *text) {
  if (!tally->texts) {
    tally->texts = g_ptr_array_new ();
    tally->text_ids = g_hash_table_new (g_str_hash, g_str_equal);
  }
  gpointer found = g_hash_table_lookup (tally->text_ids, text);
  if (found)
    return GPOINTER_TO_UINT (found) - 1;
  char *own = rsp_arena_strdup (tally->arena, text);
  g_ptr_array_add (tally->texts, own);
  g_hash_table_insert (tally->text_ids, own, GUINT_TO_POINTER (tally->texts->len));
  return tally->texts->len - 1;
}

/* The text of -outcomereads of a row, or NULL. */
static const char *text_of (const RspTally *tally, guint row) {
  const RspResults *rows = tally->rows;
  return tally->texts ? tally->texts->pdata[rows->values[(gsize) (row + 1) * rows->width - 1]]
                      : NULL;
}

/* ---- Propositions ---- */

typedef struct State {
  const RspTally *tally;
  const guint32 *numbers; /* per observable */
} State;

static RspValue value_in (gconstpointer data, guint observable) {
  const State *state = data;
  return *rsp_value_table_get (&state->tally->values, state->numbers[observable]);
}

static RspTruth truth_in (const RspTally *tally, const RspProp *prop, const guint32 *state) {
  return rsp_state_truth_in (tally->program, prop, value_in, &(State){ tally, state });
}

gboolean tally_keeps (const RspTally *tally, const RspValue *state) {
  return !tally->program->filter
         || rsp_state_truth (tally->program, tally->program->filter, state) != RSP_FAILS;
}

/* ---- Adding ---- */

static const RspType *printed_type (const RspTally *tally, guint k) {
  return rsp_observable_type (tally->program, &tally->program->observables[tally->printed[k]]);
}

/* Names the undetermined values of the first one's cycle. The widest of them, of several the first
 * one, has offset 0: narrower ones do not tell it. */
static void name_circle (const RspTally *tally, const RspValue *values, guint first, guint number,
                         RspValue *named) {
  guint base = first;
  for (guint k = first; k < tally->n_printed; k++)
    if (values[k].unknown == values[first].unknown
        && rsp_type_bits (printed_type (tally, k)) > rsp_type_bits (printed_type (tally, base)))
      base = k;
  for (guint k = first; k < tally->n_printed; k++)
    if (values[k].unknown == values[first].unknown) {
      const RspType *type = printed_type (tally, k);
      gint64 offset = (gint64) ((guint64) values[k].bits - (guint64) values[base].bits);
      named[k]
          = (RspValue){ .bits = rsp_wrap (offset, rsp_type_bits (type), rsp_type_is_signed (type)),
                        .unknown = number,
                        .excluded = values[k].excluded };
    }
}

/* Names undetermined values by what the state shows, their numbers in the order of appearance, so
 * that states that differ only in names are one. */
static void name_circles (RspTally *tally, guint32 *row) {
  guint n = tally->n_printed, n_circles = 0;
  g_autofree RspValue *values = g_new (RspValue, n + 1);
  g_autofree RspValue *named = g_new0 (RspValue, n + 1);
  for (guint k = 0; k < n; k++)
    values[k] = *rsp_value_table_get (&tally->values, row[k]);
  for (guint k = 0; k < n; k++)
    if (values[k].unknown && !named[k].unknown)
      name_circle (tally, values, k, ++n_circles, named);
  for (guint k = 0; k < n; k++)
    if (named[k].unknown)
      row[k] = rsp_tally_number (tally, named[k]);
}

/* What is printed of a state, as a row. */
static const guint32 *show (RspTally *tally, const guint32 *state, const char *reads) {
  guint32 *row = tally->row;
  if (tally->n_printed == tally->program->n_observables && !tally->has_unknown && !reads)
    return state;
  for (guint k = 0; k < tally->n_printed; k++)
    row[k] = state[tally->printed[k]];
  if (tally->has_unknown && !reads) /* the text of what reads returned has the engine's names */
    name_circles (tally, row);
  if (reads)
    row[tally->n_printed] = text_number (tally, reads);
  return row;
}

/* The row of a state. differs: is it known that it is a new one? */
static guint find_row (RspTally *tally, const guint32 *state, const char *reads, gboolean differs) {
  const guint32 *row = show (tally, state, reads);
  if (!tally->rows)
    tally->rows = rsp_results_new (tally->n_printed + (reads != NULL));
  return differs && !tally->has_unknown ? rsp_results_append (tally->rows, row)
                                        : rsp_results_obtain (tally->rows, row);
}

static void count (RspTally *tally, guint row, RspCount executions, RspCount n_undefined) {
  RspResults *rows = tally->rows;
  rsp_results_count (rows, row, executions, n_undefined, 0);
  tally->executions = rsp_count_add (tally->executions, executions);
  tally->n_undefined = rsp_count_add (tally->n_undefined, n_undefined);
  if (rows->flags[row] & SATISFIES)
    tally->positive = rsp_count_add (tally->positive, executions);
  if (rows->flags[row] & UNDETERMINED)
    tally->undetermined = rsp_count_add (tally->undetermined, executions);
}

static guint32 flags_of_state (const RspTally *tally, const guint32 *state) {
  RspTruth truth = truth_in (tally, tally->program->condition, state);
  return truth == RSP_HOLDS ? SATISFIES : truth == RSP_OPEN ? UNDETERMINED : 0;
}

static gboolean add_numbered (RspTally *tally, const guint32 *state, const char *reads,
                              RspCount executions, RspCount n_undefined, gboolean differs) {
  const RspProgram *program = tally->program;
  if (program->filter && truth_in (tally, program->filter, state) == RSP_FAILS)
    return FALSE;
  guint known = tally->rows ? tally->rows->n : 0;
  guint row = find_row (tally, state, reads, differs);
  if (row == known)
    tally->rows->flags[row] = flags_of_state (tally, state);
  count (tally, row, executions, n_undefined);
  return TRUE;
}

gboolean rsp_tally_takes_all (const RspTally *tally) {
  return !tally->rows && tally->n_printed == tally->program->n_observables;
}

gboolean tally_add_numbered (RspTally *tally, const guint32 *state, RspCount executions,
                             RspCount n_undefined, gboolean differs) {
  return add_numbered (tally, state, NULL, executions, n_undefined, differs);
}

gboolean rsp_tally_add (RspTally *tally, const RspValue *state, const char *reads,
                        RspCount executions, RspCount n_undefined) {
  for (guint i = 0; i < tally->program->n_observables; i++)
    tally->state[i] = rsp_tally_number (tally, state[i]);
  return add_numbered (tally, tally->state, reads, executions, n_undefined, FALSE);
}

static void merge (RspTally *to, const RspTally *from) {
  const RspResults *rows = from->rows;
  g_autofree guint32 *numbers = translate_numbers (to, from);
  for (guint i = 0; i < rows->n; i++) {
    for (guint k = 0; k < to->n_printed; k++)
      to->row[k] = numbers[rows->values[(gsize) i * rows->width + k]];
    const char *reads = text_of (from, i);
    if (reads)
      to->row[to->n_printed] = text_number (to, reads);
    guint known = to->rows->n, row = rsp_results_obtain (to->rows, to->row);
    if (row == known)
      to->rows->flags[row] = rows->flags[i];
    count (to, row, rows->executions[i], rsp_results_n_undefined (rows, i));
  }
}

void tally_take (RspTally **to, RspTally **from) {
  if ((*to)->rows) {
    if ((*from)->rows)
      merge (*to, *from);
    return;
  }
  RspTally *empty = *to;
  *to = *from;
  *from = empty;
}

void tally_add_renamed (RspTally *to, const RspTally *from, const guint *where) {
  const RspResults *rows = from->rows;
  g_autofree guint32 *numbers = translate_numbers (to, from);
  for (guint row = 0; rows && row < rows->n; row++) {
    for (guint i = 0; i < to->program->n_observables; i++)
      to->state[i] = numbers[rows->values[(gsize) row * rows->width + where[i]]];
    add_numbered (to, to->state, text_of (from, row), rows->executions[row],
                  rsp_results_n_undefined (rows, row), FALSE);
  }
}

RspCount tally_executions (const RspTally *tally) { return tally->executions; }

gboolean tally_may_hold (const RspTally *tally) { return tally->positive || tally->undetermined; }

gboolean tally_may_fail (const RspTally *tally) { return tally->executions > tally->positive; }

gsize tally_size (const RspTally *tally) {
  return rsp_arena_size (tally->arena) + (tally->rows ? rsp_results_size (tally->rows) : 0);
}

/* ---- The outcome ---- */

/* States that show the same become one, whatever else is known of undetermined values. Its truth is
 * undetermined if theirs differ. */
static void merge_alike (RspTally *tally) {
  RspResults *from = tally->rows, *to = rsp_results_new (from->width);
  for (guint i = 0; i < from->n; i++) {
    const guint32 *row = from->values + (gsize) i * from->width;
    for (guint k = 0; k < from->width; k++) {
      tally->row[k] = row[k];
      if (k == tally->n_printed)
        continue;
      RspValue value = *rsp_value_table_get (&tally->values, row[k]);
      value.excluded = 0;
      tally->row[k] = rsp_tally_number (tally, value);
    }
    guint known = to->n, same = rsp_results_obtain (to, tally->row);
    gboolean agrees = same == known || to->flags[same] == from->flags[i];
    to->flags[same] = agrees ? from->flags[i] : UNDETERMINED;
    rsp_results_count (to, same, from->executions[i], rsp_results_n_undefined (from, i), 0);
  }
  rsp_results_unref (from);
  tally->rows = to;
}

static int compare_reads (gconstpointer x, gconstpointer y, gpointer tally) {
  return strcmp (text_of (tally, *(const guint *) x), text_of (tally, *(const guint *) y));
}

/* By values, then by the text of -outcomereads. */
static gboolean find_order (const RspTally *tally, const RspOutcome *outcome, RspBudget *budget,
                            guint *order) {
  StateRows rows = { .numbers = tally->rows->values,
                     .n = tally->rows->n,
                     .width = tally->n_printed,
                     .stride = tally->rows->width,
                     .values = outcome->values,
                     .n_values = rsp_value_table_count (&tally->values) };
  for (guint i = 0; i < rows.n; i++)
    order[i] = i;
  if (tally->texts)
    g_qsort_with_data (order, (gint) rows.n, sizeof order[0], compare_reads, (gpointer) tally);
  return states_sort (&rows, budget, order);
}

static RspValue *list_values (const RspTally *tally) {
  guint n = rsp_value_table_count (&tally->values);
  RspValue *values = rsp_arena_new0 (tally->arena, RspValue, n);
  for (guint i = 0; i < n; i++)
    values[i] = *rsp_value_table_get (&tally->values, i);
  return values;
}

static void give_states (RspTally *tally, const guint *order, RspOutcome *outcome) {
  RspResults *rows = tally->rows;
  outcome->n_states = rows->n;
  outcome->states = rsp_arena_new0 (tally->arena, RspStateCount, rows->n);
  for (guint i = 0; i < rows->n; i++)
    outcome->states[i] = (RspStateCount){ .executions = rows->executions[order[i]],
                                          .n_undefined = rsp_results_n_undefined (rows, order[i]),
                                          .reads = text_of (tally, order[i]),
                                          .row = order[i],
                                          .satisfies = rows->flags[order[i]] & SATISFIES,
                                          .undetermined = rows->flags[order[i]] & UNDETERMINED };
  outcome->width = rows->width;
  outcome->numbers = rsp_results_take_values (rows);
}

void rsp_tally_finish (RspTally *tally, RspBudget *budget, RspOutcome *outcome) {
  if (tally->has_unknown && tally->rows)
    merge_alike (tally);
  outcome->n_printed = tally->n_printed;
  outcome->printed = tally->printed;
  outcome->positive = tally->positive;
  outcome->undetermined = tally->undetermined;
  outcome->negative = tally->executions == RSP_COUNT_MAX
                          ? RSP_COUNT_MAX
                          : tally->executions - tally->positive - tally->undetermined;
  outcome->n_undefined = tally->n_undefined;
  outcome->values = list_values (tally);
  gboolean complete = rsp_budget_stop (budget) == RSPCHECK_STOP_COMPLETE;
  guint n = tally->rows ? tally->rows->n : 0;
  g_autofree guint *order = g_new (guint, n + 1);
  if (n && (complete || n <= MAX_UNFINISHED_STATES)
      && find_order (tally, outcome, complete ? budget : NULL, order))
    give_states (tally, order, outcome);
  outcome->arena = g_steal_pointer (&tally->arena);
}
