#include "enumerator/search/states/results.h"

#include <string.h>

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

static void insert_slot (RspResults *results, guint row, guint hash) {
  guint slot = hash & (results->n_slots - 1);
  while (results->slots[slot])
    slot = (slot + 1) & (results->n_slots - 1);
  results->slots[slot] = row + 1;
}

/* Moves the rows to where there can be more. */
static void outgrow (RspResults *results) {
  guint n = results->n;
  results->values = g_memdup2 (results->values, sizeof (guint32) * (gsize) n * results->width);
  results->executions = g_memdup2 (results->executions, sizeof (RspCount) * n);
  results->n_undefined = g_memdup2 (results->n_undefined, sizeof (RspCount) * n);
  results->flags = g_memdup2 (results->flags, sizeof (guint32) * n);
  results->is_small = FALSE;
}

static void set_capacity (RspResults *results, guint n) {
  if (results->is_small)
    outgrow (results);
  results->capacity = n;
  results->values = g_renew (guint32, results->values, (gsize) n * results->width);
  results->executions = g_renew (RspCount, results->executions, n);
  if (results->n_undefined)
    results->n_undefined = g_renew (RspCount, results->n_undefined, n);
  results->flags = g_renew (guint32, results->flags, n);
}

static void hash_rows (RspResults *results) {
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
    insert_slot (results, results->n_hashed, hash_row (row, results->width));
  }
}

/* The row with these values, or results->n. */
static guint find_row (RspResults *results, const guint32 *values) {
  if (results->n <= LINEAR_ROWS) {
    guint row = 0;
    while (row < results->n && !is_row (results, row, values))
      row++;
    return row;
  }
  hash_rows (results);
  guint slot = hash_row (values, results->width) & (results->n_slots - 1);
  for (; results->slots[slot]; slot = (slot + 1) & (results->n_slots - 1))
    if (is_row (results, results->slots[slot] - 1, values))
      return results->slots[slot] - 1;
  return results->n;
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

guint rsp_results_obtain (RspResults *results, const guint32 *values) {
  guint row = find_row (results, values);
  return row < results->n ? row : rsp_results_append (results, values);
}

static void begin_undefined (RspResults *results) {
  if (!results->is_small) {
    results->n_undefined = g_new0 (RspCount, results->capacity);
    return;
  }
  SmallResults *small = (SmallResults *) results;
  memset (small->n_undefined, 0, sizeof small->n_undefined);
  results->n_undefined = small->n_undefined;
}

void rsp_results_count (RspResults *results, guint row, RspCount executions, RspCount n_undefined,
                        guint32 flags) {
  results->executions[row] = rsp_count_add (results->executions[row], executions);
  results->flags[row] |= flags;
  if (!n_undefined)
    return;
  if (!results->n_undefined)
    begin_undefined (results);
  results->n_undefined[row] = rsp_count_add (results->n_undefined[row], n_undefined);
}

void rsp_results_add (RspResults *results, const guint32 *values, RspCount executions,
                      RspCount n_undefined, guint32 flags) {
  rsp_results_count (results, rsp_results_obtain (results, values), executions, n_undefined, flags);
}

/* ---- Batches ---- */

/* Rows that were added otherwise may have any values. */
static void begin_bounds (const RspResults *results, guint32 *bounds) {
  guint width = results->width;
  if (results->n_batched == results->n && results->n)
    return;
  for (guint i = 0; i < width; i++) {
    bounds[i] = results->n ? 0 : G_MAXUINT32;
    bounds[width + i] = results->n ? G_MAXUINT32 : 0;
  }
}

gboolean rsp_results_begin_batch (RspResults *results, const guint32 *known) {
  guint32 *bounds = ((SmallResults *) results)->values + (gsize) FIRST_ROWS * results->width;
  gboolean differs = results->n == 0;
  begin_bounds (results, bounds);
  for (guint i = 0; i < results->width; i++) {
    guint32 *least = &bounds[i], *most = &bounds[results->width + i];
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

guint32 *rsp_results_take_values (RspResults *results) {
  if (results->is_small)
    return g_memdup2 (results->values, sizeof (guint32) * (gsize) results->n * results->width);
  return g_steal_pointer (&results->values);
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
