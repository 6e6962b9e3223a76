/* Shapes: small straight-line programs before their labels.
 *
 * A shape has threads in a scope tree and per thread a sequence of loads, stores, exchanges and
 * fences on numbered locations; every write writes a value of its own, every load goes to a register
 * of its own. What it lacks are the labels: memory order, scope, remote or not (label.h). Its
 * candidate executions (rf and co) do not depend on them, so they are listed once, and a model is
 * staged once, for all programs of the shape (judge.h).
 *
 * An outcome is what the final state shows: the write that each load read, and the co-last write of
 * each location. As all values differ it determines rf.
 *
 * Events are numbered as in a pre-execution: an initial write per location, then the threads'. */
#ifndef RSP_ENUMERATOR_SHAPES_SHAPE_H
#define RSP_ENUMERATOR_SHAPES_SHAPE_H

#include "enumerator/pre_execution.h"

enum
{
  RSP_SHAPE_EVENTS = 8 /* at most, initial writes included */
};

typedef struct RspShapeEvent
{
  RspEventKind kind; /* READ, WRITE, RMW (an exchange) or FENCE */
  guint8 thread;
  guint8 location; /* READ, WRITE, RMW */
  guint8 flags;    /* FENCE: RSP_FENCE_… bits */
} RspShapeEvent;

typedef struct RspShapePlace
{
  guint8 sub_group, work_group, device; /* numbers of nodes, unique over the tree */
} RspShapePlace;

typedef struct RspShape
{
  guint n_threads, n_locations, n_events;
  RspShapePlace places[RSP_SHAPE_EVENTS]; /* per thread */
  RspShapeEvent events[RSP_SHAPE_EVENTS]; /* thread by thread, in program order */
  guint8 local[RSP_SHAPE_EVENTS];         /* per location: in local memory? */
} RspShape;

/* The number of an event of the shape among all events, initial writes first. */
static inline guint
rsp_shape_event (const RspShape *shape, guint event)
{
  return shape->n_locations + event;
}

/* A candidate execution: bit 8 * a + b for the pair (a, b). */
typedef struct RspCandidate
{
  guint64 rf, co;
  guint outcome;
} RspCandidate;

typedef struct RspShapeOutcome
{
  guint8 source[RSP_SHAPE_EVENTS]; /* per event: the write that it reads, for reads; else 0 */
  guint8 last[RSP_SHAPE_EVENTS];   /* per location: its co-last write */
} RspShapeOutcome;

typedef struct RspCandidates
{
  RspCandidate *list;
  guint n;
  RspShapeOutcome *outcomes;
  guint n_outcomes;
} RspCandidates;

/* All candidates, in a fixed order, those of one outcome one after another. */
RspCandidates *rsp_candidates_new (const RspShape *shape);
void rsp_candidates_free (RspCandidates *candidates);

/* The pre-execution of the shape with plain accesses: the base sets that depend on labels hold
 * nothing of use. Lives in arena. */
RspPreExecution *rsp_shape_pre_execution (const RspShape *shape, RspArena *arena);

#endif
