/* Running a test on a machine: which final states can it end in? */
#pragma once

#include "enumerator/search/search.h"
#include "extra/machine/caches.h"

typedef struct RspExploreOptions {
  const RspMachine *machine;
  const RspMap *map;
  const RspLatencies *latencies; /* for the bill's critical path; NULL: it has none */
  guint64 max_states;            /* 0: no limit */
  guint unroll;
  RspcheckCasWriteback cas_writeback;
  gboolean wide_barriers; /* of the model that the machine is compared with */
  double timeout;         /* seconds; 0: none */
  gsize max_memory;       /* bytes of states; 0: 1 GiB */
} RspExploreOptions;

/* The outcome has no flags, and each final state counts as one execution, as the number of
 * interleavings that lead to it is meaningless. outcome->stop is RSPCHECK_STOP_EXECUTIONS if
 * max_states ended the search. */
typedef struct RspExploration {
  RspOutcome *outcome;
  guint64 states, steps; /* of the search */
  gsize bytes;           /* size of the states */
  gboolean deadlock;
  const char *violated; /* an invariant that fails in some state, of the machine; or NULL */
} RspExploration;

/* Never NULL; errors go to diagnostics, and outcome->stop is RSPCHECK_STOP_ERROR then. */
RspExploration *rsp_exploration_new (const RspProgram *program, const RspExploreOptions *options,
                                     RspDiagnostics *diagnostics);
void rsp_exploration_free (RspExploration *run);

/* In place of a final state's number. */
#define RSP_TRACE_DEADLOCK  (G_MAXUINT - 1)
#define RSP_TRACE_VIOLATION G_MAXUINT

/* Appends the shortest trace to the run's final state number `state`, to a deadlock, or to a state
 * that violates an invariant, one step per line. Searches again, breadth first, under the same
 * limits; FALSE if they end that search. */
gboolean rsp_exploration_trace (const RspProgram *program, const RspExploreOptions *options,
                                const RspExploration *run, guint state, GString *out);

/* The bill of the executions that end in a state for which allowed[its number] is set, with caches
 * that fetch on demand (the reading fetch=demand). Appends a line for each item, "NAME LEAST MEAN
 * MOST", or nothing if there is no such execution. FALSE if a limit ended the search. */
gboolean rsp_exploration_cost (const RspProgram *program, const RspExploreOptions *options,
                               const RspExploration *exploration, const gboolean *allowed,
                               GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspExploration, rsp_exploration_free)
