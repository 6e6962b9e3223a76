/* What lies ahead of a point: see threads.h. Computed once per point. */
#include "machine/program/outlook.h"
#include "enumerator/event.h"
#include "machine/program/sets.h"

#include <string.h>

typedef struct Keyed {
  RspPoint point;
  RspOutlook outlook;
} Keyed;

static guint hash_point (gconstpointer key) {
  const RspPoint *point = key;
  guint64 hash
      = (point->done ^ ((guint64) point->paths << 47)) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (hash >> 32);
}

static gboolean equal_points (gconstpointer x, gconstpointer y) {
  const RspPoint *a = x, *b = y;
  return a->paths == b->paths && a->done == b->done;
}

/* The two forms of a compare-exchange are one operation, until it has read. */
static gboolean are_forms (const RspEvent *a, const RspEvent *b) {
  return (a->kind == RSP_EVENT_RMW && b->failed_rmw) || (a->failed_rmw && b->kind == RSP_EVENT_RMW);
}

static gboolean are_alike (const RspEvent *a, const RspEvent *b) {
  if (a->location != b->location || a->scope != b->scope || a->remote != b->remote
      || a->is_atomic != b->is_atomic || a->flags != b->flags)
    return FALSE;
  if (are_forms (a, b))
    return TRUE;
  return a->kind == b->kind && a->order == b->order && a->failed_rmw == b->failed_rmw
         && a->barrier_count == b->barrier_count && a->meeting == b->meeting
         && g_strcmp0 (a->barrier, b->barrier) == 0;
}

static guint8 place_of (const RspThreads *threads, const RspEvent *event) {
  for (guint i = 0; i < threads->n_places; i++)
    if (threads->locations[i] == event->location)
      return (guint8) i;
  return 0;
}

/* Collects the operations. */
typedef struct Gathering {
  RspThreads *threads;
  RspPathSets *sets;
  RspOperation operations[RSP_MOST_EVENTS];
  GArray *members[RSP_MOST_EVENTS]; /* of guint16: their paths */
  guint n;
} Gathering;

static void add_member (Gathering *gathering, const RspOperation *operation, guint16 path) {
  guint i = 0;
  for (; i < gathering->n; i++) {
    const RspOperation *other = &gathering->operations[i];
    gboolean both_end = operation->event == RSP_NO_EVENT && other->event == RSP_NO_EVENT;
    if ((both_end && other->end == operation->end
         && other->end_span.begin == operation->end_span.begin)
        || (!both_end && other->event == operation->event
            && are_alike (other->first, operation->first)))
      break;
  }
  if (i == RSP_MOST_EVENTS)
    return;
  if (i == gathering->n) {
    gathering->operations[gathering->n] = *operation;
    gathering->members[gathering->n++] = g_array_new (FALSE, FALSE, sizeof (guint16));
  } else if (operation->event != RSP_NO_EVENT && operation->first->kind == RSP_EVENT_RMW)
    gathering->operations[i].first = operation->first;
  g_array_append_val (gathering->members[i], path);
}

static void add_operations (Gathering *gathering, guint16 number, guint64 done) {
  const PathFacts *facts = &gathering->sets->facts[number];
  const RspPath *path = facts->path;
  if (done == facts->all)
    add_member (gathering,
                &(RspOperation){ .event = RSP_NO_EVENT,
                                 .end = path->end,
                                 .end_span = path->end_span,
                                 .end_message = path->end_message },
                number);
  for (guint e = 0; e < path->n_events; e++)
    if (!(done & event_bit (e)) && !(facts->before[e] & ~done))
      add_member (gathering,
                  &(RspOperation){ .event = (guint8) e,
                                   .place = place_of (gathering->threads, &path->events[e]),
                                   .first = &path->events[e] },
                  number);
}

static void add_ahead (const RspThreads *threads, const PathFacts *facts, guint64 done,
                       RspOutlook *outlook) {
  const RspPath *path = facts->path;
  guint64 reads = facts->finals;
  for (guint i = 0; i < path->n_constraints; i++)
    if (facts->constraints[i] & ~done)
      reads |= facts->constraints[i];
  for (guint e = 0; e < path->n_events; e++) {
    const RspEvent *event = &path->events[e];
    if (done & event_bit (e))
      continue;
    reads |= facts->written[e];
    if (event->location == RSP_NO_LOCATION)
      continue;
    guint64 place = event_bit (place_of (threads, event));
    outlook->loads |= rsp_event_is_read (event) ? place : 0;
    outlook->stores |= rsp_event_is_write (event) ? place : 0;
  }
  outlook->reads |= reads & done;
}

static void look (RspThreads *threads, guint thread, RspPoint point, RspOutlook *outlook) {
  RspPathSets *sets = &threads->sets[thread];
  Gathering gathering = { .threads = threads, .sets = sets };
  const PathSet *set = path_set (sets, point.paths);
  for (guint i = 0; i < set->n; i++) {
    add_operations (&gathering, set->paths[i], point.done);
    add_ahead (threads, &sets->facts[set->paths[i]], point.done, outlook);
  }
  for (guint i = 0; i < gathering.n; i++) {
    g_autoptr (GArray) members = gathering.members[i];
    gathering.operations[i].paths = path_sets_number (
        sets, (const guint16 *) (void *) members->data, members->len, threads->arena);
  }
  outlook->n_operations = gathering.n;
  outlook->operations = rsp_arena_copy (threads->arena, gathering.operations,
                                        gathering.n * sizeof gathering.operations[0]);
}

const RspOutlook *rsp_threads_outlook (RspThreads *threads, guint thread, RspPoint point) {
  RspPathSets *sets = &threads->sets[thread];
  if (!sets->outlooks)
    sets->outlooks = g_hash_table_new (hash_point, equal_points);
  Keyed *keyed = g_hash_table_lookup (sets->outlooks, &point);
  if (keyed)
    return &keyed->outlook;
  keyed = rsp_arena_new0 (threads->arena, Keyed, 1);
  keyed->point = point;
  look (threads, thread, point, &keyed->outlook);
  g_hash_table_insert (sets->outlooks, &keyed->point, keyed);
  return &keyed->outlook;
}
