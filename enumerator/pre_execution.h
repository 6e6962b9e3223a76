/* Pre-executions: one path per thread; events numbered, initial writes first; and everything that
 * does not depend on rf, co or chosen orders. */
#pragma once

#include "enumerator/paths/path.h"
#include "model/base.h"

typedef struct RspPreExecution {
  const RspProgram *program;
  RspArena *arena;
  const RspPath **paths;   /* one per thread */
  guint n;                 /* events */
  const RspEvent **events; /* initial writes (of the locations that some event accesses, by index),
                              then the threads' events in order */
  guint *first;            /* per thread: number of its first event; n_threads + 1 entries */
  guint *initial; /* per location: its initial write, or G_MAXUINT if no event accesses it */
  guint n_reads;
  guint *reads; /* events that read, in order */
  /* Row r: the writes that read r may read from (same location, not the same operation). */
  RspMatrix *candidates;
  /* In every execution: rf^-1 is within candidates, and initial writes come first. */
  RspExtent rf, co;
  const RspMatrix *related_writes; /* where coherence is partial: the pairs of writes that must be
                                      related, one way or the other; NULL: coherence is total */
  RspBase *base;                   /* rf and co NULL */
} RspPreExecution;

/* Builds one from a path per thread (all RSP_PATH_COMPLETE). Lives in arena; NULL if the arena's
 * budget is exhausted. */
RspPreExecution *rsp_pre_execution_new (const RspProgram *program, const RspPath *const *paths,
                                        RspArena *arena);

/* The event of the pre-execution for event number `event` of a thread's path. */
static inline guint rsp_pre_execution_event (const RspPreExecution *pre, guint thread,
                                             guint event) {
  return pre->first[thread] + event;
}

/* ---- Values ---- */
