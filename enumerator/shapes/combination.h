/* Combinations: the sets of events of a shape that can happen together under its guards. A shape
 * without guards has one. */
#pragma once

#include "enumerator/pre_execution.h"
#include "enumerator/shapes/shape.h"

typedef struct RspShapeCombination {
  /* The events that happen, without guards and without locations that are not accessed. */
  RspShape shape;
  guint8 event[RSP_SHAPE_EVENTS];    /* per remaining event: its number in the whole shape */
  guint8 location[RSP_SHAPE_EVENTS]; /* per remaining location, as above */
  /* Per remaining event: the loads that branches before it depend on, as a set of remaining
   * events. */
  guint8 ctrl[RSP_SHAPE_EVENTS];
  /* Per remaining event that reads: the writes that it may read from if exactly these events
   * happen, as a set of events of the pre-execution. */
  guint8 sources[RSP_SHAPE_EVENTS];
  gboolean whole; /* does everything happen, so that numbers are those of the whole shape? */
} RspShapeCombination;

/* All combinations (of RspShapeCombination), in a fixed order. Free with g_array_unref. */
GArray *shape_combinations_new (const RspShape *shape);

/* Converts the number of an event in the combination's pre-execution (initial writes first) to that
 * in the whole shape's. */
guint shape_combination_event (const RspShapeCombination *combination, const RspShape *whole,
                               guint event);

/* The pre-execution with plain accesses: the base sets that depend on labels are meaningless.
 * wide_barriers: does the model have wide barriers, so that same_B relates all threads (a label's
 * scope is not known)? Lives in arena. */
RspPreExecution *shape_combination_pre_execution (const RspShapeCombination *combination,
                                                  gboolean wide_barriers, RspArena *arena);
