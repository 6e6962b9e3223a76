/* Pre-executions: one path per thread; events numbered, initial writes first; everything that does
 * not depend on rf, co or chosen orders. */
#ifndef RSP_PRE_EXECUTION_H
#define RSP_PRE_EXECUTION_H

#include "enumerator/paths/path.h"
#include "model/base.h"

typedef struct RspPreExecution
{
  const RspProgram *program;
  RspArena *arena;
  const RspPath **paths;   /* one per thread */
  guint n;                 /* events */
  const RspEvent **events; /* initial writes (of the locations that some event accesses, by index),
                              then the threads' events in order */
  guint *first;            /* per thread: number of its first event; n_threads + 1 entries */
  guint *initial; /* per location: its initial write, or G_MAXUINT when no event accesses it */
  guint n_reads;
  guint *reads; /* events that read, in order */
  RspMatrix
      *candidates; /* row r: the writes that read r may read from (same location, not itself) */
  RspBase *base;   /* rf and co NULL */
} RspPreExecution;

/* Builds one from a path per thread (all RSP_PATH_COMPLETE). Lives in arena. */
RspPreExecution *rsp_pre_execution_new (const RspProgram *program, const RspPath *const *paths,
                                        RspArena *arena);

/* The event of the pre-execution for event number `event` of a thread's path. */
static inline guint
rsp_pre_execution_event (const RspPreExecution *pre, guint thread, guint event)
{
  return pre->first[thread] + event;
}

/* ---- Values ---- */

/* Solves the values of a complete reads-from: source[e] is the write that event e reads from (reads
 * only). Fills values[e] with what each event reads (reads and RMWs), written[e] with what it
 * writes (writes and RMWs), and state[i] with the value of each observable that is a register.
 * FALSE when no values satisfy the equations or some path's constraints. Values in a circle stay
 * undetermined (RspValue.unknown, numbered from 1 in order of the first event); *thin_air tells
 * whether there were any. */
gboolean rsp_values_solve (const RspPreExecution *pre, const guint *source, RspValue *values,
                           RspValue *written, RspValue *state, gboolean *thin_air);

/* Completes a final state, in which rsp_values_solve has filled the registers: the value of each
 * observable that is a location, from the co-last write per location (last[location], G_MAXUINT
 * where no event accesses it). state has n_observables entries. */
void rsp_final_state (const RspPreExecution *pre, const RspValue *written, const guint *last,
                      RspValue *state);

/* Does a proposition hold in a state? */
gboolean rsp_prop_holds (const RspProp *prop, const RspValue *state);

#endif
