#include "synth/programs/steps.h"

#include <string.h>

/* The orders below each, as bits. The lattice of C11: na < rlx < con < acq, rlx < rel, both < ar <
 * sc. */
static const guint orders_below[] = {
  [RSP_ORDER_NA] = 0,
  [RSP_ORDER_RELAXED] = 1u << RSP_ORDER_NA,
  [RSP_ORDER_CONSUME] = 1u << RSP_ORDER_NA | 1u << RSP_ORDER_RELAXED,
  [RSP_ORDER_ACQUIRE] = 1u << RSP_ORDER_NA | 1u << RSP_ORDER_RELAXED | 1u << RSP_ORDER_CONSUME,
  [RSP_ORDER_RELEASE] = 1u << RSP_ORDER_NA | 1u << RSP_ORDER_RELAXED | 1u << RSP_ORDER_CONSUME,
  [RSP_ORDER_ACQ_REL] = 1u << RSP_ORDER_NA | 1u << RSP_ORDER_RELAXED | 1u << RSP_ORDER_CONSUME
                        | 1u << RSP_ORDER_ACQUIRE | 1u << RSP_ORDER_RELEASE,
  [RSP_ORDER_SEQ_CST] = 1u << RSP_ORDER_NA | 1u << RSP_ORDER_RELAXED | 1u << RSP_ORDER_CONSUME
                        | 1u << RSP_ORDER_ACQUIRE | 1u << RSP_ORDER_RELEASE
                        | 1u << RSP_ORDER_ACQ_REL,
};

static gboolean is_weaker_order (guint a, guint b) { return orders_below[b] >> a & 1; }

gboolean rsp_synth_label_is_within (const RspLabel *a, const RspLabel *b) {
  return (a->order == b->order || is_weaker_order (a->order, b->order)) && a->scope <= b->scope
         && (a->tags ? a->remote == b->remote : a->remote <= b->remote);
}

guint rsp_synth_label_strength (const RspLabel *label) {
  return (guint) __builtin_popcount (orders_below[label->order]) + label->scope + label->remote;
}

static gboolean has_order (const SynthSpace *space, SynthKind kind, guint order) {
  for (guint i = 0; i < space->n_labels[kind]; i++)
    if (space->labels[kind][i].order == order)
      return TRUE;
  return FALSE;
}

/* The k-th of the orders of the kind right below, or G_MAXUINT. */
static guint order_below (const SynthSpace *space, SynthKind kind, guint order, guint k) {
  for (guint a = 0; a <= RSP_ORDER_SEQ_CST; a++) {
    gboolean next = has_order (space, kind, a) && is_weaker_order (a, order);
    for (guint b = 0; b <= RSP_ORDER_SEQ_CST && next; b++)
      next = !(has_order (space, kind, b) && is_weaker_order (a, b) && is_weaker_order (b, order));
    if (next && k-- == 0)
      return a;
  }
  return G_MAXUINT;
}

static guint find_label (const SynthSpace *space, SynthKind kind, RspLabel label) {
  for (guint i = 0; i < space->n_labels[kind]; i++)
    if (rsp_label_equal (&space->labels[kind][i], &label))
      return i;
  return SYNTH_NO_LABEL;
}

guint rsp_synth_step_down (const SynthSpace *space, SynthKind kind, guint choice,
                           SynthAttribute attribute, guint k) {
  RspLabel label = space->labels[kind][choice];
  if (label.order == RSP_ORDER_NA || (k && attribute != SYNTH_ORDER))
    return SYNTH_NO_LABEL;
  if (attribute == SYNTH_ORDER) {
    guint order = order_below (space, kind, label.order, k);
    if (order == G_MAXUINT)
      return SYNTH_NO_LABEL;
    label.order = (guint8) order;
    if (order == RSP_ORDER_NA)
      label = (RspLabel){ RSP_ORDER_NA, RSP_SCOPE_WORK_ITEM, FALSE, 0, 0 };
  } else if (attribute == SYNTH_REMOTE) {
    if (!label.remote || label.tags)
      return SYNTH_NO_LABEL;
    label.remote = FALSE;
  } else {
    do
      if (label.scope-- == 0)
        return SYNTH_NO_LABEL;
    while (!(space->scopes >> label.scope & 1));
  }
  return find_label (space, kind, label);
}

/* ---- Events and dependencies taken out ---- */

static guint8 rename_load (const guint8 *names, guint8 load) {
  return load && names[load - 1] != 0xff ? (guint8) (names[load - 1] + 1) : 0;
}

void rsp_synth_rename_dependencies (RspShape *shape, const guint8 *names) {
  for (guint e = 0; e < shape->n_events; e++) {
    RspShapeEvent *event = &shape->events[e];
    event->addr = rename_load (names, event->addr);
    event->data = rename_load (names, event->data);
    guint8 value = names[event->guard_value];
    event->guard = value == 0xff ? 0 : rename_load (names, event->guard);
    event->guard_value = event->guard ? value : 0;
  }
}

/* The locations that events of the set access, under new names. */
static void keep_locations (const RspShape *shape, guint set, SynthRemoval *removal,
                            guint8 *names) {
  RspShape *left = &removal->shape;
  left->n_locations = 0;
  memset (names, 0xff, RSP_SHAPE_EVENTS);
  for (guint x = 0; x < shape->n_locations; x++)
    for (guint e = 0; e < shape->n_events; e++)
      if ((set >> e & 1) && rsp_shape_is_access (&shape->events[e])
          && shape->events[e].location == x && names[x] == 0xff) {
        left->local[left->n_locations] = shape->local[x];
        removal->location[left->n_locations] = (guint8) x;
        names[x] = (guint8) left->n_locations++;
      }
}

/* What the events of the set are without the others. */
static void keep_events (const RspShape *shape, guint set, SynthRemoval *removal) {
  guint8 locations[RSP_SHAPE_EVENTS], events[RSP_SHAPE_EVENTS];
  RspShape *left = &removal->shape;
  *removal = (SynthRemoval){ .shape = *shape };
  keep_locations (shape, set, removal, locations);
  left->n_events = 0;
  memset (events, 0xff, sizeof events);
  for (guint e = 0; e < shape->n_events; e++)
    if (set >> e & 1) {
      RspShapeEvent *to = &left->events[left->n_events];
      removal->event[left->n_events] = (guint8) e;
      events[e] = (guint8) left->n_events++;
      *to = shape->events[e];
      if (rsp_shape_is_access (to))
        to->location = locations[to->location];
    }
  rsp_synth_rename_dependencies (left, events);
}

void rsp_synth_remove_event (const RspShape *shape, guint event, SynthRemoval *removal) {
  guint left = 0;
  for (guint e = 0; e < shape->n_events; e++)
    left |= synth_labelled_event (shape, e) == event ? 0 : 1u << e;
  keep_events (shape, left, removal);
}

gboolean rsp_synth_drop_dependency (const RspShape *shape, guint event, SynthDependency which,
                                    SynthRemoval *removal) {
  const RspShapeEvent *own = &shape->events[event];
  guint has = which == SYNTH_ADDR ? own->addr : which == SYNTH_DATA ? own->data : own->guard;
  if (!has || rsp_shape_is_second (own))
    return FALSE;
  keep_events (shape, (1u << shape->n_events) - 1, removal);
  for (guint e = event; e < shape->n_events && synth_labelled_event (shape, e) == event; e++) {
    RspShapeEvent *to = &removal->shape.events[e];
    to->addr = which == SYNTH_ADDR ? 0 : to->addr;
    to->data = which == SYNTH_DATA ? 0 : to->data;
    to->guard = which == SYNTH_CTRL ? 0 : to->guard;
    to->guard_value = which == SYNTH_CTRL ? 0 : to->guard_value;
  }
  return TRUE;
}

guint rsp_synth_removal_write (const SynthRemoval *removal, const RspShape *whole, guint write) {
  guint n = removal->shape.n_locations;
  return write < n ? removal->location[write] : whole->n_locations + removal->event[write - n];
}
