/* LD, ST and RMW. */
#include "machine/caches/steps/access.h"
#include "machine/caches/cache.h"
#include "machine/caches/lock.h"
#include "machine/caches/steps/request.h"
#include "machine/caches/steps/thread.h"
#include "parser/scopes.h"

/* An access that is about to take effect. */
typedef struct Access {
  const RspEvent *event;
  guint thread, number, place, node; /* number: of the event */
  gboolean reads, writes;            /* can it write? (A compare-exchange can fail) */
  gboolean outer;                    /* at a node that is not the innermost */
  guint request; /* its number, or IMMEDIATE: it is the thread's next instruction */
} Access;

enum { IMMEDIATE = MOST_REQUESTS };

static guint level_of (const Caches *m, const State *s, guint thread,
                       const RspInstruction *instruction, const RspEvent *event) {
  guint levels = m->codes->n_levels;
  gboolean locked = s->threads[thread].flags & THREAD_RMWS;
  gboolean all = event->scope == RSP_SCOPE_ALL && m->readings.all_access == ALL_MEMORY;
  if (is_local (m, s->threads[thread].place))
    return levels;
  if (instruction->kind == RSP_MAP_ST && instruction->bare && locked && levels
      && m->readings.locked_store == STORE_OUTER)
    return all ? levels : levels - 1;
  if (instruction->level == levels && levels && m->readings.all_access == ALL_DEVICE)
    return levels - 1;
  return instruction->level;
}

/* level: where it acts. */
static Access make_access (const Caches *m, const State *s, guint thread, guint number, guint place,
                           guint level) {
  const RspEvent *event = rsp_threads_event (m->threads, thread, s->threads[thread].paths, number);
  return (Access){ .event = event,
                   .thread = thread,
                   .number = number,
                   .place = place,
                   .node = shape_own (&m->shape, thread, level),
                   .reads = event->kind != RSP_EVENT_WRITE,
                   .writes = event->kind != RSP_EVENT_READ || event->failed_rmw,
                   .outer = level > 0 && !is_local (m, place),
                   .request = IMMEDIATE };
}

/* FALSE if the thread's next instruction is not an access. */
static gboolean find_access (Caches *m, const State *s, guint thread, Access *access) {
  const RspInstruction *instruction = thread_instruction (m, s, thread);
  if (!instruction || instruction->kind > RSP_MAP_READ_WRITE)
    return FALSE;
  const Thread *at = &s->threads[thread];
  guint level = level_of (m, s, thread, instruction, thread_event (m, s, thread));
  *access = make_access (m, s, thread, at->event, at->place, level);
  return TRUE;
}

/* ---- Copies inside the node of an access ---- */

static gboolean is_meant (const Caches *m, const Access *access, guint node, guint8 which) {
  if (which == RMW_NONE || node == access->node || !shape_is_below (&m->shape, node, access->node))
    return FALSE;
  return which == RMW_ALL
         || shape_own (&m->shape, access->thread, shape_node (&m->shape, node)->level) == node;
}

/* An outstanding load that passes a cache evicts its copy. */
static gboolean affects_copies (const Caches *m, const Access *access) {
  return access->outer && (access->writes || m->counted);
}

static gboolean waits_for_copies (const Caches *m, const State *s, const Access *access) {
  for (guint node = 1; node < m->n_nodes && affects_copies (m, access); node++)
    if (line_at (m, s, node, access->place)->dirty
        && is_meant (m, access, node, m->readings.rmw_waits))
      return TRUE;
  return FALSE;
}

static void invalidate_copies (const Caches *m, State *s, const Access *access) {
  for (guint node = 1; node < m->n_nodes && affects_copies (m, access); node++)
    if (is_meant (m, access, node, m->readings.rmw_invalidates))
      line_at (m, s, node, access->place)->mask = 0;
}

static gboolean waits (Caches *m, const State *s, guint thread) {
  Access access;
  return find_access (m, s, thread, &access) && waits_for_copies (m, s, &access);
}

gboolean access_stops_drain (Caches *m, const State *s, guint node, guint place) {
  for (guint h = 0; h < m->n_threads && shape_is_inner (&m->shape, node); h++) {
    if (m->readings.lock_drains == DRAIN_ANY || !lock_is_out (m, s, h, node, place))
      continue;
    gboolean awaited = fifo_has (m, s, node, (guint8) (MARKER | h)) || waits (m, s, h);
    if (m->readings.lock_drains == DRAIN_NEVER || !awaited)
      return TRUE;
  }
  return FALSE;
}

static gboolean is_stalled (const Caches *m, const State *s, const Access *access) {
  return access->event->order > RSP_ORDER_RELAXED && shape_is_inner (&m->shape, access->node)
         && !is_local (m, access->place) && lock_stops_sync (m, s, access->thread);
}

static gboolean is_blocked (const Caches *m, const State *s, const Access *access) {
  gboolean inner = shape_is_inner (&m->shape, access->node);
  if (is_local (m, access->place))
    return FALSE;
  if (is_stalled (m, s, access))
    return TRUE;
  if (!access->writes)
    return waits_for_copies (m, s, access);
  if (!inner && lock_stops_outer (m, s, access->thread, access->node, access->place))
    return TRUE;
  if (inner && access->reads && lock_stops_rmw (m, s, access->thread))
    return TRUE;
  return waits_for_copies (m, s, access);
}

/* ---- The access ---- */

static void tell (Caches *m, const Access *access, const RspEffect *effect, gint64 got) {
  static const char *const words[] = { "LD", "ST", "RMW", "CAS fails," };
  guint word = access->reads ? (access->event->kind == RSP_EVENT_RMW || access->event->failed_rmw
                                    ? (effect->writes ? 2 : 3)
                                    : 0)
                             : 1;
  g_autoptr (GString) values = g_string_new (NULL);
  if (access->reads)
    g_string_append_printf (values, " reads %" G_GINT64_FORMAT, got);
  if (effect->writes)
    g_string_append_printf (values, " writes %" G_GINT64_FORMAT, effect->written);
  const char *thread = m->program->threads[access->thread].name;
  const char *where = access->outer ? shape_node (&m->shape, access->node)->name : "";
  caches_note (m, "%s: %s%s%s %s%s", thread, words[word], *where ? " at " : "", where,
               place_name (m, access->place), values->str);
}

/* Performs the access with one effect, on a copy of s. reader: the node that it reads; value: the
 * number of the value read there. */
static void make (Caches *m, const State *from, const Access *access, const RspEffect *effect,
                  guint reader, guint value, gint64 got, Then then) {
  State *s = caches_push (m, from);
  Thread *thread = &s->threads[access->thread];
  RspBill before = m->bill;
  if (access->reads) {
    cache_pick (m, s, reader, access->place, value);
    reads_of_thread (m, s, access->thread)[access->number] = got;
  }
  if (effect->writes)
    cache_write (m, s, access->node, access->place, effect->written);
  invalidate_copies (m, s, access);
  m->bill.n[RSP_BILL_OUTER] += access->outer && !shape_is_inner (&m->shape, access->node);
  thread->paths = effect->paths;
  if (access->request == IMMEDIATE) {
    thread->flags |= THREAD_DONE;
    thread_next (s, access->thread);
  } else
    request_remove (s, access->thread, access->request);
  gsize length = m->log ? m->log->len : 0;
  tell (m, access, effect, got);
  then (m, s, access->thread);
  if (m->log)
    g_string_truncate (m->log, length);
  m->bill = before;
  caches_pop (m);
}

static void make_all (Caches *m, const State *s, const Access *access, guint reader, guint value,
                      gint64 got, Then then) {
  RspValue values[RSP_MOST_EVENTS] = { { 0 } };
  const Thread *thread = &s->threads[access->thread];
  for (guint e = 0; e < m->most_events; e++)
    values[e].bits = reads_of_thread (m, s, access->thread)[e];
  g_autoptr (GArray) effects = g_array_new (FALSE, FALSE, sizeof (RspEffect));
  rsp_threads_effects (m->threads, access->thread, thread->paths, access->number, values,
                       thread->done & ~thread_open (thread), got, effects);
  for (guint i = 0; i < effects->len; i++)
    make (m, s, access, &g_array_index (effects, RspEffect, i), reader, value, got, then);
}

/* Is this the first of equal values in the mask? Choosing it leaves most values for later reads. */
static gboolean is_first (const gint64 *values, guint32 mask, guint value) {
  for (guint i = 0; i < value; i++)
    if ((mask >> i & 1) && values[i] == values[value])
      return FALSE;
  return TRUE;
}

static void read_each (Caches *m, State *s, const Access *access, Then then) {
  guint reader = cache_reader (m, s, access->node, access->place);
  if (m->readings.fetch == FETCH_DEMAND && !cache_fetch (m, s, reader, access->place))
    return;
  guint32 mask = line_at (m, s, reader, access->place)->mask;
  const gint64 *values = values_of (s, access->place);
  for (guint value = 0; value < s->n_values[access->place]; value++)
    if ((mask >> value & 1) && is_first (values, mask, value))
      make_all (m, s, access, reader, value, values[value], then);
}

static void expand (Caches *m, const State *from, const Access *access, Then then) {
  if (is_blocked (m, from, access))
    return;
  RspBill before = m->bill;
  State *s = caches_push (m, from);
  if (access->reads)
    read_each (m, s, access, then);
  else
    make_all (m, s, access, 0, 0, 0, then);
  caches_pop (m);
  m->bill = before;
}

void access_expand (Caches *m, const State *from, guint thread, Then then) {
  Access access;
  if (find_access (m, from, thread, &access))
    expand (m, from, &access, then);
}

static gboolean is_settled (Caches *m, const State *s, const Access *access) {
  if (access->event->kind != RSP_EVENT_READ || access->event->failed_rmw
      || is_stalled (m, s, access))
    return FALSE;
  for (guint t = 0; t < m->n_threads; t++)
    if (thread_outlook (m, s, t)->stores & place_bit (access->place))
      return FALSE;
  for (guint node = 1; node < m->n_nodes; node++)
    if (line_at (m, s, node, access->place)->dirty)
      return FALSE;
  guint reader = cache_reader (m, s, access->node, access->place);
  guint32 mask = line_at (m, s, reader, access->place)->mask;
  return mask && (mask & (mask - 1)) == 0;
}

gboolean access_is_settled (Caches *m, const State *s, guint thread) {
  Access access;
  return !m->counted && find_access (m, s, thread, &access) && is_settled (m, s, &access);
}

/* ---- Outstanding accesses ---- */

/* Do accesses of two threads take the same way? Those of the global memory share an innermost
 * cache, those of local memory a wavefront's queue. */
static gboolean share_queue (const Caches *m, guint t, guint u, guint place) {
  return is_local (m, place) ? rsp_threads_share (&m->program->threads[t], &m->program->threads[u],
                                                  RSP_LEVEL_SUB_GROUP)
                             : shape_own (&m->shape, t, 0) == shape_own (&m->shape, u, 0);
}

/* Accesses of one location and one queue take effect in the order in which they were issued: the
 * later one is issued after that. */
gboolean access_can_issue (Caches *m, const State *s, guint thread) {
  const Thread *at = &s->threads[thread];
  for (guint t = 0; t < m->n_threads; t++)
    for (guint i = 0; i < s->threads[t].n_requests; i++) {
      const Request *other = &s->threads[t].requests[i];
      if (other->kind != RSP_MAP_CLEAN && other->place == at->place
          && share_queue (m, t, thread, at->place))
        return FALSE;
    }
  return at->n_requests < MOST_REQUESTS;
}

/* Can the time at which it is issued make no difference to others? */
gboolean access_is_issued_at_once (Caches *m, const State *s, guint thread) {
  guint place = s->threads[thread].place;
  for (guint t = 0; t < m->n_threads; t++) {
    const RspOutlook *outlook = thread_outlook (m, s, t);
    if (t != thread && share_queue (m, t, thread, place)
        && ((outlook->loads | outlook->stores) & place_bit (place)))
      return FALSE;
  }
  return TRUE;
}

void access_issue (Caches *m, State *s, guint thread) {
  const RspInstruction *instruction = thread_instruction (m, s, thread);
  Thread *at = &s->threads[thread];
  guint level = level_of (m, s, thread, instruction, thread_event (m, s, thread));
  at->requests[at->n_requests++]
      = (Request){ (guint8) instruction->kind, at->event, at->place, (guint8) level };
  at->flags |= THREAD_DONE;
  thread_next (s, thread);
}

gboolean request_expand (Caches *m, const State *s, guint thread, guint i, gboolean settled,
                         Then then) {
  const Request *request = &s->threads[thread].requests[i];
  if (request->kind == RSP_MAP_CLEAN || !request_is_first (m, s, thread, i))
    return FALSE;
  Access access = make_access (m, s, thread, request->event, request->place, request->level);
  access.request = i;
  if (settled && !is_settled (m, s, &access))
    return FALSE;
  expand (m, s, &access, then);
  return TRUE;
}
