/* States are sorted by keys: the columns of a state, each minus its least value and in as few bits
 * as possible, packed into words. So most comparisons look at one word instead of a value of each
 * column. */
#include "enumerator/search/states/sort.h"

#include "enumerator/terms/value.h"

#include <string.h>

enum
{
  ROWS_PER_LOOK = 4096 /* at the clock */
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
      for (guint f = 0; f < 2 * keys->width; f++)
        {
          Field *field = &keys->fields[f];
          gint64 value = half (&keys->states[i][field->column], field);
          field->least = MIN (field->least, value);
          field->most = MAX (field->most, value);
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

static gboolean
comes_after (const Keys *keys, guint a, guint b)
{
  const guint64 *x = keys->bits + (gsize) a * keys->words;
  const guint64 *y = keys->bits + (gsize) b * keys->words;
  for (guint w = 0; w < keys->words; w++)
    if (x[w] != y[w])
      return x[w] > y[w];
  return FALSE;
}

/* Merges the runs from[begin … middle-1] and from[middle … end-1]. */
static gboolean
merge (const Keys *keys, const guint *from, guint begin, guint middle, guint end, guint *to)
{
  guint a = begin, b = middle;
  for (guint i = begin; i < end; i++)
    {
      if (is_exhausted (keys, i))
        return FALSE;
      if (a < middle && (b == end || !comes_after (keys, from[a], from[b])))
        to[i] = from[a++];
      else
        to[i] = from[b++];
    }
  return TRUE;
}

/* Bottom-up merge sort. */
static gboolean
sort (const Keys *keys, guint *order)
{
  g_autofree guint *other = g_new (guint, keys->n);
  guint *from = order, *to = other;
  for (gsize run = 1; run < keys->n; run *= 2)
    {
      for (gsize begin = 0; begin < keys->n; begin += 2 * run)
        if (!merge (keys, from, (guint) begin, (guint) MIN (begin + run, keys->n),
                    (guint) MIN (begin + 2 * run, keys->n), to))
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
