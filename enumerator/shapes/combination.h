/* Combinations: which events of a shape happen, as its guards allow. A shape without guards has one. */
#ifndef RSP_ENUMERATOR_SHAPES_COMBINATION_H
#define RSP_ENUMERATOR_SHAPES_COMBINATION_H

#include "enumerator/pre_execution.h"
#include "enumerator/shapes/shape.h"

typedef struct RspShapeCombination
{
  /* The events that happen, without guards and without locations that are not accessed. */
  RspShape shape;
  guint8 event[RSP_SHAPE_EVENTS];    /* per event left: its number in the whole shape */
  guint8 location[RSP_SHAPE_EVENTS]; /* per remaining location, as above */
  /* Per event left: the loads that branches before it look at, as a set of events left. */
  guint8 ctrl[RSP_SHAPE_EVENTS];
  /* Per event left that reads: the writes that it may read from if exactly this is to happen, as a
   * set of the events of the pre-execution. */
  guint8 sources[RSP_SHAPE_EVENTS];
  gboolean whole; /* everything happens: numbers are those of the whole shape */
} RspShapeCombination;

/* All combinations (of RspShapeCombination), in a fixed order. Free with g_array_unref. */
GArray *rsp_shape_combinations_new (const RspShape *shape);

/* Of an event of the combination's pre-execution (initial writes first): its number in that of the
 * whole shape. */
guint rsp_shape_combination_event (const RspShapeCombination *combination, const RspShape *whole,
                                   guint event);

/* The pre-execution with plain accesses: the base sets that depend on labels hold nothing of use.
 * Lives in arena. */
RspPreExecution *rsp_shape_combination_pre_execution (const RspShapeCombination *combination,
                                                      RspArena *arena);

#endif
