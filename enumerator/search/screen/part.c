#include "enumerator/search/screen/part.h"
#include "enumerator/event.h"
#include "enumerator/pre_execution.h"

/* ---- Places ---- */

gboolean place_is_initial (const Place *place) { return place->thread == RSP_NO_THREAD; }

gboolean places_are_same (const Place *a, const Place *b) {
  return a->thread == b->thread && (place_is_initial (a) || a->event == b->event);
}

static const RspEvent *event_at (const Place *place) {
  return place_is_initial (place) ? NULL : &place->path->events[place->event];
}

guint64 place_look (const Place *place) {
  const RspEvent *event = event_at (place);
  if (!event)
    return 1;
  return (guint64) (place->thread + 2) << 32 | event->kind << 24 | event->order << 16
         | event->scope << 8 | (event->is_atomic ? 1 : 0) | (event->remote ? 2 : 0)
         | (event->failed_rmw ? 4 : 0) | (event->no_result ? 8 : 0);
}

guint64 places_ties (const Place *a, const Place *b) {
  if (place_is_initial (a) || place_is_initial (b) || a->thread != b->thread
      || a->event == b->event)
    return 0;
  const RspMatrix *const relations[] = { a->path->po, a->path->addr, a->path->data, a->path->ctrl };
  guint64 ties = a->event < b->event ? 1 : 2;
  for (guint i = 0; i < G_N_ELEMENTS (relations); i++)
    ties |= (rsp_matrix_get (relations[i], a->event, b->event) ? 4u : 0u) << (2 * i)
            | (rsp_matrix_get (relations[i], b->event, a->event) ? 8u : 0u) << (2 * i);
  return ties;
}

gboolean place_writes (const Place *place) {
  return place_is_initial (place) || rsp_event_is_write (event_at (place));
}

/* ---- Parts ---- */

/* The part's number of an event, which is added if it is missing. */
static guint add_event (Part *part, const Place *place) {
  for (guint i = 0; i < part->n_events; i++)
    if (places_are_same (&part->events[i], place))
      return i;
  part->events[part->n_events] = *place;
  return part->n_events++;
}

void part_add (Part *part, Order order, const Place *a, const Place *b) {
  guint from = add_event (part, a), to = add_event (part, b);
  part->pairs[part->n_pairs].order = order;
  part->pairs[part->n_pairs].a = from;
  part->pairs[part->n_pairs++].b = to;
}
RspHash part_look (const Part *part) {
  guint64 words[(PART_EVENTS + 1) * (PART_EVENTS + 2) + PART_PAIRS + 2];
  guint n = 0;
  words[n++] = (guint64) part->location << 32 | part->n_events;
  for (guint i = 0; i < part->n_events; i++) {
    words[n++] = place_look (&part->events[i]);
    for (guint j = 0; j < i; j++)
      words[n++] = places_ties (&part->events[i], &part->events[j]);
  }
  for (guint i = 0; i < part->n_pairs; i++)
    words[n++] = (guint64) part->pairs[i].order << 16 | part->pairs[i].a << 8 | part->pairs[i].b;
  return rsp_hash_words (words, n);
}

/* ---- As a pre-execution ---- */

/* The part's events of one thread, by their place in the path. */
static guint events_of (const Part *part, guint thread, guint *numbers) {
  guint n = 0;
  for (guint i = 0; i < part->n_events; i++) {
    if (part->events[i].thread != thread)
      continue;
    guint at = n++;
    for (; at && part->events[numbers[at - 1]].event > part->events[i].event; at--)
      numbers[at] = numbers[at - 1];
    numbers[at] = i;
  }
  return n;
}

static RspMatrix *restrict_to (const RspMatrix *relation, const Part *part, const guint *numbers,
                               guint n, RspArena *arena) {
  RspMatrix *rest = rsp_relation_new (arena, n);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      if (rsp_matrix_get (relation, part->events[numbers[i]].event, part->events[numbers[j]].event))
        rsp_matrix_add (rest, i, j);
  return rest;
}

/* A path of the part's events of a thread, in order: position[i] is that of part's event i. */
static const RspPath *path_of (const Part *part, guint thread, guint *position, RspArena *arena) {
  guint numbers[PART_EVENTS + 1];
  guint n = events_of (part, thread, numbers);
  RspPath *path = rsp_arena_new0 (arena, RspPath, 1);
  path->n_events = n;
  path->events = rsp_arena_new0 (arena, RspEvent, n + 1);
  if (!n) {
    path->po = path->addr = path->data = path->ctrl = rsp_relation_new (arena, 0);
    return path;
  }
  const RspPath *whole = part->events[numbers[0]].path;
  for (guint i = 0; i < n; i++) {
    path->events[i] = whole->events[part->events[numbers[i]].event];
    position[numbers[i]] = i;
  }
  path->po = restrict_to (whole->po, part, numbers, n, arena);
  path->addr = restrict_to (whole->addr, part, numbers, n, arena);
  path->data = restrict_to (whole->data, part, numbers, n, arena);
  path->ctrl = restrict_to (whole->ctrl, part, numbers, n, arena);
  return path;
}

static guint number_in (const RspPreExecution *pre, const Part *part, const guint *position,
                        guint event) {
  const Place *place = &part->events[event];
  return place_is_initial (place) ? pre->initial[part->location]
                                  : rsp_pre_execution_event (pre, place->thread, position[event]);
}

RspBase *part_base (const Part *part, const RspProgram *program, RspArena *arena) {
  guint position[PART_EVENTS + 1] = { 0 };
  const RspPath **paths = rsp_arena_new0 (arena, const RspPath *, program->n_threads + 1);
  for (guint t = 0; t < program->n_threads; t++)
    paths[t] = path_of (part, t, position, arena);
  RspPreExecution *pre = rsp_pre_execution_new (program, paths, arena);
  RspBase *base = pre->base;
  base->rf = rsp_relation_new (arena, pre->n);
  base->co = rsp_relation_new (arena, pre->n);
  rsp_matrix_assign (base->co, base->relations[RSP_BASE_RELATION_CO_INITIAL]);
  for (guint i = 0; i < part->n_pairs; i++)
    rsp_matrix_add (part->pairs[i].order == RF ? base->rf : base->co,
                    number_in (pre, part, position, part->pairs[i].a),
                    number_in (pre, part, position, part->pairs[i].b));
  rsp_relation_close (base->co);
  return base;
}
