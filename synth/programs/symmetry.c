#include "synth/programs/symmetry.h"

#include <string.h>

/* ---- Where things are ---- */

static guint length_of (const RspShape *shape, guint thread) {
  guint n = 0;
  for (guint e = 0; e < shape->n_events; e++)
    n += shape->events[e].thread == thread;
  return n;
}

/* The place of an event when the threads are in another order; NULL: in their own. */
static guint place_of (const RspShape *shape, const SynthOrder *order, guint event) {
  guint thread = shape->events[event].thread, place = 0;
  if (!order)
    return event;
  for (guint t = 0; order->thread[t] != thread; t++)
    place += length_of (shape, order->thread[t]);
  for (guint e = 0; e < event; e++)
    place += shape->events[e].thread == thread;
  return place;
}

void synth_order_moves (const RspShape *shape, const SynthOrder *order, SynthSymmetry *symmetry) {
  for (guint8 e = 0; e < shape->n_events; e++)
    symmetry->moves[place_of (shape, order, e)] = e;
}

/* ---- Events ---- */

/* One event as a number: kind, region or flags, and a location's new name; no dependencies. A name
 * also says by which address the location is accessed first: that is the new address 0. */
static guint event_code (const RspShape *shape, guint event, guint8 *names, guint8 *named) {
  const RspShapeEvent *own = &shape->events[event];
  if (!rsp_shape_is_access (own))
    return (guint) own->kind << 8 | own->flags;
  guint kind = own->half ? (guint) RSP_EVENT_RMW : (guint) own->kind;
  if (names[own->location] == 0xff)
    names[own->location] = (guint8) ((*named)++ << 1 | own->address);
  guint address = own->address ^ (names[own->location] & 1);
  return kind << 8 | (guint) (names[own->location] >> 1) << 2 | address << 1
         | shape->local[own->location];
}

int synth_compare_events (const RspShape *shape, const SynthOrder *order) {
  guint8 names[2][RSP_SHAPE_EVENTS], named[2] = { 0, 0 };
  SynthSymmetry symmetry;
  memset (names, 0xff, sizeof names);
  synth_order_moves (shape, order, &symmetry);
  for (guint e = 0; e < shape->n_events; e++) {
    guint a = event_code (shape, symmetry.moves[e], names[0], &named[0]);
    guint b = event_code (shape, e, names[1], &named[1]);
    if (a != b)
      return a < b ? -1 : 1;
  }
  return 0;
}

/* ---- Dependencies ---- */

enum {
  DEPENDENCY_CODES = 4 /* per event */
};

/* Dependencies as numbers, event by event; loads as their places + 1. */
static void dependency_code (const RspShape *shape, const SynthOrder *order, guint8 *code) {
  for (guint e = 0; e < shape->n_events; e++) {
    const RspShapeEvent *event = &shape->events[e];
    guint8 *own = &code[(gsize) DEPENDENCY_CODES * place_of (shape, order, e)];
    const guint8 loads[] = { event->addr, event->data, event->guard };
    for (guint i = 0; i < G_N_ELEMENTS (loads); i++)
      own[i] = loads[i] ? (guint8) (place_of (shape, order, loads[i] - 1u) + 1) : 0;
    own[3] = event->guard ? (guint8) place_of (shape, order, event->guard_value) : 0;
  }
}

int synth_compare_dependencies (const RspShape *shape, const SynthOrder *order) {
  guint8 own[DEPENDENCY_CODES * RSP_SHAPE_EVENTS], other[DEPENDENCY_CODES * RSP_SHAPE_EVENTS];
  dependency_code (shape, NULL, own);
  dependency_code (shape, order, other);
  return memcmp (other, own, (gsize) DEPENDENCY_CODES * shape->n_events);
}

/* ---- Trees ---- */

/* The tree as numbers, nodes named in the order of their first threads. */
static void tree_code (const RspShape *shape, const SynthOrder *order, guint8 *code) {
  guint8 names[RSP_N_LEVELS][RSP_SHAPE_EVENTS];
  guint named[RSP_N_LEVELS] = { 0 };
  memset (names, 0xff, sizeof names);
  for (guint t = 0; t < shape->n_threads; t++) {
    const guint8 *nodes = shape->places[order ? order->thread[t] : t].node;
    for (guint level = 0; level < RSP_N_LEVELS; level++) {
      if (names[level][nodes[level]] == 0xff)
        names[level][nodes[level]] = (guint8) named[level]++;
      code[RSP_N_LEVELS * t + level] = names[level][nodes[level]];
    }
  }
}

int synth_compare_trees (const RspShape *shape, const SynthOrder *order) {
  guint8 own[RSP_N_LEVELS * RSP_SHAPE_EVENTS], other[RSP_N_LEVELS * RSP_SHAPE_EVENTS];
  tree_code (shape, NULL, own);
  tree_code (shape, order, other);
  return memcmp (other, own, (gsize) RSP_N_LEVELS * shape->n_threads);
}

/* ---- Orders ---- */

static guint permute (const RspShape *shape, SynthOrder *order, guint thread, SynthOrder *orders,
                      guint n) {
  if (thread == shape->n_threads) {
    gboolean same = TRUE;
    for (guint t = 0; t < thread; t++)
      same &= order->thread[t] == t;
    if (!same)
      orders[n++] = *order;
    return n;
  }
  for (guint8 t = 0; t < shape->n_threads; t++)
    if (length_of (shape, t) == length_of (shape, thread) && !memchr (order->thread, t, thread)) {
      order->thread[thread] = t;
      n = permute (shape, order, thread + 1, orders, n);
    }
  return n;
}

guint synth_orders_of_lengths (const RspShape *shape, SynthOrder *orders) {
  SynthOrder order = { { 0 } };
  return permute (shape, &order, 0, orders, 0);
}

gboolean synth_order_is_symmetry (const RspShape *shape, const SynthOrder *order) {
  return synth_compare_events (shape, order) == 0 && synth_compare_dependencies (shape, order) == 0
         && synth_compare_trees (shape, order) == 0;
}

/* ---- Outcomes ---- */

/* Where a write goes when event moves[e] becomes event e. */
static guint8 move_write (const RspShape *shape, const SynthSymmetry *symmetry, guint write) {
  for (guint e = 0; e < shape->n_events; e++) {
    guint from = symmetry->moves[e];
    if (write >= shape->n_locations && write - shape->n_locations == from)
      return (guint8) rsp_shape_event (shape, e);
    if (write < shape->n_locations && rsp_shape_is_access (&shape->events[from])
        && shape->events[from].location == write)
      return shape->events[e].location;
  }
  return (guint8) write;
}

void rsp_synth_outcome_move (const RspShape *shape, const SynthSymmetry *symmetry,
                             const RspShapeOutcome *outcome, RspShapeOutcome *moved) {
  *moved = (RspShapeOutcome){ { 0 }, { 0 } };
  for (guint e = 0; e < shape->n_events; e++)
    if (rsp_shape_is_read (&shape->events[e]))
      moved->source[e] = move_write (shape, symmetry, outcome->source[symmetry->moves[e]]);
  for (guint x = 0; x < shape->n_locations; x++)
    moved->last[move_write (shape, symmetry, x)] = move_write (shape, symmetry, outcome->last[x]);
}
