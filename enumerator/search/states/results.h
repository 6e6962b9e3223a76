/* Results: what the completions of one search node lead to.
 *
 * A table from assignments of the open observables (one value number each, see bounded.h, in the
 * order of the observables) to the number of executions that end in them, how many of these violate
 * a requirement, and the flags that any of them raises. Reference-counted; one result may be used
 * for many nodes. */
#pragma once

#include "enumerator/search/check.h"

typedef struct RspResults
{
  guint width;       /* values per row */
  guint n, capacity; /* rows */
  guint32 *values;   /* n × width */
  RspCount *executions;
  RspCount *n_undefined;
  guint32 *flags;
  guint32 *slots; /* open addressing: row + 1, 0 where empty; n_slots a power of two */
  guint n_slots;
  gint references; /* atomic: any thread may read results in the memo, and none may change them */
} RspResults;

RspResults *rsp_results_new (guint width);
RspResults *rsp_results_ref (RspResults *results);
void rsp_results_unref (RspResults *results);
/* Adds to the row with these values (copied), which is made if it is missing. */
void rsp_results_add (RspResults *results, const guint32 *values, RspCount executions,
                      RspCount n_undefined, guint32 flags);
/* A copy in which column i is column from[i] of results. */
RspResults *rsp_results_permute (const RspResults *results, const guint *from);
/* Bytes in memory, or what the packed copy would take. */
gsize rsp_results_size (const RspResults *results);
gsize rsp_results_packed_size (const RspResults *results);
/* A compact, read-only copy. It lives as long as the arena: one reference is never released. */
RspResults *rsp_results_pack (const RspResults *results, RspArena *arena);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspResults, rsp_results_unref)
