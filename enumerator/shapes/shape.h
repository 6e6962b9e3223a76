/* Shapes: small programs before their labels.
 *
 * A shape has threads in a scope tree and per thread a sequence of loads, stores, exchanges, fences
 * and barriers on numbered locations; every write writes a different value, and every load goes to
 * a different register, which initially holds 0. An event may depend on loads before it: by its
 * address, by the value that it writes, or by a guard, a branch on the value read. A shape lacks
 * the labels: memory order, scope, remote or not (label.h). Its candidate executions (rf and co) do
 * not depend on them, so they are listed once, and a model is staged once, for all programs of the
 * shape (judge.h); with guards, once for each combination of events that happen (combination.h).
 *
 * An outcome is what the final state shows: the write that each load read, and the co-last write of
 * each location. Since all values differ, it determines rf. A load that does not happen leaves 0 in
 * its register, as if it had read the initial write; the reads of the guards determine which events
 * happen.
 *
 * A read-modify-write, and a barrier, is one event or two, as in the language. Of two, both have
 * the label of the first.
 *
 * Events are numbered as in a pre-execution: an initial write per location, then the threads'. */
#pragma once

#include "enumerator/paths/path.h"

enum {
  RSP_SHAPE_EVENTS = 8 /* limit of events, including initial writes */
};

typedef struct RspShapeEvent {
  RspEventKind
      kind; /* READ, WRITE, RMW (an exchange), FENCE, BARRIER; ENTRY and after it EXIT: a barrier */
  guint8 thread;
  guint8 location; /* READ, WRITE, RMW */
  guint8 address;  /* of these: by which of the location's virtual addresses, 0 or 1 */
  guint8 half;     /* READ and after it WRITE, of one location: boolean: an exchange */
  guint8 flags;    /* FENCE, ENTRY, EXIT, BARRIER: RSP_FENCE_… bits */
  /* Dependencies: 1 + the number of a READ or RMW before it in its thread; 0: none. */
  guint8 addr;  /* READ, WRITE, RMW: of its address */
  guint8 data;  /* WRITE, RMW: of the value written */
  guint8 guard; /* it happens only if this load reads the value that event guard_value writes */
  guint8 guard_value;
} RspShapeEvent;

typedef struct RspShapePlace {
  guint8 node[RSP_N_LEVELS]; /* numbers, unique over the tree */
} RspShapePlace;

typedef struct RspShape {
  RspLanguageId language; /* OpenCL stands for C too */
  guint n_threads, n_locations, n_events;
  RspShapePlace places[RSP_SHAPE_EVENTS]; /* per thread */
  RspShapeEvent events[RSP_SHAPE_EVENTS]; /* thread by thread, in program order */
  guint8 local[RSP_SHAPE_EVENTS];         /* per location: in local memory? */
} RspShape;

static inline gboolean rsp_shape_is_read (const RspShapeEvent *event) {
  return event->kind == RSP_EVENT_READ || event->kind == RSP_EVENT_RMW;
}

static inline gboolean rsp_shape_is_write (const RspShapeEvent *event) {
  return event->kind == RSP_EVENT_WRITE || event->kind == RSP_EVENT_RMW;
}

static inline gboolean rsp_shape_is_access (const RspShapeEvent *event) {
  return rsp_shape_is_read (event) || rsp_shape_is_write (event);
}

/* Is it the second event of an operation, not one of its own? */
static inline gboolean rsp_shape_is_second (const RspShapeEvent *event) {
  return event->kind == RSP_EVENT_EXIT || (event->half && event->kind == RSP_EVENT_WRITE);
}

static inline gboolean rsp_shape_is_barrier (const RspShapeEvent *event) {
  return event->kind == RSP_EVENT_ENTRY || event->kind == RSP_EVENT_EXIT
         || event->kind == RSP_EVENT_BARRIER;
}

/* Are two threads in one node of a level? */
static inline gboolean rsp_shape_share (const RspShape *shape, guint a, guint b, RspLevel level) {
  return shape->places[a].node[level] == shape->places[b].node[level];
}

/* The number of an event of the shape among all events, initial writes first. */
static inline guint rsp_shape_event (const RspShape *shape, guint event) {
  return shape->n_locations + event;
}
