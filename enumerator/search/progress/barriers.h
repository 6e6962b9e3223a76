/* Barriers in combinations of paths that may not end. */
#pragma once

#include "enumerator/paths/path.h"

/* The ways of all threads to end or not. */
typedef struct BarrierThreads {
  const RspProgram *program;
  GPtrArray *const *paths; /* per thread: of RspPath */
  RspTerms *terms;
} BarrierThreads;

/* Does the thread, which takes this path, keep others waiting at a barrier without a quorum? It
 * does if it has not come to it and, should it ever go on, may; in languages whose barriers all
 * threads must execute, whenever it has not come. */
gboolean rsp_barrier_is_held (const BarrierThreads *threads, guint thread, const RspPath *path,
                              const RspEvent *barrier);

/* Of a path per thread: do enough threads come to each barrier that a thread passes, too few to
 * each at which one waits for ever, and do threads that repeat barriers for ever meet each time? */
gboolean barriers_allow (const BarrierThreads *threads, const RspPath *const *chosen);

/* Does the path repeat phases for ever? Who meets whom may then differ from round to round. */
gboolean barriers_repeat_phases (const RspPath *path);
