/* Barriers of one event (PTX, Vulkan): do the threads get past all of them? */
#pragma once

#include "enumerator/event.h"
#include "enumerator/pre_execution.h"
#include "model/model.h"

/* Bits of RspBarrierRule, by the variants of the model. */
guint barriers_rules (const RspModel *model);

/* Threads that come to a barrier, and of these, those that meet there. Without a quorum, all do. */
typedef struct BarrierArrivals {
  guint all, meeting;
} BarrierArrivals;

/* Does the event come to the barrier, for the same time as its thread does, in the same group? */
gboolean barrier_is_joined (const RspProgram *program, const RspEvent *barrier,
                            const RspEvent *event);
/* Of paths, one per thread, as far as threads have come: the number of events that each has
 * reached. NULL: all. */
BarrierArrivals barrier_count_arrivals (const RspProgram *program, const RspPath *const *paths,
                                        const guint *reached, const RspEvent *barrier);
/* How many must meet so that the barrier lets its thread go on? arrivals: at the end. */
static inline gint64 barrier_quorum (const RspEvent *barrier, BarrierArrivals arrivals) {
  return barrier->barrier_quorum ? barrier->barrier_quorum : arrivals.all;
}

/* Of phases: the same barrier in an earlier one. */
RspEvent barrier_at_phase (const RspEvent *barrier, guint phase);
/* Are the phases before the barrier's complete, and its own not more than that, as far as threads
 * have come? TRUE without phases. */
gboolean barrier_phases_fit (const RspProgram *program, const RspPath *const *paths,
                             const guint *reached, const RspEvent *barrier);

/* Does its thread go past the barrier only if enough others come to it? */
static inline gboolean barrier_needs_quorum (const RspEvent *event) {
  return rsp_event_is_arrival (event) && (!event->barrier_arrives || event->barrier_passes);
}

/* Is the event the barrier at which the thread's path ends, as it waits there for ever or is not
 * run any more? */
gboolean barrier_ends_path (const RspPath *path, guint event);

/* Does a thread's path go past a barrier at which it waits for ever, as too few threads meet there,
 * or as threads wait for each other at different barriers? The events must be numbered. */
gboolean barriers_block (const RspPreExecution *pre);

/* Where each thread has the events of several paths: may threads wait for each other at different
 * barriers on some of them? FALSE only if there is no circle of barriers that come before each
 * other. The base relations must be filled. */
gboolean barriers_may_block (const RspPreExecution *pre);
