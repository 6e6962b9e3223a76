/* States are sorted by keys: the columns of a state, each as the rank of its value in as few bits
 * as possible, packed into words, which are sorted digit by digit. */
#include "enumerator/search/states/sort.h"
#include "enumerator/terms/value.h"

#include <string.h>

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

/* Equal values have one rank. */
static guint32 *rank_values (const RspValue *values, guint n) {
  guint32 *ranks = g_new0 (guint32, n + 1);
  g_autofree guint32 *numbers = g_new (guint32, n + 1);
  for (guint i = 0; i < n; i++)
    numbers[i] = i;
  g_qsort_with_data (numbers, (gint) n, sizeof numbers[0], compare_numbers, (gpointer) values);
  for (guint i = 1; i < n; i++)
    ranks[numbers[i]]
        = ranks[numbers[i - 1]] + !rsp_value_equal (values[numbers[i]], values[numbers[i - 1]]);
  return ranks;
}

static guint bits_for (guint32 most) { return most ? 32 - (guint) __builtin_clz (most) : 0; }

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
    keys->fields[column] = (Field){ .column = column, .bits = bits_for (used[column]) };
  return TRUE;
}

/* Places each column in the key, from the top of the first word; none crosses the end of a word.
 * Columns that take no bits are dropped. */
static void place (Keys *keys) {
  guint left = 64;
  keys->words = 1;
  for (guint f = 0; f < keys->rows->width; f++) {
    Field field = keys->fields[f];
    if (!field.bits)
      continue;
    if (field.bits > left) {
      keys->fields[keys->n_fields - 1].is_last = TRUE;
      keys->words++;
      left = 64;
    }
    left -= field.bits;
    field.shift = left;
    keys->fields[keys->n_fields++] = field;
  }
  if (keys->n_fields)
    keys->fields[keys->n_fields - 1].is_last = TRUE;
  keys->left = left;
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

/* Moves the rows from `from` to `to` so that the digits at `shift` of a word are in order, and rows
 * of one digit as they were. */
static gboolean sort_by_digit (const Keys *keys, guint word, guint shift, const guint *from,
                               guint *to) {
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
  return TRUE;
}

/* Radix sort, from the least significant digit on. */
static gboolean sort (const Keys *keys, guint *order) {
  g_autofree guint *other = g_new (guint, keys->rows->n);
  guint *from = order, *to = other;
  for (guint word = keys->words; word-- > 0;)
    for (guint shift = word + 1 == keys->words ? keys->left : 0; shift < 64; shift += DIGIT_BITS) {
      if (!sort_by_digit (keys, word, shift, from, to))
        return FALSE;
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
  g_autofree guint32 *ranks = rank_values (rows->values, rows->n_values);
  Keys keys = { .rows = rows, .budget = budget, .ranks = ranks, .fields = fields };
  if (!measure (&keys))
    return FALSE;
  place (&keys);
  keys.bits = g_new0 (guint64, (gsize) rows->n * keys.words);
  gboolean done = pack (&keys) && sort (&keys, order);
  g_free (keys.bits);
  return done;
}
