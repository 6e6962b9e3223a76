/* Steps between labels, and removal of events, which make a program weaker or stronger. */
#pragma once

#include "synth/programs/space.h"

enum {
  SYNTH_NO_LABEL = 0xff,
  SYNTH_MAX_STEPS = 3 /* ways down from one order */
};

/* The k-th label (from 0) that is one step weaker in the attribute than label `choice` of the kind:
 * an order next below, the next smaller scope, not remote. Only labels of the space; a step to a
 * plain access gives up the scope too. SYNTH_NO_LABEL: there is none. */
guint rsp_synth_step_down (const SynthSpace *space, SynthKind kind, guint choice,
                           SynthAttribute attribute, guint k);

/* Is label a, in each attribute, the same as b or weaker? */
gboolean rsp_synth_label_is_within (const RspLabel *a, const RspLabel *b);
/* A number that is smaller for a label that is within another. */
guint rsp_synth_label_strength (const RspLabel *label);

/* Dependencies on events that have other numbers now: names[e], or 0xff for those that are gone;
 * dependencies on these are dropped, as are guards for what they wrote. */
void rsp_synth_rename_dependencies (RspShape *shape, const guint8 *names);

/* A shape with something removed. Threads keep their numbers, even empty ones; locations that are
 * no longer accessed are removed. */
typedef struct SynthRemoval {
  RspShape shape;
  guint8 event[RSP_SHAPE_EVENTS];    /* per event left: its number in the whole shape */
  guint8 location[RSP_SHAPE_EVENTS]; /* per location left: its number in the whole shape */
} SynthRemoval;

/* Without the event (the first of an operation, whose second goes with it), and dependencies on it.
 */
void rsp_synth_remove_event (const RspShape *shape, guint event, SynthRemoval *removal);
/* Without one dependency of the event. FALSE where it has none of this kind, or is a second. */
gboolean rsp_synth_drop_dependency (const RspShape *shape, guint event, SynthDependency which,
                                    SynthRemoval *removal);

/* The number in the whole shape of a write of the shape that is left. */
guint rsp_synth_removal_write (const SynthRemoval *removal, const RspShape *whole, guint write);
