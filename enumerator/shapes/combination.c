#include "enumerator/shapes/combination.h"

#include <string.h>

/* ---- What happens ---- */

static gboolean happens (guint set, guint event) { return set >> event & 1; }

/* Is the guard of the event true if exactly these events happen? Guards on events that do not
 * happen are false: their register holds 0, which no event writes. */
static gboolean is_possible (const RspShape *shape, guint set) {
  for (guint e = 0; e < shape->n_events; e++) {
    const RspShapeEvent *event = &shape->events[e];
    if (!event->guard && !happens (set, e))
      return FALSE;
    if (!event->guard || !happens (set, event->guard - 1u)) {
      if (event->guard && happens (set, e))
        return FALSE;
      continue;
    }
    if (happens (set, e) && !happens (set, event->guard_value))
      return FALSE;
    /* Events with the same guard happen together or not at all. */
    for (guint f = 0; f < e; f++)
      if (shape->events[f].guard == event->guard
          && shape->events[f].guard_value == event->guard_value
          && happens (set, f) != happens (set, e))
        return FALSE;
  }
  return TRUE;
}

/* ---- The remaining events ---- */

typedef struct Names {
  guint8 event[RSP_SHAPE_EVENTS],
      location[RSP_SHAPE_EVENTS]; /* the event of the combination, or 0xff */
} Names;

static void keep_locations (RspShapeCombination *c, const RspShape *shape, guint set,
                            Names *names) {
  memset (names->location, 0xff, sizeof names->location);
  for (guint x = 0; x < shape->n_locations; x++)
    for (guint e = 0; e < shape->n_events; e++)
      if (happens (set, e) && rsp_shape_is_access (&shape->events[e])
          && shape->events[e].location == x && names->location[x] == 0xff) {
        c->shape.local[c->shape.n_locations] = shape->local[x];
        c->location[c->shape.n_locations] = (guint8) x;
        names->location[x] = (guint8) c->shape.n_locations++;
      }
}

/* The dependency on a load, if that happens. */
static guint8 keep_dependency (const Names *names, guint8 dependency) {
  return dependency && names->event[dependency - 1] != 0xff
             ? (guint8) (names->event[dependency - 1] + 1)
             : 0;
}

static void keep_events (RspShapeCombination *c, const RspShape *shape, guint set, Names *names) {
  memset (names->event, 0xff, sizeof names->event);
  for (guint e = 0; e < shape->n_events; e++) {
    RspShapeEvent *to = &c->shape.events[c->shape.n_events];
    if (!happens (set, e))
      continue;
    *to = shape->events[e];
    to->guard = to->guard_value = 0;
    to->addr = keep_dependency (names, to->addr);
    to->data = keep_dependency (names, to->data);
    to->location = rsp_shape_is_access (to) ? names->location[to->location] : 0;
    c->event[c->shape.n_events] = (guint8) e;
    names->event[e] = (guint8) c->shape.n_events++;
  }
}

/* A branch precedes the events it guards, whether or not they happen, and everything later. */
static void find_branches (RspShapeCombination *c, const RspShape *shape, const Names *names) {
  for (guint e = 0; e < c->shape.n_events; e++)
    for (guint f = 0; f <= c->event[e]; f++) {
      guint8 load = keep_dependency (names, shape->events[f].guard);
      if (load && shape->events[f].thread == c->shape.events[e].thread)
        c->ctrl[e] |= (guint8) (1u << (load - 1));
    }
}

static void find_sources (RspShapeCombination *c, const RspShape *shape, guint set,
                          const Names *names) {
  const RspShape *left = &c->shape;
  for (guint e = 0; e < left->n_events; e++) {
    if (!rsp_shape_is_read (&left->events[e]))
      continue;
    c->sources[e] = (guint8) (1u << left->events[e].location);
    for (guint w = 0; w < left->n_events; w++)
      if (w != e && rsp_shape_is_write (&left->events[w])
          && left->events[w].location == left->events[e].location)
        c->sources[e] |= (guint8) (1u << rsp_shape_event (left, w));
  }
  for (guint f = 0; f < shape->n_events; f++) {
    guint8 load = keep_dependency (names, shape->events[f].guard);
    guint8 value = names->event[shape->events[f].guard_value];
    if (!load || value == 0xff)
      continue;
    guint write = 1u << rsp_shape_event (left, value);
    c->sources[load - 1] &= (guint8) (happens (set, f) ? write : ~write);
  }
}

static void take_combination (const RspShape *shape, guint set, RspShapeCombination *c) {
  Names names;
  *c = (RspShapeCombination){ .shape
                              = { .language = shape->language, .n_threads = shape->n_threads } };
  memcpy (c->shape.places, shape->places, sizeof shape->places);
  keep_locations (c, shape, set, &names);
  keep_events (c, shape, set, &names);
  find_branches (c, shape, &names);
  find_sources (c, shape, set, &names);
  c->whole = c->shape.n_events == shape->n_events;
}

GArray *shape_combinations_new (const RspShape *shape) {
  GArray *all = g_array_new (FALSE, FALSE, sizeof (RspShapeCombination));
  for (guint set = 1u << shape->n_events; set-- > 0;)
    if (is_possible (shape, set)) {
      RspShapeCombination combination;
      take_combination (shape, set, &combination);
      g_array_append_val (all, combination);
    }
  return all;
}

guint shape_combination_event (const RspShapeCombination *combination, const RspShape *whole,
                               guint event) {
  guint n = combination->shape.n_locations;
  return event < n ? combination->location[event]
                   : rsp_shape_event (whole, combination->event[event - n]);
}

/* ---- The pre-execution ---- */

/* Outcomes have the final value of every location. */
static void observe_locations (RspProgram *program, RspArena *arena) {
  program->n_observables = program->n_locations;
  program->observables = rsp_arena_new0 (arena, RspObservable, program->n_locations + 1);
  for (guint i = 0; i < program->n_locations; i++)
    program->observables[i].location = i;
}

static RspProgram *program_of (const RspShape *shape, RspArena *arena) {
  RspProgram *program = rsp_arena_new0 (arena, RspProgram, 1);
  program->language = &rsp_languages[shape->language];
  program->n_threads = shape->n_threads;
  program->threads = rsp_arena_new0 (arena, RspThread, shape->n_threads);
  for (guint t = 0; t < shape->n_threads; t++) {
    program->threads[t] = (RspThread){ .name = "", .number = t };
    for (guint level = 0; level < RSP_N_LEVELS; level++)
      if (rsp_language_writes (program->language, level))
        program->threads[t].place[level] = shape->places[t].node[level];
  }
  program->n_locations = shape->n_locations;
  program->locations = rsp_arena_new0 (arena, RspLocation, 2 * (gsize) shape->n_locations + 1);
  for (guint i = 0; i < shape->n_locations; i++)
    program->locations[i]
        = (RspLocation){ .name = "",
                         .type = { .bits = 32,
                                   .space = shape->local[i] ? RSP_SPACE_LOCAL : RSP_SPACE_GLOBAL },
                         .object = i,
                         .physical = i,
                         .n_elements = 1 };
  observe_locations (program, arena);
  return program;
}

/* Each location has a second virtual address, which is numbered after all locations. */
static void add_event (RspPath *path, const RspShape *shape, const RspShapeEvent *event,
                       gboolean wide_barriers) {
  gboolean barrier = rsp_shape_is_barrier (event);
  guint count = 0;
  for (guint i = 0; i < path->n_events; i++)
    count += path->events[i].kind == event->kind;
  path->events[path->n_events++]
      = (RspEvent){ .kind = event->kind,
                    .thread = event->thread,
                    .location = rsp_shape_is_access (event) ? event->location : RSP_NO_LOCATION,
                    .virtual_location = event->location + event->address * shape->n_locations,
                    .order = RSP_ORDER_NA,
                    .flags = event->flags,
                    .rmw_half = event->half,
                    .barrier = barrier ? "" : NULL,
                    .meeting = wide_barriers && event->kind != RSP_EVENT_BARRIER
                                   ? RSP_LEVEL_SYSTEM
                                   : RSP_LEVEL_WORK_GROUP,
                    .barrier_count = barrier ? count : 0 };
}

/* Adds the dependencies of event e of the combination, which is event `to` of the path. */
static void add_dependencies (RspPath *path, const RspShapeCombination *c, guint e, guint to,
                              guint first) {
  const RspShapeEvent *event = &c->shape.events[e];
  if (event->addr)
    rsp_matrix_add (path->addr, event->addr - 1u - first, to);
  if (event->data)
    rsp_matrix_add (path->data, event->data - 1u - first, to);
  for (guint load = first; load < e; load++)
    if (c->ctrl[e] >> load & 1)
      rsp_matrix_add (path->ctrl, load - first, to);
}

static RspPath *path_of (const RspShapeCombination *c, guint thread, gboolean wide_barriers,
                         RspArena *arena) {
  guint first = 0;
  RspPath *path = rsp_arena_new0 (arena, RspPath, 1);
  path->events = rsp_arena_new0 (arena, RspEvent, RSP_SHAPE_EVENTS);
  while (first < c->shape.n_events && c->shape.events[first].thread != thread)
    first++;
  for (guint e = first; e < c->shape.n_events && c->shape.events[e].thread == thread; e++)
    add_event (path, &c->shape, &c->shape.events[e], wide_barriers);
  path->po = rsp_relation_new (arena, path->n_events);
  path->addr = rsp_relation_new (arena, path->n_events);
  path->data = rsp_relation_new (arena, path->n_events);
  path->ctrl = rsp_relation_new (arena, path->n_events);
  for (guint b = 0; b < path->n_events; b++) {
    for (guint a = 0; a < b; a++)
      rsp_matrix_add (path->po, a, b);
    add_dependencies (path, c, first + b, b, first);
  }
  return path;
}

RspPreExecution *shape_combination_pre_execution (const RspShapeCombination *combination,
                                                  gboolean wide_barriers, RspArena *arena) {
  const RspShape *shape = &combination->shape;
  const RspPath *paths[RSP_SHAPE_EVENTS];
  for (guint t = 0; t < shape->n_threads; t++)
    paths[t] = path_of (combination, t, wide_barriers, arena);
  RspPreExecution *pre = rsp_pre_execution_new (program_of (shape, arena), paths, arena);
  /* What follows from tags, which are not known: an expression over their sets. */
  pre->base->relations[RSP_BASE_RELATION_SR] = NULL;
  return pre;
}
