/* Rounds a b c, which may repeat for ever, are also: a, and then b c a for ever. The second a reads
 * the values that the first one read, so that it writes the same, and the thread is then where it
 * was after the first. */
#include "enumerator/paths/loops/cut.h"
#include "enumerator/event.h"
#include "enumerator/terms/simplify.h"

/* The event of the path that event e of the rotated path repeats, or e. */
static guint original (const RspPath *path, guint e) {
  return e < path->n_events ? e : e - path->n_events + path->wait_begin;
}

/* Dependences of repeated events are those of the events that they repeat, on events of the same
 * part. */
static RspMatrix *rotate_relation (const RspPath *path, const RspMatrix *relation, guint n,
                                   RspArena *arena) {
  RspMatrix *rotated = rsp_relation_new (arena, n);
  guint again = n - path->n_events;
  for (guint y = 0; y < n; y++)
    for (guint x = 0; x < path->n_events; x++)
      if (rsp_matrix_get (relation, x, original (path, y))) {
        gboolean is_repeated
            = y >= path->n_events && x >= path->wait_begin && x < path->wait_begin + again;
        rsp_matrix_add (rotated, is_repeated ? x - path->wait_begin + path->n_events : x, y);
      }
  return rotated;
}

/* Repeated events come after all others, and depend on all reads that the path tests. */
static void add_order (const RspPath *path, RspPath *rotated) {
  g_autoptr (GArray) tested = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < path->n_constraints; i++)
    rsp_term_add_reads (path->constraints[i].term, tested);
  for (guint y = path->n_events; y < rotated->n_events; y++) {
    for (guint x = 0; x < path->n_events; x++)
      rsp_matrix_add (rotated->po, x, y);
    for (guint i = 0; i < tested->len; i++)
      rsp_matrix_add (rotated->ctrl, g_array_index (tested, guint, i), y);
  }
}

static void repeat_event (const RspPath *path, RspPath *rotated, guint e, RspTerms *terms) {
  RspEvent *event = &rotated->events[e];
  const RspTerm *read = path->events[original (path, e)].read;
  *event = path->events[original (path, e)];
  if (!rsp_event_is_read (event))
    return;
  event->read = rsp_term_read (terms, e, read->bits, read->is_signed);
  rotated->constraints[rotated->n_constraints++]
      = (RspConstraint){ rsp_term_binary (terms, RSP_OP_EQ, read, event->read), event->span };
}

/* The path with the first `again` events of its rounds a second time. */
static RspPath *rotate (const RspPath *path, guint again, RspTerms *terms, RspArena *arena) {
  RspPath *rotated = rsp_arena_copy (arena, path, sizeof *path);
  guint n = rotated->n_events = path->n_events + again;
  rotated->rotated = again;
  rotated->wait_begin = path->wait_begin + again;
  rotated->wait_end = n;
  rotated->events = rsp_arena_new0 (arena, RspEvent, n + 1);
  rotated->constraints = rsp_arena_new0 (arena, RspConstraint, path->n_constraints + again + 1);
  for (guint i = 0; i < path->n_constraints; i++)
    rotated->constraints[i] = path->constraints[i];
  for (guint e = 0; e < path->n_events; e++)
    rotated->events[e] = path->events[e];
  for (guint e = path->n_events; e < n; e++)
    repeat_event (path, rotated, e, terms);
  rotated->po = rotate_relation (path, path->po, n, arena);
  rotated->addr = rotate_relation (path, path->addr, n, arena);
  rotated->data = rotate_relation (path, path->data, n, arena);
  rotated->ctrl = rotate_relation (path, path->ctrl, n, arena);
  add_order (path, rotated);
  return rotated;
}

static gboolean has_barrier (const RspPath *path) {
  for (guint e = path->wait_begin; e < path->wait_end; e++)
    if (path->events[e].barrier)
      return TRUE;
  return FALSE;
}

void rsp_paths_rotate (GPtrArray *paths, RspTerms *terms, RspArena *arena) {
  for (guint i = 0, n = paths->len; i < n; i++) {
    const RspPath *path = paths->pdata[i];
    if (path->end != RSP_PATH_STUCK || has_barrier (path))
      continue;
    for (guint again = 1; again < path->wait_end - path->wait_begin; again++) {
      const RspEvent *next = &path->events[path->wait_begin + again];
      if (!(next->rmw_half && next->kind == RSP_EVENT_WRITE))
        g_ptr_array_add (paths, rotate (path, again, terms, arena));
    }
  }
}
