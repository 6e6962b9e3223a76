/* Does a program hang, under a memory model and a scheduler's promises?
 *
 * It hangs if some execution runs for ever although the scheduler keeps its promises
 * (enumerator/execution.h). Of such an execution, a finite part is searched for: each thread has
 * ended, waits at a barrier that others never reach, is not run any more, or is in rounds of a loop
 * that repeat for ever. These change nothing: registers are at their end what they were at their
 * beginning, and so is memory, once everything else has happened. They come after everything else
 * in coherence, reads-from and from-reads: each write is overtaken or seen eventually. Where
 * coherence is partial, a write that nothing follows may be read for ever. */
#pragma once

#include "enumerator/execution.h"
#include "enumerator/search/search.h"

/* A thread in an execution that never ends. */
typedef struct RspHangThread {
  RspFate fate;
  gboolean at_barrier; /* UNENDING */
  RspSpan span;     /* UNENDING: the first access of the rounds, the loop if there is none, or the
                       barrier */
  guint *locations; /* those that the rounds read */
  guint n_locations;
} RspHangThread;

typedef struct RspHang {
  RspProgress progress;
  gboolean hangs;
  RspHangThread *threads; /* if it hangs: per thread */
  RspExecution *execution;
  guint *schedule; /* its events but initial writes, in an order in which they may happen */
  guint n_schedule;
} RspHang;

typedef struct RspHangs {
  RspArena *arena; /* of everything here */
  RspProgram program;
  RspHang *items; /* one per progress model, as given */
  guint n;
  gboolean bounded;  /* were loops truncated, so that "ends" is only about executions with fewer
                        rounds? */
  RspcheckStop stop; /* unless COMPLETE, what is not found to hang is unknown */
  GPtrArray *queries;
} RspHangs;

/* Asks for each of the progress models. budget: NULL for that of the options, and to look further,
 * with more rounds, where loops were truncated. */
RspHangs *rsp_hangs_find (const RspProgram *program, const RspModel *model,
                          const RspCheckOptions *options, const RspProgress *models, guint n,
                          RspBudget *budget, RspDiagnostics *diagnostics);
void rsp_hangs_free (RspHangs *hangs); /* or NULL */

/* Warns about each loop and barrier at which it hangs, with the values of the locations then. */
void rsp_hang_warn (const RspHangs *hangs, const RspHang *hang, RspDiagnostics *diagnostics);
