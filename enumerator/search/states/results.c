#include "enumerator/search/states/results.h"

#include <string.h>

enum
{
  FIRST_ROWS = 4,
  LINEAR_ROWS = 8 /* tables with fewer rows are searched row by row, without slots */
};

RspResults *
rsp_results_new (guint width)
{
  RspResults *results = g_new0 (RspResults, 1);
  results->width = width;
  results->references = 1;
  return results;
}

RspResults *
rsp_results_ref (RspResults *results)
{
  g_atomic_int_inc (&results->references);
  return results;
}

void
rsp_results_unref (RspResults *results)
{
  if (!results || !g_atomic_int_dec_and_test (&results->references))
    return;
  g_free (results->values);
  g_free (results->executions);
  g_free (results->n_undefined);
  g_free (results->flags);
  g_free (results->slots);
  g_free (results);
}

static guint
hash_row (const guint32 *values, guint width)
{
  guint64 hash = width;
  for (guint i = 0; i < width; i++)
    hash = (hash ^ values[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (hash >> 32);
}

static gboolean
is_row (const RspResults *results, guint row, const guint32 *values)
{
  return !results->width
         || memcmp (results->values + (gsize) row * results->width, values,
                    sizeof (guint32) * results->width)
                == 0;
}

static void
insert_slot (RspResults *results, guint row, guint hash)
{
  guint slot = hash & (results->n_slots - 1);
  while (results->slots[slot])
    slot = (slot + 1) & (results->n_slots - 1);
  results->slots[slot] = row + 1;
}

static void
grow (RspResults *results)
{
  results->capacity = results->capacity ? 2 * results->capacity : FIRST_ROWS;
  guint n = results->capacity;
  results->values = g_renew (guint32, results->values, (gsize) n * results->width);
  results->executions = g_renew (RspCount, results->executions, n);
  results->n_undefined = g_renew (RspCount, results->n_undefined, n);
  results->flags = g_renew (guint32, results->flags, n);
  if (n <= LINEAR_ROWS)
    return;
  g_free (results->slots);
  results->n_slots = 2 * n;
  results->slots = g_new0 (guint32, results->n_slots);
  for (guint row = 0; row < results->n; row++)
    insert_slot (results, row,
                 hash_row (results->values + (gsize) row * results->width, results->width));
}

/* The row with these values, whose hash is given, or results->n. */
static guint
find_row (const RspResults *results, const guint32 *values, guint hash)
{
  if (!results->slots)
    {
      guint row = 0;
      while (row < results->n && !is_row (results, row, values))
        row++;
      return row;
    }
  guint slot = hash & (results->n_slots - 1);
  for (; results->slots[slot]; slot = (slot + 1) & (results->n_slots - 1))
    if (is_row (results, results->slots[slot] - 1, values))
      return results->slots[slot] - 1;
  return results->n;
}

void
rsp_results_add (RspResults *results, const guint32 *values, RspCount executions,
                 RspCount n_undefined, guint32 flags)
{
  guint hash = results->n >= LINEAR_ROWS ? hash_row (values, results->width) : 0;
  guint row = find_row (results, values, hash);
  if (row == results->n)
    {
      if (results->n == results->capacity)
        grow (results);
      if (results->width)
        memcpy (results->values + (gsize) row * results->width, values,
                sizeof (guint32) * results->width);
      results->executions[row] = results->n_undefined[row] = 0;
      results->flags[row] = 0;
      results->n++;
      if (results->slots)
        insert_slot (results, row, hash);
    }
  results->executions[row] = rsp_count_add (results->executions[row], executions);
  results->n_undefined[row] = rsp_count_add (results->n_undefined[row], n_undefined);
  results->flags[row] |= flags;
}

/* Rows that differ still differ, so none needs to be looked for. */
RspResults *
rsp_results_permute (const RspResults *results, const guint *from)
{
  guint n = results->n, width = results->width;
  RspResults *permuted = rsp_results_new (width);
  permuted->n = permuted->capacity = n;
  permuted->executions = g_memdup2 (results->executions, sizeof results->executions[0] * n);
  permuted->n_undefined = g_memdup2 (results->n_undefined, sizeof results->n_undefined[0] * n);
  permuted->flags = g_memdup2 (results->flags, sizeof results->flags[0] * n);
  permuted->values = g_new (guint32, (gsize) n * width);
  for (guint row = 0; row < n; row++)
    for (guint i = 0; i < width; i++)
      permuted->values[(gsize) row * width + i] = results->values[(gsize) row * width + from[i]];
  return permuted;
}

gsize
rsp_results_size (const RspResults *results)
{
  return sizeof *results
         + (gsize) results->capacity
               * (sizeof (guint32) * (results->width + 1) + 2 * sizeof (RspCount))
         + (gsize) results->n_slots * sizeof (guint32);
}

gsize
rsp_results_packed_size (const RspResults *results)
{
  return sizeof *results
         + (gsize) results->n * (sizeof (guint32) * (results->width + 1) + 2 * sizeof (RspCount));
}

RspResults *
rsp_results_pack (const RspResults *results, RspArena *arena)
{
  guint n = results->n;
  RspResults *packed = rsp_arena_new0 (arena, RspResults, 1);
  packed->width = results->width;
  packed->n = packed->capacity = n;
  packed->executions
      = rsp_arena_copy (arena, results->executions, sizeof results->executions[0] * n);
  packed->n_undefined
      = rsp_arena_copy (arena, results->n_undefined, sizeof results->n_undefined[0] * n);
  packed->flags = rsp_arena_copy (arena, results->flags, sizeof results->flags[0] * n);
  packed->values = rsp_arena_copy (arena, results->values,
                                   sizeof results->values[0] * (gsize) n * results->width);
  packed->references = 1;
  return packed;
}
