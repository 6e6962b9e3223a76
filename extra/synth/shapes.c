/* Shapes: programs without their labels. */
#include "parser/program.h"
#include "extra/synth/synth.h"

#include <string.h>

typedef struct Generation {
  const SynthSpace *space;
  guint n;
  RspShape shape;
  guint lengths[RSP_SHAPE_EVENTS]; /* per thread */
  guint first[RSP_SHAPE_EVENTS + 1];
  /* Orders of threads that keep the lengths; later only those that map the shape so far to itself.
   */
  SynthOrder orders[SYNTH_MAX_SYMMETRIES];
  guint n_orders;
  SynthVisitShape visit;
  gpointer data;
} Generation;

/* ---- Scope trees ---- */
gboolean synth_trees_each (const SynthSpace *space, guint n,
                           gboolean (*visit) (gpointer data, const RspNodes *nodes),
                           gpointer data) {
  guint levels = space->levels;
  levels |= space->trees ? 1u << RSP_LEVEL_DEVICE | 1u << RSP_LEVEL_WORK_GROUP : 0;
  return rsp_trees_each (&rsp_languages[RSP_LANGUAGE_OPENCL], n, levels, visit, data);
}

gboolean synth_splits_local (const RspShape *shape) {
  for (guint a = 0; a < shape->n_events; a++)
    for (guint b = 0; b < a; b++) {
      const RspShapeEvent *x = &shape->events[a], *y = &shape->events[b];
      if (rsp_shape_is_access (x) && rsp_shape_is_access (y) && x->location == y->location
          && shape->local[x->location]
          && !rsp_shape_share (shape, x->thread, y->thread, RSP_LEVEL_WORK_GROUP))
        return TRUE;
    }
  return FALSE;
}

static gboolean place (gpointer data, const RspNodes *nodes) {
  Generation *g = data;
  for (guint t = 0; t < g->shape.n_threads; t++)
    memcpy (g->shape.places[t].node, nodes[t], sizeof g->shape.places[t].node);
  /* Visits the shape with its symmetries, if it is canonical and valid. */
  SynthSymmetry symmetries[SYNTH_MAX_SYMMETRIES];
  guint n = 0;
  if (synth_splits_local (&g->shape))
    return TRUE;
  for (guint i = 0; i < g->n_orders; i++) {
    int compared = synth_compare_trees (&g->shape, &g->orders[i]);
    if (compared < 0)
      return TRUE;
    if (compared == 0)
      synth_order_moves (&g->shape, &g->orders[i], &symmetries[n++]);
  }
  return g->visit (g->data, &g->shape, symmetries, n);
}

/* ---- Dependencies ---- */
/* Continues with the orders of threads that map the shape so far to itself, unless one makes it
 * smaller. compare: below 0 if the order makes it smaller, 0 if it maps it to itself. */
static gboolean keep_orders (Generation *g,
                             int (*compare) (const RspShape *shape, const SynthOrder *order),
                             gboolean (*go_on) (Generation *g)) {
  guint kept = 0, all = g->n_orders;
  int compared[SYNTH_MAX_SYMMETRIES];
  SynthOrder before[SYNTH_MAX_SYMMETRIES];
  for (guint i = 0; i < all; i++)
    if ((compared[i] = compare (&g->shape, &g->orders[i])) < 0)
      return TRUE;
  memcpy (before, g->orders, sizeof before);
  for (guint i = 0; i < all; i++)
    if (compared[i] == 0)
      g->orders[kept++] = before[i];
  g->n_orders = kept;
  gboolean going_on = go_on (g);
  memcpy (g->orders, before, sizeof before);
  g->n_orders = all;
  return going_on;
}

static gboolean place_threads (Generation *g) {
  return synth_trees_each (g->space, g->shape.n_threads, place, g);
}

static gboolean choose_addr (Generation *g, guint event);

/* Sets *load to the next load before the event in its thread, as its number + 1; FALSE if there is
 * none. */
static gboolean next_load (const Generation *g, guint event, guint8 *load) {
  guint first = g->first[g->shape.events[event].thread];
  for (guint8 l = (guint8) MAX (*load + 1u, first + 1); l <= event; l++)
    if (rsp_shape_is_read (&g->shape.events[l - 1])) {
      *load = l;
      return TRUE;
    }
  return FALSE;
}

/* The guard is that the load has read one write or another of its location. */
static gboolean choose_guard (Generation *g, guint event) {
  const RspShapeEvent *events = g->shape.events;
  RspShapeEvent *here = &g->shape.events[event];
  if (rsp_shape_is_second (here)) {
    here->guard = here[-1].guard;
    here->guard_value = here[-1].guard_value;
    return choose_addr (g, event + 1);
  }
  here->guard = here->guard_value = 0;
  if (!choose_addr (g, event + 1))
    return FALSE;
  for (guint8 load = 0; (g->space->dependencies & SYNTH_CTRL) && next_load (g, event, &load);) {
    here->guard = load;
    for (guint8 w = 0; w < g->n; w++) {
      here->guard_value = w;
      if (rsp_shape_is_write (&events[w]) && w != load - 1
          && events[w].location == events[load - 1].location && !choose_addr (g, event + 1))
        return FALSE;
    }
    here->guard_value = 0;
  }
  here->guard = 0;
  return TRUE;
}

static gboolean choose_data (Generation *g, guint event) {
  RspShapeEvent *here = &g->shape.events[event];
  gboolean may = (g->space->dependencies & SYNTH_DATA) && rsp_shape_is_write (here);
  here->data = 0;
  if (!choose_guard (g, event))
    return FALSE;
  for (guint8 load = 0; may && next_load (g, event, &load);) {
    here->data = load;
    if (!choose_guard (g, event))
      return FALSE;
  }
  here->data = 0;
  return TRUE;
}

/* Chooses the dependencies of this event and those after it. */
static gboolean choose_addr (Generation *g, guint event) {
  if (event == g->n)
    return keep_orders (g, synth_compare_dependencies, place_threads);
  RspShapeEvent *here = &g->shape.events[event];
  gboolean may = (g->space->dependencies & SYNTH_ADDR) && rsp_shape_is_access (here);
  here->addr = 0;
  if (!choose_data (g, event))
    return FALSE;
  for (guint8 load = 0; may && next_load (g, event, &load);) {
    here->addr = load;
    if (!choose_data (g, event))
      return FALSE;
  }
  here->addr = 0;
  return TRUE;
}

/* ---- Events ---- */
static gboolean choose_dependencies (Generation *g) {
  return g->space->dependencies ? choose_addr (g, 0) : place_threads (g);
}

static gboolean choose_event (Generation *g, guint event, guint locations);

/* The events of an operation, of one event or two. */
static const RspEventKind events_of[SYNTH_KINDS][2][2] = {
  [SYNTH_LOAD] = { { RSP_EVENT_READ } },
  [SYNTH_STORE] = { { RSP_EVENT_WRITE } },
  [SYNTH_EXCHANGE] = { { RSP_EVENT_RMW }, { RSP_EVENT_READ, RSP_EVENT_WRITE } },
  [SYNTH_FENCE] = { { RSP_EVENT_FENCE } },
  [SYNTH_BARRIER] = { { RSP_EVENT_BARRIER }, { RSP_EVENT_ENTRY, RSP_EVENT_EXIT } },
};

/* Continues after the operation. */
static gboolean choose_operation (Generation *g, guint event, guint locations, SynthKind kind,
                                  guint8 location, guint8 address, guint8 flags) {
  guint length = synth_length (g->space->language, kind);
  for (guint i = 0; i < length; i++) {
    RspShapeEvent *here = &g->shape.events[event + i];
    *here = (RspShapeEvent){ .kind = events_of[kind][length - 1][i],
                             .thread = here->thread,
                             .location = location,
                             .address = address,
                             .half = kind == SYNTH_EXCHANGE && length == 2,
                             .flags = flags };
  }
  return choose_event (g, event + length, locations);
}

/* An access to each location, used or new, by each virtual address. The address of a location's
 * first access is 0. */
static gboolean choose_access (Generation *g, guint event, guint locations, SynthKind kind) {
  const SynthSpace *space = g->space;
  for (guint8 x = 0; x <= locations && x < space->locations; x++)
    for (guint8 local = 0; local <= (x == locations && space->regions); local++) {
      guint addresses = x == locations ? 1 : space->addresses;
      if (x == locations)
        g->shape.local[x] = local;
      for (guint8 address = 0; address < addresses; address++)
        if (!choose_operation (g, event, MAX (locations, x + 1u), kind, x, address, 0))
          return FALSE;
    }
  return TRUE;
}

/* A fence or barrier on each kind of memory. */
static gboolean choose_memory (Generation *g, guint event, guint locations, SynthKind kind) {
  for (guint8 flags = 1; flags <= (g->space->regions ? 3 : 1); flags++)
    if (!choose_operation (g, event, locations, kind, 0, 0, flags))
      return FALSE;
  return TRUE;
}

static gboolean choose_event (Generation *g, guint event, guint locations) {
  if (event == g->n) {
    g->shape.n_locations = locations;
    return keep_orders (g, synth_compare_events, choose_dependencies);
  }
  guint end = g->first[g->shape.events[event].thread + 1]; /* of the thread */
  for (SynthKind kind = 0; kind < SYNTH_KINDS; kind++)
    if ((g->space->kinds >> kind & 1) && event + synth_length (g->space->language, kind) <= end
        && !(kind <= SYNTH_EXCHANGE ? choose_access : choose_memory) (g, event, locations, kind))
      return FALSE;
  return TRUE;
}

/* ---- Threads ---- */
/* `left` events remain for the threads from here on. Lengths do not increase. */
static gboolean choose_lengths (Generation *g, guint left) {
  guint thread = g->shape.n_threads;
  if (left == 0) {
    for (guint t = 0; t < thread; t++) {
      g->first[t + 1] = g->first[t] + g->lengths[t];
      for (guint e = g->first[t]; e < g->first[t + 1]; e++)
        g->shape.events[e] = (RspShapeEvent){ .thread = (guint8) t };
    }
    g->n_orders = synth_orders_of_lengths (&g->shape, g->orders);
    return choose_event (g, 0, 0);
  }
  if (thread == g->space->threads)
    return TRUE;
  guint most = thread ? MIN (left, g->lengths[thread - 1]) : left;
  for (guint length = most; length > 0; length--) {
    g->lengths[thread] = length;
    g->shape.n_threads = thread + 1;
    if (!choose_lengths (g, left - length))
      return FALSE;
  }
  g->shape.n_threads = thread;
  return TRUE;
}

gboolean synth_shapes_each (const SynthSpace *space, guint n, SynthVisitShape visit,
                            gpointer data) {
  g_autofree Generation *g = g_new0 (Generation, 1);
  g->space = space;
  g->n = g->shape.n_events = n;
  g->shape.language = space->language;
  g->shape.words = &space->words;
  g->visit = visit;
  g->data = data;
  return choose_lengths (g, n);
}
