/* The base relations of a pre-execution. */
#include "enumerator/base_relations.h"
#include "enumerator/event.h"
#include "parser/scopes.h"

#include <string.h>

/* ---- Rows ---- */

static void add_range (RspMatrix *relation, guint row, guint begin, guint end) {
  for (guint e = begin; e < end; e++)
    rsp_matrix_add (relation, row, e);
}

static void copy_row (RspMatrix *relation, guint row, guint from) {
  memcpy (rsp_matrix_row (relation, row), rsp_matrix_row (relation, from),
          relation->words * sizeof (guint64));
}

/* Adds to a row the events of `all` (a set) that are not in the row of `without`. */
static void add_others (RspMatrix *relation, guint row, const RspMatrix *all,
                        const RspMatrix *without) {
  guint64 *out = rsp_matrix_row (relation, row);
  const guint64 *these = rsp_matrix_row (without, row);
  for (guint i = 0; i < relation->words; i++)
    out[i] |= all->bits[i] & ~these[i];
}

/* ---- The scope tree ---- */

/* The events of one node of a level of the scope tree (node: offset of its number in RspThread);
 * reflexive on initial writes, which are otherwise unrelated. */
static void build_within (const RspPreExecution *pre, RspMatrix *within, gsize node) {
#define NODE(t) G_STRUCT_MEMBER (guint, &pre->program->threads[t], node)
  guint n_threads = pre->program->n_threads;
  for (guint e = 0; e < pre->n && rsp_event_is_initial (pre->events[e]); e++)
    rsp_matrix_add (within, e, e);
  for (guint s = 0; s < n_threads; s++) {
    guint first = pre->first[s];
    if (first == pre->first[s + 1])
      continue;
    for (guint t = 0; t < n_threads; t++)
      if (NODE (s) == NODE (t))
        add_range (within, first, pre->first[t], pre->first[t + 1]);
    for (guint e = first; e < pre->first[s + 1]; e++)
      copy_row (within, e, first);
  }
#undef NODE
}

/* Events of threads in different nodes. */
static void build_apart (const RspPreExecution *pre, RspMatrix *apart, const RspMatrix *within) {
  RspMatrix *of_threads = rsp_set_new (pre->arena, pre->n);
  rsp_matrix_fill (of_threads);
  rsp_matrix_difference (of_threads, of_threads, pre->base->sets[RSP_BASE_SET_I]);
  for (guint e = 0; e < pre->n; e++)
    if (!rsp_event_is_initial (pre->events[e]))
      add_others (apart, e, of_threads, within);
}

static void build_identity (const RspPreExecution *pre, RspMatrix *id) {
  for (guint e = 0; e < pre->n; e++)
    rsp_matrix_add (id, e, e);
}

static void build_external (const RspPreExecution *pre, RspMatrix *ext, const RspMatrix *internal) {
  RspMatrix *all = rsp_set_new (pre->arena, pre->n);
  rsp_matrix_fill (all);
  for (guint e = 0; e < pre->n; e++)
    add_others (ext, e, all, internal);
}

/* From initial writes to all other events. */
static void build_initial (const RspPreExecution *pre, RspMatrix *asw) {
  for (guint a = 0; a < pre->n; a++)
    for (guint b = 0; b < pre->n && rsp_event_is_initial (pre->events[a]); b++)
      if (!rsp_event_is_initial (pre->events[b]))
        rsp_matrix_add (asw, a, b);
}

/* ---- Locations and barriers ---- */

/* Every accessed location has an initial write, which comes first. */
static guint initial_of (const RspPreExecution *pre, guint access) {
  return pre->initial[pre->events[access]->location];
}

static void build_location (const RspPreExecution *pre, RspMatrix *loc) {
  for (guint e = 0; e < pre->n; e++)
    if (rsp_event_is_access (pre->events[e]))
      rsp_matrix_add (loc, initial_of (pre, e), e);
  for (guint e = 0; e < pre->n; e++)
    if (rsp_event_is_access (pre->events[e]) && !rsp_event_is_initial (pre->events[e]))
      copy_row (loc, e, initial_of (pre, e));
}

static void build_co_initial (const RspPreExecution *pre, RspMatrix *co) {
  for (guint e = 0; e < pre->n; e++)
    if (rsp_event_is_write (pre->events[e]) && e != initial_of (pre, e))
      rsp_matrix_add (co, initial_of (pre, e), e);
}

/* The number of other writes to the location of a write, besides the initial one. */
static guint count_rivals (const RspPreExecution *pre, guint write) {
  guint n = 0;
  for (guint e = 0; e < pre->n; e++)
    n += e != write && rsp_event_is_write (pre->events[e]) && !rsp_event_is_initial (pre->events[e])
         && pre->events[e]->location == pre->events[write]->location;
  return n;
}

static void build_co_final (const RspPreExecution *pre, RspMatrix *co) {
  const RspMatrix *observed = pre->base->sets[RSP_BASE_SET_OBSERVED];
  for (all_bits (final, observed->bits, observed->words)) {
    if (rsp_event_is_initial (pre->events[final]) || count_rivals (pre, final) == 0)
      continue;
    for (all_bits (e, observed->bits, observed->words))
      if (e != final && pre->events[e]->location == pre->events[final]->location)
        rsp_matrix_add (co, e, final);
  }
}

/* Does waiting at b come after reaching a, another thread's barrier? */
static gboolean meets (const RspPreExecution *pre, const RspEvent *a, const RspEvent *b) {
  const RspThread *threads = pre->program->threads;
  gboolean share = rsp_threads_share (&threads[a->thread], &threads[b->thread], a->meeting)
                   && rsp_threads_share (&threads[a->thread], &threads[b->thread], b->meeting);
  if (b->kind != RSP_EVENT_BARRIER)
    return share;
  return a->thread != b->thread && !b->barrier_arrives && share && !a->barrier_passes;
}

static void build_barriers (const RspPreExecution *pre, RspMatrix *same) {
  for (guint a = 0; a < pre->n && !rsp_arena_is_exhausted (pre->arena); a++)
    for (guint b = 0; b < pre->n && pre->events[a]->barrier; b++)
      if (rsp_event_is_same_barrier (pre->events[a], pre->events[b])
          && meets (pre, pre->events[a], pre->events[b]))
        rsp_matrix_add (same, a, b);
}

/* The location or alias of the access's virtual address: proxies are ways to one address. */
static guint virtual_address (const RspPreExecution *pre, const RspEvent *event) {
  guint handle_of = pre->program->locations[event->virtual_location].handle_of;
  return handle_of ? handle_of - 1 : event->virtual_location;
}

/* Accesses by one virtual address; initial writes are accesses by all addresses of their location.
 */
static void build_virtual_location (const RspPreExecution *pre, RspMatrix *vloc) {
  for (guint a = 0; a < pre->n; a++)
    for (guint b = 0; b < pre->n && rsp_event_is_access (pre->events[a]); b++) {
      const RspEvent *x = pre->events[a], *y = pre->events[b];
      if (x->location == y->location
          && (rsp_event_is_initial (x) || rsp_event_is_initial (y)
              || virtual_address (pre, x) == virtual_address (pre, y)))
        rsp_matrix_add (vloc, a, b);
    }
}

/* ---- Scopes and threads ---- */

/* Does the scope of an event include a thread? */
static gboolean reaches (const RspPreExecution *pre, const RspEvent *event, guint thread) {
  const RspThread *threads = pre->program->threads;
  return event->reach == RSP_LEVEL_SYSTEM
         || (event->reach != RSP_LEVEL_THREAD
             && rsp_threads_share (&threads[event->thread], &threads[thread], event->reach));
}

static void build_scopes (const RspPreExecution *pre, RspMatrix *sr) {
  for (guint a = 0; a < pre->n && pre->program->language->tagged; a++)
    for (guint b = 0; b < pre->n; b++) {
      const RspEvent *x = pre->events[a], *y = pre->events[b];
      if (!rsp_event_is_initial (x) && !rsp_event_is_initial (y) && reaches (pre, x, y->thread)
          && reaches (pre, y, x->thread))
        rsp_matrix_add (sr, a, b);
    }
}

static void build_system_synchronizes (const RspPreExecution *pre, RspMatrix *ssw) {
  for (guint i = 0; i < pre->program->n_ssw; i++) {
    const RspThreadPair *pair = &pre->program->ssw[i];
    for (guint e = pre->first[pair->from]; e < pre->first[pair->from + 1]; e++)
      add_range (ssw, e, pre->first[pair->to], pre->first[pair->to + 1]);
  }
}

static void build_rmw (const RspPreExecution *pre, RspMatrix *rmw) {
  for (guint e = 0; e < pre->n; e++)
    if (pre->events[e]->kind == RSP_EVENT_RMW)
      rsp_matrix_add (rmw, e, e);
    else if (pre->events[e]->rmw_half && rsp_event_is_read (pre->events[e]))
      rsp_matrix_add (rmw, e, e + 1);
}

/* ---- Paths ---- */

/* Copies a relation on each path's events (member: its offset in RspPath) to the events' rows. */
static void build_of_paths (const RspPreExecution *pre, RspMatrix *out, gsize member) {
  for (guint t = 0; t < pre->program->n_threads; t++) {
    const RspPath *path = pre->paths[t];
    const RspMatrix *relation = G_STRUCT_MEMBER (RspMatrix *, path, member);
    for (guint a = 0; a < path->n_events; a++)
      for (all_bits (b, rsp_matrix_row (relation, a), relation->words))
        rsp_matrix_add (out, pre->first[t] + a, pre->first[t] + b);
  }
}

/* ---- All ---- */

/* One row per relation of base_names.def; a relation without a row does not compile. A relation may
 * use the ones before it in the list. */
static void build (const RspPreExecution *pre, RspBaseRelation id, RspMatrix *out) {
  RspMatrix *const *built = pre->base->relations;
  switch (id) {
#define IS(id, call)                                                                               \
  case RSP_BASE_RELATION_##id:                                                                     \
    call;                                                                                          \
    return;
#define OF_PATHS(id, member) IS (id, build_of_paths (pre, out, G_STRUCT_OFFSET (RspPath, member)))
#define WITHIN(id, node)     IS (id, build_within (pre, out, G_STRUCT_OFFSET (RspThread, node)))
#define APART(id)            IS (EXT_##id, build_apart (pre, out, built[RSP_BASE_RELATION_##id]))
    /* clang-format off */
      IS (ID, build_identity (pre, out))
      OF_PATHS (PO, po)
      IS (LOC, build_location (pre, out))
      IS (PO_LOC, rsp_matrix_intersect (out, built[RSP_BASE_RELATION_PO], built[RSP_BASE_RELATION_LOC]))
      OF_PATHS (ADDR, addr)
      OF_PATHS (DATA, data)
      OF_PATHS (CTRL, ctrl)
      IS (ASW, build_initial (pre, out))
      IS (CO_INITIAL, build_co_initial (pre, out))
      IS (CO_FINAL, build_co_final (pre, out))
      IS (SAME_B, build_barriers (pre, out))
      IS (ATOM, build_rmw (pre, out))
      IS (VLOC, build_virtual_location (pre, out))
      IS (SSW, build_system_synchronizes (pre, out))
      WITHIN (INT, number)
      IS (EXT, build_external (pre, out, built[RSP_BASE_RELATION_INT]))
      WITHIN (WI, number)
      IS (SR, build_scopes (pre, out))
      APART (WI)
#define RSP_LEVEL(id, relation, word, text, short_word, in_tree, elsewhere, printed)               \
      WITHIN (relation, place[RSP_LEVEL_##id])                                                     \
      APART (relation)
#include "parser/scopes.def"
    /* clang-format on */
#undef IS
#undef OF_PATHS
#undef WITHIN
#undef APART
  case RSP_N_BASE_RELATIONS:
    break;
  }
  g_assert_not_reached ();
}

void build_base_relations (RspPreExecution *pre) {
  for (guint r = 0; r < RSP_N_BASE_RELATIONS && !rsp_arena_is_exhausted (pre->arena); r++) {
    pre->base->relations[r] = rsp_relation_new (pre->arena, pre->n);
    build (pre, (RspBaseRelation) r, pre->base->relations[r]);
  }
}
