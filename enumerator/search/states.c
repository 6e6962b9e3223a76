/* Tables of final states, and the outcome made of them. */
#include "enumerator/search/internal.h"
#include "enumerator/search/search.h"
#include "enumerator/terms/terms.h"
#include "enumerator/values/values.h"
#include "parser/program.h"

#include <string.h>

/* ---- Sort ----------------------------------------------------------------------------------- */

/* States are sorted by keys: the columns of a state, each as the rank of its value in as few bits
 * as possible, packed into words, which are sorted digit by digit. */

enum {
  ROWS_PER_LOOK = 4096, /* at the clock */
  DIGIT_BITS = 8,       /* of a key, by which rows are sorted at once */
  N_DIGITS = 1 << DIGIT_BITS
};

/* Part of a key: a column. */
typedef struct Field {
  guint column;
  guint bits, shift;
  gboolean is_last; /* in its word */
} Field;

typedef struct Keys {
  const StateRows *rows;
  RspBudget *budget;
  guint32 *ranks; /* of values, by number */
  Field *fields;  /* one per column; those that take no bits are ignored */
  guint words;    /* of a key */
  guint n_fields;
  guint left;    /* lowest bits of the last word that no field takes */
  guint64 *bits; /* n * words; the first word is the most significant */
} Keys;

static gboolean is_exhausted (const Keys *keys, guint row) {
  return row % ROWS_PER_LOOK == 0 && rsp_budget_is_exhausted (keys->budget);
}

static gint compare_numbers (gconstpointer a, gconstpointer b, gpointer values) {
  const RspValue *all = values;
  return rsp_value_compare (all[*(const guint32 *) a], all[*(const guint32 *) b]);
}

/* The bits that each column takes. */
static gboolean measure (Keys *keys) {
  const StateRows *rows = keys->rows;
  g_autofree guint32 *used = g_new0 (guint32, rows->width);
  for (guint i = 0; i < rows->n; i++) {
    const guint32 *row = rows->numbers + (gsize) i * rows->stride;
    if (is_exhausted (keys, i))
      return FALSE;
    for (guint column = 0; column < rows->width; column++)
      used[column] |= keys->ranks[row[column]];
  }
  for (guint column = 0; column < rows->width; column++)
    keys->fields[column]
        = (Field){ .column = column,
                   .bits = (used[column] ? 32 - (guint) __builtin_clz (used[column]) : 0) };
  return TRUE;
}

static gboolean pack (Keys *keys) {
  const StateRows *rows = keys->rows;
  guint64 *key = keys->bits;
  for (guint i = 0; i < rows->n; i++) {
    const guint32 *row = rows->numbers + (gsize) i * rows->stride;
    guint64 word = 0;
    if (is_exhausted (keys, i))
      return FALSE;
    for (const Field *field = keys->fields; field < keys->fields + keys->n_fields; field++) {
      word |= (guint64) keys->ranks[row[field->column]] << field->shift;
      if (!field->is_last)
        continue;
      *key++ = word;
      word = 0;
    }
  }
  return TRUE;
}

/* Radix sort, from the least significant digit on. */
static gboolean sort (const Keys *keys, guint *order) {
  g_autofree guint *other = g_new (guint, keys->rows->n);
  guint *from = order, *to = other;
  for (guint word = keys->words; word-- > 0;)
    for (guint shift = word + 1 == keys->words ? keys->left : 0; shift < 64; shift += DIGIT_BITS) {
      /* Move the rows from `from` to `to` so that the digits at `shift` of a word are in order, and
       * rows of one digit as they were. */
      guint first[N_DIGITS + 1] = { 0 };
      const guint64 *bits = keys->bits + word;
      for (guint i = 0; i < keys->rows->n; i++)
        first[(bits[(gsize) i * keys->words] >> shift) % N_DIGITS + 1]++;
      for (guint digit = 0; digit < N_DIGITS; digit++)
        first[digit + 1] += first[digit];
      for (guint i = 0; i < keys->rows->n; i++) {
        if (is_exhausted (keys, i))
          return FALSE;
        to[first[(bits[(gsize) from[i] * keys->words] >> shift) % N_DIGITS]++] = from[i];
      }
      guint *swapped = from;
      from = to;
      to = swapped;
    }
  if (from != order)
    memcpy (order, from, sizeof (guint) * keys->rows->n);
  return TRUE;
}

gboolean states_sort (const StateRows *rows, RspBudget *budget, guint *order) {
  if (rows->n < 2 || !rows->width)
    return TRUE;
  g_autofree Field *fields = g_new0 (Field, rows->width + 1);
  /* Equal values have one rank. */
  g_autofree guint32 *ranks = g_new0 (guint32, rows->n_values + 1);
  g_autofree guint32 *numbers = g_new (guint32, rows->n_values + 1);
  for (guint i = 0; i < rows->n_values; i++)
    numbers[i] = i;
  g_qsort_with_data (numbers, (gint) rows->n_values, sizeof numbers[0], compare_numbers,
                     (gpointer) rows->values);
  for (guint i = 1; i < rows->n_values; i++)
    ranks[numbers[i]] = ranks[numbers[i - 1]]
                        + !rsp_value_equal (rows->values[numbers[i]], rows->values[numbers[i - 1]]);
  Keys keys = { .rows = rows, .budget = budget, .ranks = ranks, .fields = fields };
  if (!measure (&keys))
    return FALSE;
  /* Place each column in the key, from the top of the first word; none crosses the end of a word.
   * Columns that take no bits are dropped. */
  guint left = 64;
  keys.words = 1;
  for (guint f = 0; f < keys.rows->width; f++) {
    Field field = keys.fields[f];
    if (!field.bits)
      continue;
    if (field.bits > left) {
      keys.fields[keys.n_fields - 1].is_last = TRUE;
      keys.words++;
      left = 64;
    }
    left -= field.bits;
    field.shift = left;
    keys.fields[keys.n_fields++] = field;
  }
  if (keys.n_fields)
    keys.fields[keys.n_fields - 1].is_last = TRUE;
  keys.left = left;
  keys.bits = g_new0 (guint64, (gsize) rows->n * keys.words);
  gboolean done = pack (&keys) && sort (&keys, order);
  g_free (keys.bits);
  return done;
}

/* ---- Results -------------------------------------------------------------------------------- */

enum {
  FIRST_ROWS = 4,
  LINEAR_ROWS = 8 /* tables with fewer rows are searched row by row, without slots */
};

/* Results with room for their first rows, which most never outgrow. */
typedef struct SmallResults {
  RspResults results;
  RspCount executions[FIRST_ROWS], n_undefined[FIRST_ROWS];
  guint32 flags[FIRST_ROWS];
  guint32 values[]; /* FIRST_ROWS × width; then the columns' least values in batches, and the
                       greatest */
} SmallResults;

RspResults *rsp_results_new (guint width) {
  SmallResults *small = g_malloc (sizeof *small + sizeof (guint32) * (FIRST_ROWS + 2) * width);
  small->results = (RspResults){ .width = width,
                                 .capacity = FIRST_ROWS,
                                 .values = small->values,
                                 .executions = small->executions,
                                 .flags = small->flags,
                                 .is_small = TRUE,
                                 .references = 1 };
  return &small->results;
}

RspResults *rsp_results_ref (RspResults *results) {
  g_atomic_int_inc (&results->references);
  return results;
}

void rsp_results_unref (RspResults *results) {
  if (!results || !g_atomic_int_dec_and_test (&results->references))
    return;
  if (!results->is_small) {
    g_free (results->values);
    g_free (results->executions);
    g_free (results->n_undefined);
    g_free (results->flags);
  }
  g_free (results->slots);
  g_free (results);
}

static guint hash_row (const guint32 *values, guint width) {
  guint64 hash = width;
  for (guint i = 0; i < width; i++)
    hash = (hash ^ values[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (hash >> 32);
}

static gboolean is_row (const RspResults *results, guint row, const guint32 *values) {
  return !results->width
         || memcmp (results->values + (gsize) row * results->width, values,
                    sizeof (guint32) * results->width)
                == 0;
}

static void set_capacity (RspResults *results, guint n) {
  if (results->is_small) {
    /* Move the rows to where there can be more. */
    guint used = results->n;
    results->values = g_memdup2 (results->values, sizeof (guint32) * (gsize) used * results->width);
    results->executions = g_memdup2 (results->executions, sizeof (RspCount) * used);
    results->n_undefined = g_memdup2 (results->n_undefined, sizeof (RspCount) * used);
    results->flags = g_memdup2 (results->flags, sizeof (guint32) * used);
    results->is_small = FALSE;
  }
  results->capacity = n;
  results->values = g_renew (guint32, results->values, (gsize) n * results->width);
  results->executions = g_renew (RspCount, results->executions, n);
  if (results->n_undefined)
    results->n_undefined = g_renew (RspCount, results->n_undefined, n);
  results->flags = g_renew (guint32, results->flags, n);
}

guint rsp_results_obtain (RspResults *results, const guint32 *values) {
  if (results->n <= LINEAR_ROWS) {
    for (guint row = 0; row < results->n; row++)
      if (is_row (results, row, values))
        return row;
    return rsp_results_append (results, values);
  }
  if (results->n_slots < 2 * results->capacity) {
    g_free (results->slots);
    results->n_slots = MAX (results->n_slots, LINEAR_ROWS);
    while (results->n_slots < 2 * results->capacity)
      results->n_slots *= 2;
    results->slots = g_new0 (guint32, results->n_slots);
    results->n_hashed = 0;
  }
  for (; results->n_hashed < results->n; results->n_hashed++) {
    const guint32 *row = results->values + (gsize) results->n_hashed * results->width;
    guint hash = hash_row (row, results->width);
    guint slot = hash & (results->n_slots - 1);
    while (results->slots[slot])
      slot = (slot + 1) & (results->n_slots - 1);
    results->slots[slot] = results->n_hashed + 1;
  }
  guint slot = hash_row (values, results->width) & (results->n_slots - 1);
  for (; results->slots[slot]; slot = (slot + 1) & (results->n_slots - 1))
    if (is_row (results, results->slots[slot] - 1, values))
      return results->slots[slot] - 1;
  return rsp_results_append (results, values);
}

guint rsp_results_append (RspResults *results, const guint32 *values) {
  guint row = results->n;
  if (row == results->capacity)
    set_capacity (results, row ? 2 * row : FIRST_ROWS);
  if (results->width)
    memcpy (results->values + (gsize) row * results->width, values,
            sizeof (guint32) * results->width);
  results->executions[row] = 0;
  results->flags[row] = 0;
  if (results->n_undefined)
    results->n_undefined[row] = 0;
  results->n++;
  return row;
}

void rsp_results_count (RspResults *results, guint row, RspCount executions, RspCount n_undefined,
                        guint32 flags) {
  results->executions[row] = rsp_count_add (results->executions[row], executions);
  results->flags[row] |= flags;
  if (!n_undefined)
    return;
  if (!results->n_undefined && results->is_small) {
    SmallResults *small = (SmallResults *) results;
    memset (small->n_undefined, 0, sizeof small->n_undefined);
    results->n_undefined = small->n_undefined;
  } else if (!results->n_undefined)
    results->n_undefined = g_new0 (RspCount, results->capacity);
  results->n_undefined[row] = rsp_count_add (results->n_undefined[row], n_undefined);
}

void rsp_results_add (RspResults *results, const guint32 *values, RspCount executions,
                      RspCount n_undefined, guint32 flags) {
  rsp_results_count (results, rsp_results_obtain (results, values), executions, n_undefined, flags);
}

/* ---- Batches ---- */
gboolean rsp_results_begin_batch (RspResults *results, const guint32 *known) {
  guint32 *bounds = ((SmallResults *) results)->values + (gsize) FIRST_ROWS * results->width;
  gboolean differs = results->n == 0;
  for (guint i = 0; i < results->width; i++) {
    guint32 *least = &bounds[i], *most = &bounds[results->width + i];
    /* Rows that were added otherwise may have any values. */
    if (!results->n || results->n_batched != results->n) {
      *least = results->n ? 0 : G_MAXUINT32;
      *most = results->n ? G_MAXUINT32 : 0;
    }
    guint32 first = known[i] == G_MAXUINT32 ? 0 : known[i], last = known[i];
    differs |= first > *most || last < *least;
    *least = MIN (*least, first);
    *most = MAX (*most, last);
  }
  return differs;
}

void rsp_results_end_batch (RspResults *results) { results->n_batched = results->n; }

/* Rows that differ still differ, so none needs to be looked for. */
RspResults *rsp_results_permute (const RspResults *results, const guint *from) {
  guint n = results->n, width = results->width;
  RspResults *permuted = rsp_results_new (width);
  permuted->n = permuted->capacity = n;
  permuted->is_small = FALSE;
  permuted->executions = g_memdup2 (results->executions, sizeof results->executions[0] * n);
  permuted->n_undefined = g_memdup2 (results->n_undefined, sizeof results->n_undefined[0] * n);
  permuted->flags = g_memdup2 (results->flags, sizeof results->flags[0] * n);
  permuted->values = g_new (guint32, (gsize) n * width);
  for (guint row = 0; row < n; row++)
    for (guint i = 0; i < width; i++)
      permuted->values[(gsize) row * width + i] = results->values[(gsize) row * width + from[i]];
  return permuted;
}

static gsize size_of_rows (const RspResults *results, guint n) {
  gsize counts = results->n_undefined ? 2 : 1;
  return sizeof *results
         + (gsize) n * (sizeof (guint32) * (results->width + 1) + counts * sizeof (RspCount));
}

gsize rsp_results_size (const RspResults *results) {
  return size_of_rows (results, results->capacity) + (gsize) results->n_slots * sizeof (guint32);
}

gsize rsp_results_packed_size (const RspResults *results) {
  return size_of_rows (results, results->n);
}

void rsp_results_trim (RspResults *results) {
  if (!results->is_small)
    set_capacity (results, results->n);
  results->n_slots = results->n_hashed = 0;
  g_clear_pointer (&results->slots, g_free);
}

RspResults *rsp_results_pack (const RspResults *results, RspArena *arena) {
  guint n = results->n;
  RspResults *packed = rsp_arena_new0 (arena, RspResults, 1);
  packed->width = results->width;
  packed->n = packed->capacity = n;
  packed->executions
      = rsp_arena_copy (arena, results->executions, sizeof results->executions[0] * n);
  packed->n_undefined = results->n_undefined ? rsp_arena_copy (arena, results->n_undefined,
                                                               sizeof results->n_undefined[0] * n)
                                             : NULL;
  packed->flags = rsp_arena_copy (arena, results->flags, sizeof results->flags[0] * n);
  packed->values = rsp_arena_copy (arena, results->values,
                                   sizeof results->values[0] * (gsize) n * results->width);
  packed->references = 1;
  return packed;
}

/* ---- Tally ---------------------------------------------------------------------------------- */

/* States are rows of numbers of values, which RspResults keeps. */

enum {
  /* Flags of a row: does the condition's proposition hold, or is its truth undetermined? The
   * condition names only what is printed, so its truth depends on the state alone, unless a filter
   * says something of undetermined values that is not printed. */
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
  RspResults *rows;     /* keyed by the numbers of printed values; NULL: none yet */
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
  tally->row = rsp_arena_new0 (tally->arena, guint32, tally->n_printed);
  tally->values.arena = tally->arena;
  return tally;
}

void rsp_tally_free (RspTally *tally) {
  if (!tally)
    return;
  rsp_value_table_clear (&tally->values);
  rsp_results_unref (tally->rows);
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

/* The printed values of a state, as a row. */
static const guint32 *show (RspTally *tally, const guint32 *state) {
  guint32 *row = tally->row;
  if (tally->n_printed == tally->program->n_observables && !tally->has_unknown)
    return state;
  for (guint k = 0; k < tally->n_printed; k++)
    row[k] = state[tally->printed[k]];
  if (tally->has_unknown) {
    /* Name undetermined values by what the state shows, their numbers in the order of appearance,
     * so that states that differ only in names are one. */
    guint n = tally->n_printed, n_circles = 0;
    g_autofree RspValue *values = g_new (RspValue, n + 1);
    g_autofree RspValue *named = g_new0 (RspValue, n + 1);
    for (guint k = 0; k < n; k++)
      values[k] = *rsp_value_table_get (&tally->values, row[k]);
    for (guint k = 0; k < n; k++)
      if (values[k].unknown && !named[k].unknown) {
        /* Name the undetermined values of the first one's cycle. The widest of them, of several the
         * first one, has offset 0: narrower ones do not tell it. */
        guint number = ++n_circles;
        guint base = k;
        for (guint i = k; i < tally->n_printed; i++)
          if (values[i].unknown == values[k].unknown
              && rsp_type_bits (printed_type (tally, i))
                     > rsp_type_bits (printed_type (tally, base)))
            base = i;
        for (guint i = k; i < tally->n_printed; i++)
          if (values[i].unknown == values[k].unknown) {
            const RspType *type = printed_type (tally, i);
            gint64 offset = (gint64) ((guint64) values[i].bits - (guint64) values[base].bits);
            named[i] = (RspValue){ .bits = rsp_wrap (offset, rsp_type_bits (type),
                                                     rsp_type_is_signed (type)),
                                   .unknown = number,
                                   .excluded = values[i].excluded };
          }
      }
    for (guint k = 0; k < n; k++)
      if (named[k].unknown)
        row[k] = rsp_tally_number (tally, named[k]);
  }
  return row;
}

/* A row's flags, with those of more executions that end in its state: undetermined if they differ.
 */
static void note_flags (RspResults *rows, guint row, gboolean is_new, guint32 flags) {
  rows->flags[row] = is_new || rows->flags[row] == flags ? flags : UNDETERMINED;
}

/* flags: of these executions. */
static void count (RspTally *tally, guint row, RspCount executions, RspCount n_undefined,
                   guint32 flags) {
  rsp_results_count (tally->rows, row, executions, n_undefined, 0);
  tally->executions = rsp_count_add (tally->executions, executions);
  tally->n_undefined = rsp_count_add (tally->n_undefined, n_undefined);
  if (flags & SATISFIES)
    tally->positive = rsp_count_add (tally->positive, executions);
  if (flags & UNDETERMINED)
    tally->undetermined = rsp_count_add (tally->undetermined, executions);
}

/* differs: is it known that the state is a new one? */
gboolean tally_add_numbered (RspTally *tally, const guint32 *state, RspCount executions,
                             RspCount n_undefined, gboolean differs) {
  const RspProgram *program = tally->program;
  if (program->filter && truth_in (tally, program->filter, state) == RSP_FAILS)
    return FALSE;
  guint known = tally->rows ? tally->rows->n : 0;
  const guint32 *shown = show (tally, state);
  if (!tally->rows)
    tally->rows = rsp_results_new (tally->n_printed);
  guint row = differs && !tally->has_unknown ? rsp_results_append (tally->rows, shown)
                                             : rsp_results_obtain (tally->rows, shown);
  guint32 flags = row == known ? 0 : tally->rows->flags[row];
  if (row == known || (tally->has_unknown && program->filter)) {
    RspTruth truth = truth_in (tally, program->condition, state);
    flags = truth == RSP_HOLDS ? SATISFIES : truth == RSP_OPEN ? UNDETERMINED : 0;
    note_flags (tally->rows, row, row == known, flags);
  }
  count (tally, row, executions, n_undefined, flags);
  return TRUE;
}

gboolean rsp_tally_takes_all (const RspTally *tally) {
  return !tally->rows && tally->n_printed == tally->program->n_observables;
}

gboolean rsp_tally_add (RspTally *tally, const RspValue *state, RspCount executions,
                        RspCount n_undefined) {
  for (guint i = 0; i < tally->program->n_observables; i++)
    tally->state[i] = rsp_tally_number (tally, state[i]);
  return tally_add_numbered (tally, tally->state, executions, n_undefined, FALSE);
}

void tally_take (RspTally **to, RspTally **from) {
  if ((*to)->rows) {
    if ((*from)->rows) {
      const RspResults *rows = (*from)->rows;
      g_autofree guint32 *numbers = translate_numbers (*to, *from);
      for (guint i = 0; i < rows->n; i++) {
        for (guint k = 0; k < (*to)->n_printed; k++)
          (*to)->row[k] = numbers[rows->values[(gsize) i * rows->width + k]];
        guint known = (*to)->rows->n, row = rsp_results_obtain ((*to)->rows, (*to)->row);
        note_flags ((*to)->rows, row, row == known, rows->flags[i]);
        count (*to, row, rows->executions[i], rsp_results_n_undefined (rows, i), 0);
      }
      (*to)->positive = rsp_count_add ((*to)->positive, (*from)->positive);
      (*to)->undetermined = rsp_count_add ((*to)->undetermined, (*from)->undetermined);
    }
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
    tally_add_numbered (to, to->state, rows->executions[row], rsp_results_n_undefined (rows, row),
                        FALSE);
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
static void merge_shown (RspTally *tally) {
  RspResults *from = tally->rows;
  if (!tally->has_unknown || !from)
    return;
  RspResults *to = rsp_results_new (from->width);
  for (guint i = 0; i < from->n; i++) {
    const guint32 *row = from->values + (gsize) i * from->width;
    for (guint k = 0; k < from->width; k++) {
      RspValue value = *rsp_value_table_get (&tally->values, row[k]);
      value.excluded = 0;
      tally->row[k] = rsp_tally_number (tally, value);
    }
    guint known = to->n, same = rsp_results_obtain (to, tally->row);
    note_flags (to, same, same == known, from->flags[i]);
    rsp_results_count (to, same, from->executions[i], rsp_results_n_undefined (from, i), 0);
  }
  rsp_results_unref (from);
  tally->rows = to;
}

void tally_count_states (RspTally *tally) {
  RspResults *rows = tally->rows;
  if (!tally->has_unknown || !rows)
    return;
  merge_shown (tally);
  rows = tally->rows;
  tally->executions = tally->positive = tally->undetermined = tally->n_undefined = 0;
  for (guint row = 0; row < rows->n; row++) {
    RspCount n_undefined = MIN (rsp_results_n_undefined (rows, row), 1);
    rows->executions[row] = 0;
    if (rows->n_undefined)
      rows->n_undefined[row] = 0;
    count (tally, row, 1, n_undefined, rows->flags[row]);
  }
}

/* By values. */
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
  return states_sort (&rows, budget, order);
}

void rsp_tally_finish (RspTally *tally, RspBudget *budget, RspOutcome *outcome) {
  merge_shown (tally);
  outcome->n_printed = tally->n_printed;
  outcome->printed = tally->printed;
  outcome->positive = tally->positive;
  outcome->undetermined = tally->undetermined;
  outcome->negative = tally->executions == RSP_COUNT_MAX
                          ? RSP_COUNT_MAX
                          : tally->executions - tally->positive - tally->undetermined;
  outcome->n_undefined = tally->n_undefined;
  guint n_values = rsp_value_table_count (&tally->values);
  RspValue *values = outcome->values = rsp_arena_new0 (tally->arena, RspValue, n_values);
  for (guint i = 0; i < n_values; i++)
    values[i] = *rsp_value_table_get (&tally->values, i);
  gboolean complete = rsp_budget_stop (budget) == RSPCHECK_STOP_COMPLETE;
  guint n = tally->rows ? tally->rows->n : 0;
  g_autofree guint *order = g_new (guint, n + 1);
  if (n && (complete || n <= MAX_UNFINISHED_STATES)
      && find_order (tally, outcome, complete ? budget : NULL, order)) {
    RspResults *rows = tally->rows;
    outcome->n_states = rows->n;
    outcome->states = rsp_arena_new0 (tally->arena, RspStateCount, rows->n);
    for (guint i = 0; i < rows->n; i++)
      outcome->states[i] = (RspStateCount){ .executions = rows->executions[order[i]],
                                            .n_undefined = rsp_results_n_undefined (rows, order[i]),
                                            .row = order[i],
                                            .satisfies = rows->flags[order[i]] & SATISFIES,
                                            .undetermined = rows->flags[order[i]] & UNDETERMINED };
    outcome->width = rows->width;
    /* The values of all rows, for the caller to free. Only the rest of the rows may be used
     * afterwards. */
    outcome->numbers = rows->is_small ? g_memdup2 (rows->values,
                                                   sizeof (guint32) * (gsize) rows->n * rows->width)
                                      : g_steal_pointer (&rows->values);
  }
  outcome->arena = g_steal_pointer (&tally->arena);
}
