/* Shapes with their threads in another order, and the orders that leave a shape as it is. */
#pragma once

#include "enumerator/shapes/candidates.h"

enum {
  SYNTH_MAX_SYMMETRIES = 120 /* orders of SYNTH_MAX_THREADS threads */
};

/* A renaming of threads and locations that maps the shape to itself, as it moves events: event i
 * has the place of event moves[i]. */
typedef struct SynthSymmetry {
  guint8 moves[RSP_SHAPE_EVENTS];
} SynthSymmetry;

/* The threads of a shape in another order: thread[t] takes place t. */
typedef struct SynthOrder {
  guint8 thread[RSP_SHAPE_EVENTS];
} SynthOrder;

/* All orders of the threads but the one they are in that keep the lengths. How many there are. */
guint synth_orders_of_lengths (const RspShape *shape, SynthOrder *orders);

/* Compares the shape with its threads in another order with itself, in one respect, whatever the
 * names of locations and nodes: below 0 when that is smaller. The order keeps the lengths, and for
 * the dependencies the events. */
int synth_compare_events (const RspShape *shape, const SynthOrder *order);
int synth_compare_dependencies (const RspShape *shape, const SynthOrder *order);
int synth_compare_trees (const RspShape *shape, const SynthOrder *order);

/* Is the shape the same with its threads in this order? */
gboolean synth_order_is_symmetry (const RspShape *shape, const SynthOrder *order);
/* Where the events go when the threads are put in this order, which keeps the lengths. */
void synth_order_moves (const RspShape *shape, const SynthOrder *order, SynthSymmetry *symmetry);

/* The outcome when every event is moved to the place that the symmetry gives it. */
void rsp_synth_outcome_move (const RspShape *shape, const SynthSymmetry *symmetry,
                             const RspShapeOutcome *outcome, RspShapeOutcome *moved);
