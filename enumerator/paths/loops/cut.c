#include "enumerator/paths/loops/cut.h"
#include "enumerator/event.h"
#include "enumerator/terms/condition.h"

/* ---- Without some events ---- */

static RspMatrix *relation_without (const RspMatrix *relation, guint begin, guint end,
                                    RspArena *arena) {
  RspMatrix *rest = rsp_relation_new (arena, relation->n - (end - begin));
  for (guint x = 0; x < rest->n; x++)
    for (guint y = 0; y < rest->n; y++)
      if (rsp_matrix_get (relation, x < begin ? x : x + end - begin,
                          y < begin ? y : y + end - begin))
        rsp_matrix_add (rest, x, y);
  return rest;
}

RspPath *rsp_path_without (const RspPath *path, guint begin, guint end, RspArena *arena) {
  RspPath *rest = rsp_arena_copy (arena, path, sizeof *path);
  rest->n_events = path->n_events - (end - begin);
  rest->events = rsp_arena_new0 (arena, RspEvent, rest->n_events + 1);
  for (guint e = 0; e < rest->n_events; e++)
    rest->events[e] = path->events[e < begin ? e : e + end - begin];
  rest->po = relation_without (path->po, begin, end, arena);
  rest->addr = relation_without (path->addr, begin, end, arena);
  rest->data = relation_without (path->data, begin, end, arena);
  rest->ctrl = relation_without (path->ctrl, begin, end, arena);
  rest->wait_begin = rest->wait_end = 0;
  return rest;
}

/* ---- Up to an event ---- */

static gboolean reads_before (const RspTerm *term, guint n) {
  g_autoptr (GArray) reads = g_array_new (FALSE, FALSE, sizeof (guint));
  rsp_term_add_reads (term, reads);
  for (guint i = 0; i < reads->len; i++)
    if (g_array_index (reads, guint, i) >= n)
      return FALSE;
  return TRUE;
}

/* The first n events, and what is known about their values; relations are still those of the whole.
 */
static RspPath *begin_prefix (const RspPath *path, guint n, RspPathEnd end, RspArena *arena) {
  RspPath *rest = rsp_arena_copy (arena, path, sizeof *path);
  rest->end = end;
  rest->n_events = n;
  rest->n_constraints = 0;
  rest->constraints = rsp_arena_new0 (arena, RspConstraint, path->n_constraints + 1);
  for (guint i = 0; i < path->n_constraints; i++)
    if (reads_before (path->constraints[i].term, n))
      rest->constraints[rest->n_constraints++] = path->constraints[i];
  return rest;
}

static RspPath *finish_prefix (const RspPath *path, RspPath *prefix, RspArena *arena) {
  RspPath *rest = rsp_path_without (path, prefix->n_events, path->n_events, arena);
  rest->end = prefix->end;
  rest->constraints = prefix->constraints;
  rest->n_constraints = prefix->n_constraints;
  return rest;
}

static gboolean is_same_event (const RspEvent *a, const RspEvent *b) {
  return a->span.begin == b->span.begin && a->kind == b->kind && a->location == b->location
         && a->written == b->written && a->read == b->read && a->order == b->order
         && a->barrier_name == b->barrier_name && a->barrier_count == b->barrier_count
         && a->barrier_quorum == b->barrier_quorum && a->barrier_passes == b->barrier_passes;
}

static gboolean has_constraint (const RspPath *path, const RspTerm *term) {
  for (guint i = 0; i < path->n_constraints; i++)
    if (path->constraints[i].term == term)
      return TRUE;
  return FALSE;
}

gboolean rsp_path_may_become (const RspPath *path, const RspPath *other, RspTerms *terms) {
  guint n = path->end == RSP_PATH_STUCK ? path->wait_begin : path->n_events;
  if (other->n_events < n)
    return FALSE;
  for (guint e = 0; e < n; e++)
    if (!is_same_event (&path->events[e], &other->events[e]))
      return FALSE;
  for (guint i = 0; i < other->n_constraints; i++)
    if (reads_before (other->constraints[i].term, n)
        && has_constraint (path, rsp_term_negate_condition (terms, other->constraints[i].term)))
      return FALSE;
  return TRUE;
}

static guint hash_path (gconstpointer key) {
  const RspPath *path = key;
  guint hash = path->n_events * 31 + (guint) path->end;
  for (guint e = 0; e < path->n_events; e++)
    hash = hash * 31 + path->events[e].span.begin;
  for (guint i = 0; i < path->n_constraints; i++)
    hash = hash * 31 + path->constraints[i].term->id;
  return hash;
}

static gboolean equal_paths (gconstpointer x, gconstpointer y) {
  const RspPath *a = x, *b = y;
  if (a->end != b->end || a->n_events != b->n_events || a->n_constraints != b->n_constraints)
    return FALSE;
  for (guint e = 0; e < a->n_events; e++)
    if (!is_same_event (&a->events[e], &b->events[e]))
      return FALSE;
  for (guint i = 0; i < a->n_constraints; i++)
    if (a->constraints[i].term != b->constraints[i].term)
      return FALSE;
  return TRUE;
}

/* The prefixes so far, of all paths. */
typedef struct Cut {
  RspArena *arena;
  GHashTable *seen; /* of RspPath */
  GPtrArray *cut;
} Cut;

static void add_prefix (const Cut *c, const RspPath *path, guint n, RspPathEnd end) {
  RspPath *prefix = begin_prefix (path, n, end, c->arena);
  if (g_hash_table_add (c->seen, prefix))
    g_ptr_array_add (c->cut, finish_prefix (path, prefix, c->arena));
}

static void cut_path (const Cut *c, const RspPath *path, gboolean may_stop) {
  for (guint e = 0; e < path->n_events; e++) {
    const RspEvent *event = &path->events[e];
    if (event->barrier_passes) /* before others have met, it is one that may */
      continue;
    if (rsp_event_is_arrival (event) && !event->barrier_arrives)
      add_prefix (c, path, e + 1, RSP_PATH_BLOCKED);
    if (may_stop && (rsp_event_is_write (event) || rsp_event_is_arrival (event)))
      add_prefix (c, path, e + 1, RSP_PATH_STOPPED);
  }
}

void rsp_paths_cut (const GPtrArray *paths, gboolean may_not_start, gboolean may_stop,
                    RspArena *arena, GPtrArray *cut) {
  g_autoptr (GHashTable) seen = g_hash_table_new (hash_path, equal_paths);
  Cut c = { arena, seen, cut };
  for (guint i = 0, n = paths->len; i < n; i++) {
    const RspPath *path = paths->pdata[i];
    if (may_not_start)
      add_prefix (&c, path, 0, RSP_PATH_STOPPED);
    cut_path (&c, path, may_stop);
  }
}
