/* The candidate executions of a shape, and the outcomes that they have. */
#pragma once

#include "enumerator/shapes/shape.h"

/* Bit 8 * a + b for the pair (a, b), of the events of the combination's pre-execution. */
typedef struct RspCandidate {
  guint64 rf, co;
  guint outcome;
  guint combination; /* among shape_combinations_new */
} RspCandidate;

/* Writes as numbers among all events of the shape, whatever happens. */
typedef struct RspShapeOutcome {
  guint8 source[RSP_SHAPE_EVENTS]; /* per event: the write that it reads, for reads; else 0 */
  guint8 last[RSP_SHAPE_EVENTS];   /* per location: its co-last write */
} RspShapeOutcome;

typedef struct RspCandidates {
  RspCandidate *list;
  guint n;
  RspShapeOutcome *outcomes;
  guint n_outcomes;
} RspCandidates;

/* All candidates, in a fixed order, grouped by outcome. */
RspCandidates *rsp_candidates_new (const RspShape *shape);
void rsp_candidates_free (RspCandidates *candidates);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspCandidates, rsp_candidates_free)
