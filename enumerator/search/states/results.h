/* Results: what the completions of one search node lead to.
 *
 * A table from assignments of the open observables (one value number each, see bounded.h, in the
 * order of the observables) to the number of executions that end in them, how many of these violate
 * a requirement, and the flags that any of them raises. Reference-counted; one result may be used
 * for many nodes. */
#pragma once

#include "enumerator/search/check.h"

typedef struct RspResults {
  guint width;       /* values per row */
  guint n, capacity; /* rows */
  guint32 *values;   /* n × width */
  RspCount *executions;
  RspCount *n_undefined; /* NULL: 0 everywhere */
  guint32 *flags;
  guint32 *slots; /* open addressing: row + 1, 0 where empty; n_slots a power of two */
  guint n_slots;
  guint n_hashed;    /* rows that have slots: the others get theirs when a row is looked for */
  guint n_batched;   /* rows at the end of the last batch */
  gboolean is_small; /* private: are the rows next to this, where there is room for a few? */
  gint references;   /* atomic: any thread may read results in the memo, and none may change them */
} RspResults;

RspResults *rsp_results_new (guint width);
RspResults *rsp_results_ref (RspResults *results);
void rsp_results_unref (RspResults *results);
static inline RspCount rsp_results_n_undefined (const RspResults *results, guint row) {
  return results->n_undefined ? results->n_undefined[row] : 0;
}

/* Adds to the row with these values (copied), which is made if it is missing. */
void rsp_results_add (RspResults *results, const guint32 *values, RspCount executions,
                      RspCount n_undefined, guint32 flags);
/* The row with these values, which is made, without executions, if it is missing. */
guint rsp_results_obtain (RspResults *results, const guint32 *values);
/* The same for values that no row has: none is looked for. */
guint rsp_results_append (RspResults *results, const guint32 *values);
/* Adds to a row. */
void rsp_results_count (RspResults *results, guint row, RspCount executions, RspCount n_undefined,
                        guint32 flags);
/* A batch is a set of rows that differ from each other and are added between these two calls.
 * known: per column, the value that all of them have, or G_MAXUINT32. Returns whether it is known
 * that they differ from the rows added so far. */
gboolean rsp_results_begin_batch (RspResults *results, const guint32 *known);
void rsp_results_end_batch (RspResults *results);
/* A copy in which column i is column from[i] of results. */
RspResults *rsp_results_permute (const RspResults *results, const guint *from);
/* Bytes in memory, or what the packed copy would take. */
gsize rsp_results_size (const RspResults *results);
gsize rsp_results_packed_size (const RspResults *results);
/* The values of all rows, for the caller to free. Only the rest of the rows may be used afterwards.
 */
guint32 *rsp_results_take_values (RspResults *results);
/* Releases what only further rows would need. */
void rsp_results_trim (RspResults *results);
/* A compact, read-only copy. It lives as long as the arena: one reference is never released. */
RspResults *rsp_results_pack (const RspResults *results, RspArena *arena);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspResults, rsp_results_unref)
