/* States are sorted by keys: the columns of a state, each minus its least value and in as few bits
 * as possible, packed into words, which are sorted digit by digit. */
#include "enumerator/search/states/sort.h"

#include <string.h>

enum
{
  ROWS_PER_LOOK = 4096, /* at the clock */
  DIGIT_BITS = 8,       /* of a key, by which rows are sorted at once */
  N_DIGITS = 1 << DIGIT_BITS
};

/* Part of a key: half of a column, which is the number of an undetermined value (which sorts first)
 * or the bits of the value. */
typedef struct Field
{
  guint column;
  gboolean is_unknown;
  gint64 least, most;
  guint word, shift;
} Field;

typedef struct Keys
{
  const RspValue *const *states;
  guint n, width;
  RspBudget *budget;
  Field *fields; /* 2 * width; those that take no bits are ignored */
  guint words;   /* of a key */
  guint left;    /* lowest bits of the last word that no field takes */
  guint64 *bits; /* n * words; the first word is the most significant */
} Keys;

static gboolean
is_exhausted (const Keys *keys, guint row)
{
  return row % ROWS_PER_LOOK == 0 && rsp_budget_is_exhausted (keys->budget);
}

static gint64
half (const RspValue *value, const Field *field)
{
  return field->is_unknown ? (gint64) value->unknown : value->bits;
}

static inline void
widen (Field *field, gint64 value)
{
  field->least = MIN (field->least, value);
  field->most = MAX (field->most, value);
}

/* The range of each half of a column. */
static gboolean
measure (Keys *keys)
{
  for (guint f = 0; f < 2 * keys->width; f++)
    {
      Field *field = &keys->fields[f];
      *field = (Field){ .column = f / 2, .is_unknown = f % 2 == 0 };
      field->least = field->most = half (&keys->states[0][field->column], field);
    }
  for (guint i = 0; i < keys->n; i++)
    {
      if (is_exhausted (keys, i))
        return FALSE;
      for (guint column = 0; column < keys->width; column++)
        {
          const RspValue *value = &keys->states[i][column];
          Field *pair = &keys->fields[(gsize) 2 * column];
          widen (&pair[0], value->unknown);
          widen (&pair[1], value->bits);
        }
    }
  return TRUE;
}

static guint
bits_for (guint64 range)
{
  return range ? 64 - (guint) __builtin_clzll (range) : 0;
}

/* Places each half in the key, from the top of the first word; no half crosses the end of a word.
 * Halves that are equal in all states are dropped. Returns the number of remaining ones. */
static guint
place (Keys *keys)
{
  guint kept = 0, left = 64;
  keys->words = 1;
  for (guint f = 0; f < 2 * keys->width; f++)
    {
      Field field = keys->fields[f];
      guint bits = bits_for ((guint64) field.most - (guint64) field.least);
      if (!bits)
        continue;
      if (bits > left)
        {
          keys->words++;
          left = 64;
        }
      left -= bits;
      field.word = keys->words - 1;
      field.shift = left;
      keys->fields[kept++] = field;
    }
  keys->left = left;
  return kept;
}

static gboolean
pack (Keys *keys, guint n_fields)
{
  for (guint i = 0; i < keys->n; i++)
    {
      guint64 *key = keys->bits + (gsize) i * keys->words;
      if (is_exhausted (keys, i))
        return FALSE;
      for (guint f = 0; f < n_fields; f++)
        {
          const Field *field = &keys->fields[f];
          guint64 value = (guint64) half (&keys->states[i][field->column], field);
          key[field->word] |= (value - (guint64) field->least) << field->shift;
        }
    }
  return TRUE;
}

/* Moves the rows from `from` to `to` so that the digits at `shift` of a word are in order, and rows of
 * one digit as they were. */
static gboolean
sort_by_digit (const Keys *keys, guint word, guint shift, const guint *from, guint *to)
{
  guint first[N_DIGITS + 1] = { 0 };
  const guint64 *bits = keys->bits + word;
  for (guint i = 0; i < keys->n; i++)
    first[(bits[(gsize) i * keys->words] >> shift) % N_DIGITS + 1]++;
  for (guint digit = 0; digit < N_DIGITS; digit++)
    first[digit + 1] += first[digit];
  for (guint i = 0; i < keys->n; i++)
    {
      if (is_exhausted (keys, i))
        return FALSE;
      to[first[(bits[(gsize) from[i] * keys->words] >> shift) % N_DIGITS]++] = from[i];
    }
  return TRUE;
}

/* Radix sort, from the least significant digit on. */
static gboolean
sort (const Keys *keys, guint *order)
{
  g_autofree guint *other = g_new (guint, keys->n);
  guint *from = order, *to = other;
  for (guint word = keys->words; word-- > 0;)
    for (guint shift = word + 1 == keys->words ? keys->left : 0; shift < 64; shift += DIGIT_BITS)
      {
        if (!sort_by_digit (keys, word, shift, from, to))
          return FALSE;
        guint *swapped = from;
        from = to;
        to = swapped;
      }
  if (from != order)
    memcpy (order, from, sizeof (guint) * keys->n);
  return TRUE;
}

gboolean
states_sort (const RspValue *const *states, guint n, guint width, RspBudget *budget, guint *order)
{
  g_autofree Field *fields = g_new0 (Field, 2 * width + 1);
  Keys keys = { .states = states, .n = n, .width = width, .budget = budget, .fields = fields };
  if (n == 0)
    return TRUE;
  if (!measure (&keys))
    return FALSE;
  guint n_fields = place (&keys);
  keys.bits = g_new0 (guint64, (gsize) n * keys.words);
  gboolean done = pack (&keys, n_fields) && sort (&keys, order);
  g_free (keys.bits);
  return done;
}
