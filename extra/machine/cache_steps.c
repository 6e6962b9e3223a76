/* Steps of the machines made of caches. */
#include "enumerator/execution.h"
#include "extra/machine/caches.h"
#include "extra/machine/internal.h"
#include "parser/program.h"

#include <string.h>

/* ---- Threads -------------------------------------------------------------------------------- */

/* Operations begin and end. */

static const RspInstruction *thread_instruction (const Caches *m, const State *s, guint thread) {
  const Thread *at = &s->threads[thread];
  if (at->event == RSP_NO_EVENT)
    return NULL;
  const RspCode *code = rsp_code (m->codes, at->code);
  return at->at < code->n ? &code->instructions[at->at] : NULL;
}

/* The events whose accesses are outstanding. */
static guint64 thread_open (const Thread *thread) {
  guint64 open = 0;
  for (guint i = 0; i < thread->n_requests; i++)
    if (thread->requests[i].kind != RSP_MAP_CLEAN)
      open |= G_GUINT64_CONSTANT (1) << thread->requests[i].event;
  return open;
}

const RspOutlook *thread_outlook (Caches *m, const State *s, guint thread) {
  const Thread *at = &s->threads[thread];
  RspPoint point = { at->paths, at->done };
  if (at->event != RSP_NO_EVENT && (at->flags & THREAD_DONE))
    point.done |= G_GUINT64_CONSTANT (1) << at->event;
  point.done &= ~thread_open (at);
  return rsp_threads_outlook (m->threads, thread, point);
}

static const RspOutlook *thread_choices (Caches *m, const State *s, guint thread) {
  const Thread *at = &s->threads[thread];
  return rsp_threads_outlook (m->threads, thread, (RspPoint){ at->paths, at->done });
}

static const RspEvent *thread_event (Caches *m, const State *s, guint thread) {
  const Thread *at = &s->threads[thread];
  return rsp_threads_event (m->threads, thread, at->paths, at->event);
}

/* May the thread continue with this operation now? It must know the values on which its path
 * depends; it ends only if nothing is outstanding, and leaves a barrier only after all threads that
 * meet there have come. */
static gboolean thread_can_begin (Caches *m, const State *s, guint thread,
                                  const RspOperation *operation) {
  const Thread *at = &s->threads[thread];
  if (at->n_requests
      && (operation->event == RSP_NO_EVENT
          || rsp_threads_depends (m->threads, thread, at->paths, operation->event,
                                  thread_open (at))))
    return FALSE;
  if (operation->event == RSP_NO_EVENT || operation->first->kind != RSP_EVENT_EXIT)
    return TRUE;
  for (guint t = 0; t < m->n_threads; t++) {
    const Thread *other = &s->threads[t];
    if (t != thread
        && rsp_threads_share (&m->program->threads[t], &m->program->threads[thread],
                              operation->first->meeting)
        && rsp_threads_awaits (m->threads, t, (RspPoint){ other->paths, other->done },
                               operation->first))
      return FALSE;
  }
  return TRUE;
}

static void thread_begin (Caches *m, State *s, guint thread, const RspOperation *operation) {
  Thread *at = &s->threads[thread];
  at->paths = operation->paths;
  if (operation->event == RSP_NO_EVENT) {
    at->flags |= THREAD_FINISHED | (operation->end == RSP_PATH_COMPLETE ? 0 : THREAD_LEFT);
    m->truncated |= operation->end == RSP_PATH_TRUNCATED;
    if (operation->end == RSP_PATH_FAILED)
      m->failed = operation;
    return;
  }
  int code = rsp_codes_find (m->codes, m->program, operation->first);
  if (code < 0) {
    at->flags |= THREAD_FINISHED | THREAD_LEFT;
    m->missing = operation->first;
    return;
  }
  at->event = operation->event;
  at->place = operation->place;
  at->code = (guint16) code;
  at->at = 0;
}

/* Completes the instruction. */
static void thread_next (State *s, guint thread) {
  s->threads[thread].at++;
  s->threads[thread].flags &= (guint8) ~(THREAD_PUT | THREAD_WAITED);
}

static gboolean thread_has_markers (const Caches *m, const State *s, guint thread) {
  for (guint node = 1; node < m->n_nodes; node++)
    if (fifo_has (m, s, node, (guint8) (MARKER | thread)))
      return TRUE;
  return FALSE;
}

/* ---- Outstanding accesses and write-backs --------------------------------------------------- */

/* They have been issued, and have not taken effect yet. */

static void request_remove (State *s, guint thread, guint i) {
  Thread *at = &s->threads[thread];
  at->n_requests--;
  memmove (at->requests + i, at->requests + i + 1, (at->n_requests - i) * sizeof *at->requests);
  at->requests[at->n_requests] = (Request){ 0 };
}

/* The counter that counts the request: one of WAIT's bits. */
static guint counted_as (const Caches *m, const Request *request) {
  if (request->kind == RSP_MAP_CLEAN)
    return RSP_MAP_WRITE_BACKS;
  if (is_local (m, request->place))
    return RSP_MAP_LOCALS;
  return request->kind == RSP_MAP_ST ? RSP_MAP_STORES : RSP_MAP_LOADS;
}

/* Is one of the thread's first n requests counted by one of these counters? */
static gboolean has_among (const Caches *m, const State *s, guint thread, guint n, guint counted) {
  for (guint i = 0; i < n; i++)
    if (counted_as (m, &s->threads[thread].requests[i]) & counted)
      return TRUE;
  return FALSE;
}

/* The same for the other work-items of the wavefront, which share its counters. */
static gboolean wavefront_has (const Caches *m, const State *s, guint thread, guint counted) {
  const RspThread *threads = m->program->threads;
  for (guint t = 0; t < m->n_threads; t++)
    if (t != thread && rsp_threads_share (&threads[t], &threads[thread], RSP_LEVEL_SUB_GROUP)
        && has_among (m, s, t, s->threads[t].n_requests, counted))
      return TRUE;
  return FALSE;
}

/* May the request take effect next? Accesses of local memory keep their order; a CLEAN comes after
 * earlier accesses of global memory. */
static gboolean request_is_first (const Caches *m, const State *s, guint thread, guint i) {
  const Request *request = &s->threads[thread].requests[i];
  if (counted_as (m, request) == RSP_MAP_LOCALS)
    return !has_among (m, s, thread, i, RSP_MAP_LOCALS);
  guint earlier = RSP_MAP_LOADS | RSP_MAP_STORES;
  return request->kind != RSP_MAP_CLEAN
         || !(has_among (m, s, thread, i, earlier) || wavefront_has (m, s, thread, earlier));
}

/* ---- Write-backs ---- */
/* Issues the thread's next instruction, a CLEAN. FALSE: too much is outstanding. */
static gboolean issue_write_back (Caches *m, State *s, guint thread) {
  const RspInstruction *instruction = thread_instruction (m, s, thread);
  Thread *at = &s->threads[thread];
  if (at->n_requests == MOST_REQUESTS)
    return FALSE;
  at->requests[at->n_requests++] = (Request){ .kind = RSP_MAP_CLEAN,
                                              .place = (guint8) instruction->reach,
                                              .level = instruction->level };
  thread_next (s, thread);
  return TRUE;
}

static RspInstruction clean_instruction (const Request *request) {
  return (RspInstruction){ .kind = RSP_MAP_CLEAN,
                           .level = request->level,
                           .reach = (RspMapReach) request->place };
}

/* ---- Accesses ------------------------------------------------------------------------------- */

/* An access that is about to take effect. */
typedef struct Access {
  const RspEvent *event;
  guint thread, number, place, node; /* number: of the event */
  gboolean reads, writes;            /* writes: it may write, as a compare-exchange may */
  gboolean outer;                    /* at a node that is not the innermost */
  gboolean through;                  /* the thread's caches inside the node get the value too */
  guint request;                     /* its number; IMMEDIATE: the thread's next instruction */
} Access;

enum { IMMEDIATE = MOST_REQUESTS };

/* The level at which an access acts, with THROUGH. */
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
  return instruction->level | (instruction->through ? THROUGH : 0);
}

/* where: the level at which it acts, with THROUGH. */
static Access make_access (const Caches *m, const State *s, guint thread, guint number, guint place,
                           guint where) {
  guint level = where & ~(guint) THROUGH;
  const RspEvent *event = rsp_threads_event (m->threads, thread, s->threads[thread].paths, number);
  return (Access){ .event = event,
                   .thread = thread,
                   .number = number,
                   .place = place,
                   .node = shape_own (&m->shape, thread, level),
                   .reads = event->kind != RSP_EVENT_WRITE,
                   .writes = event->kind != RSP_EVENT_READ || event->failed_rmw,
                   .outer = level > 0 && !is_local (m, place),
                   .through = (where & THROUGH) != 0,
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
/* Is the node inside that of the access, and one that the reading means? */
static gboolean is_meant (const Caches *m, const Access *access, guint node, guint8 which) {
  if (which == RMW_NONE || node == access->node || !shape_is_below (&m->shape, node, access->node))
    return FALSE;
  return which == RMW_ALL
         || shape_own (&m->shape, access->thread, shape_node (&m->shape, node)->level) == node;
}

/* Does the access affect copies? An outstanding load evicts those in the caches that it passes. */
static gboolean affects_copies (const Caches *m, const Access *access) {
  return access->outer && !access->through && (access->writes || m->counted);
}

static gboolean waits_for_copies (const Caches *m, const State *s, const Access *access) {
  for (guint node = 1; node < m->n_nodes && affects_copies (m, access); node++)
    if (line_at (m, s, node, access->place)->dirty
        && is_meant (m, access, node, m->readings.rmw_waits))
      return TRUE;
  return FALSE;
}

/* Does a line lock of another thread keep this cache from draining the place? Not while its holder
 * waits for others' dirty copies of the line. */
static gboolean access_stops_drain (Caches *m, const State *s, guint thread, guint node,
                                    guint place) {
  for (guint h = 0; h < m->n_threads && shape_is_guarded (&m->shape, node); h++) {
    if (h == thread || m->readings.lock_drains == DRAIN_ANY || !lock_is_out (m, s, h, node, place))
      continue;
    Access access; /* the holder's */
    gboolean awaited = fifo_has (m, s, node, (guint8) (MARKER | h))
                       || (find_access (m, s, h, &access) && waits_for_copies (m, s, &access));
    if (m->readings.lock_drains == DRAIN_NEVER || !awaited)
      return TRUE;
  }
  return FALSE;
}

/* Does the access have to wait for a STALL? */
static gboolean is_stalled (const Caches *m, const State *s, const Access *access) {
  guint operations = 0;
  if (access->reads && access->writes)
    operations = RSP_MAP_STALLED_RMWS;
  else if (access->event->order > RSP_ORDER_RELAXED)
    operations = access->reads ? RSP_MAP_ACQUIRES : RSP_MAP_RELEASES;
  return access->node != MEMORY && !is_local (m, access->place)
         && lock_stalls (m, s, access->thread, operations,
                         m->shape.machine->levels[shape_node (&m->shape, access->node)->level].per);
}

static gboolean is_blocked (const Caches *m, const State *s, const Access *access) {
  if (is_local (m, access->place))
    return FALSE;
  if (is_stalled (m, s, access) || waits_for_copies (m, s, access))
    return TRUE;
  if (!access->writes)
    return FALSE;
  const RspMachine *machine = m->shape.machine;
  const gboolean in_rmw_lock /* LOCK rmw is about these levels */
      = access->node != MEMORY
        && machine->levels[shape_node (&m->shape, access->node)->level].per <= machine->rmw_per;
  return (!shape_is_inner (&m->shape, access->node)
          && lock_stops_outer (m, s, access->thread, access->node, access->place))
         || (in_rmw_lock && access->reads && lock_stops_rmw (m, s, access->thread));
}

/* ---- The access ---- */
static void note_access (Caches *m, const Access *access, const RspEffect *effect, gint64 got) {
  const gboolean is_rmw = access->event->kind == RSP_EVENT_RMW || access->event->failed_rmw;
  const char *word = access->reads ? "LD" : "ST";
  if (access->reads && is_rmw)
    word = effect->writes ? "RMW" : "CAS fails,";
  g_autoptr (GString) values = g_string_new (NULL);
  if (access->reads)
    g_string_append_printf (values, " reads %" G_GINT64_FORMAT, got);
  if (effect->writes)
    g_string_append_printf (values, " writes %" G_GINT64_FORMAT, effect->written);
  const char *thread = m->program->threads[access->thread].name;
  const char *where = access->outer ? shape_node (&m->shape, access->node)->name : "";
  caches_note (m, "%s: %s%s%s %s%s", thread, word, *where ? " at " : "", where,
               place_name (m, access->place), values->str);
}

/* Performs the access with each of its effects, on a copy of the state. reader: the node that it
 * reads; value: the number of the value read there. */
static void perform_access (Caches *m, const State *from, const Access *access, guint reader,
                            guint value, gint64 got, Then then) {
  RspValue values[RSP_MOST_EVENTS] = { { 0 } };
  const Thread *at = &from->threads[access->thread];
  for (guint e = 0; e < m->most_events; e++)
    values[e].bits = reads_of_thread (m, from, access->thread)[e];
  g_autoptr (GArray) effects = g_array_new (FALSE, FALSE, sizeof (RspEffect));
  rsp_threads_effects (m->threads, access->thread, at->paths, access->number, values,
                       at->done & ~thread_open (at), got, effects);
  for (guint i = 0; i < effects->len; i++) {
    const RspEffect *effect = &g_array_index (effects, RspEffect, i);
    State *s = caches_push (m, from);
    Thread *thread = &s->threads[access->thread];
    RspBill before = m->bill;
    if (access->reads) {
      cache_pick (m, s, reader, access->place, value);
      reads_of_thread (m, s, access->thread)[access->number] = got;
    }
    if (effect->writes)
      cache_write (m, s, access->node, access->place, effect->written);
    for (guint node = 1; node < m->n_nodes && affects_copies (m, access); node++)
      if (is_meant (m, access, node, m->readings.rmw_invalidates))
        line_at (m, s, node, access->place)->mask = line_at (m, s, node, access->place)->owned = 0;
    if (effect->writes && access->through) {
      /* The value written also gets to the thread's caches inside the node, where it is clean.
       */
      for (guint node = 1; node < m->n_nodes; node++)
        if (is_meant (m, access, node, RMW_OWN)) {
          Line *line = line_at (m, s, node, access->place);
          line->mask = shape_is_buffer (&m->shape, node)
                           ? 0
                           : line_at (m, s, access->node, access->place)->mask;
          line->dirty = 0;
        }
    }
    if (access->outer && !access->writes)
      caches_charge (m, s, RSP_BILL_MISS);
    if (access->outer && !shape_is_inner (&m->shape, access->node))
      caches_charge (m, s, RSP_BILL_OUTER);
    if (m->latencies)
      caches_elapse (m, s, access->thread, m->latencies->cycles[RSP_N_BILL_ITEMS]);
    thread->paths = effect->paths;
    if (access->request == IMMEDIATE) {
      thread->flags |= THREAD_DONE;
      thread_next (s, access->thread);
    } else
      request_remove (s, access->thread, access->request);
    gsize length = m->log ? m->log->len : 0;
    note_access (m, access, effect, got);
    then (m, s, access->thread);
    if (m->log)
      g_string_truncate (m->log, length);
    m->bill = before;
    caches_pop (m);
  }
}

/* Is this the first of the equal values in the mask? Choosing it leaves the most values for later
 * reads. */
static gboolean is_first (const gint64 *values, guint32 mask, guint value) {
  for (guint i = 0; i < value; i++)
    if ((mask >> i & 1) && values[i] == values[value])
      return FALSE;
  return TRUE;
}

/* Performs the access in each possible way: with each value that a read may return. */
static void expand_access (Caches *m, const State *from, const Access *access, Then then) {
  if (is_blocked (m, from, access))
    return;
  RspBill before = m->bill;
  m->charged = access->thread;
  State *s = caches_push (m, from);
  guint place = access->place, reader = cache_reader (m, s, access->node, place);
  if (!access->reads)
    perform_access (m, s, access, 0, 0, 0, then);
  else if (!m->demands || cache_fetch (m, s, reader, place)) {
    guint32 mask = line_at (m, s, reader, place)->mask;
    const gint64 *values = values_of (s, place);
    for (guint value = 0; value < s->n_values[place]; value++)
      if ((mask >> value & 1) && is_first (values, mask, value))
        perform_access (m, s, access, reader, value, values[value], then);
  }
  caches_pop (m);
  m->bill = before;
}

/* Is it a load whose value nothing can change any more? Then it can come first. */
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
  return mask && (mask & (mask - 1)) == 0 && !cache_has_newer (m, s, reader, access->place);
}

/* ---- Outstanding accesses ---- */
/* Do accesses of two threads go through the same queue: for global memory that of an innermost
 * cache, for local memory that of a wavefront? */
static gboolean share_queue (const Caches *m, guint t, guint u, guint place) {
  return is_local (m, place) ? rsp_threads_share (&m->program->threads[t], &m->program->threads[u],
                                                  RSP_LEVEL_SUB_GROUP)
                             : shape_own (&m->shape, t, 0) == shape_own (&m->shape, u, 0);
}

/* May the thread's next access be issued (accesses=counted)? Accesses of one location in one queue
 * take effect in order, so each is issued only after the one before. */
static gboolean access_can_issue (Caches *m, const State *s, guint thread) {
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

/* Can it be issued at once without affecting others? */
static gboolean access_is_issued_at_once (Caches *m, const State *s, guint thread) {
  guint place = s->threads[thread].place;
  for (guint t = 0; t < m->n_threads; t++) {
    const RspOutlook *outlook = thread_outlook (m, s, t);
    if (t != thread && share_queue (m, t, thread, place)
        && ((outlook->loads | outlook->stores) & place_bit (place)))
      return FALSE;
  }
  return TRUE;
}

static void access_issue (Caches *m, State *s, guint thread) {
  const RspInstruction *instruction = thread_instruction (m, s, thread);
  Thread *at = &s->threads[thread];
  guint level = level_of (m, s, thread, instruction, thread_event (m, s, thread));
  at->requests[at->n_requests++]
      = (Request){ (guint8) instruction->kind, at->event, at->place, (guint8) level };
  at->flags |= THREAD_DONE;
  thread_next (s, thread);
}

/* ---- Flushes and invalidations -------------------------------------------------------------- */

/* FLU and INV of whole caches and of lines, OWN and FORWARD. */

/* Does a fence skip this instruction under the reading `fence=order`? */
static gboolean is_left_out (Caches *m, const State *s, guint thread,
                             const RspInstruction *instruction) {
  if (m->readings.fence != FENCE_ORDER || m->counted)
    return FALSE;
  const RspEvent *event = thread_event (m, s, thread);
  if (event->location != RSP_NO_LOCATION)
    return FALSE;
  gboolean both = event->order == RSP_ORDER_ACQ_REL || event->order == RSP_ORDER_SEQ_CST;
  if (instruction->kind == RSP_MAP_FLU)
    return !(both || event->order == RSP_ORDER_RELEASE);
  return !(both || event->order == RSP_ORDER_ACQUIRE || event->order == RSP_ORDER_CONSUME);
}

/* The places that it affects. */
static guint64 places_of (Caches *m, const State *s, guint thread,
                          const RspInstruction *instruction) {
  const Thread *at = &s->threads[thread];
  guint64 places = 0;
  if (!instruction->lines)
    return ~places;
  if (instruction->lines == RSP_MAP_THIS_LINE)
    return place_bit (at->place);
  for (guint e = 0; e < m->most_events; e++) {
    gboolean is_done = at->done >> e & 1;
    const RspEvent *event = is_done ? rsp_threads_event (m->threads, thread, at->paths, e) : NULL;
    for (guint place = 0; event && place < m->n_places; place++)
      if (m->threads->locations[place] == event->location
          && (instruction->kind == RSP_MAP_INV || rsp_event_is_write (event)))
        places |= place_bit (place);
  }
  return places;
}

/* Does the instruction act on this cache? */
static gboolean acts_on (Caches *m, const State *s, guint thread, const RspInstruction *instruction,
                         guint node) {
  const CacheNode *at = shape_node (&m->shape, node);
  gboolean own = shape_own (&m->shape, thread, at->level) == node;
  RspMapReach reach = instruction->reach;
  if (reach == RSP_MAP_ALL && m->readings.all_reach == ALL_DEVICE)
    reach = RSP_MAP_DEVICE;
  const gboolean near = at->device == m->program->threads[thread].place[RSP_LEVEL_DEVICE];
  if (at->level != instruction->level || (reach == RSP_MAP_OWN && !own)
      || (reach == RSP_MAP_DEVICE && !near) || is_left_out (m, s, thread, instruction))
    return FALSE;
  if (instruction->when == RSP_MAP_WHEN_DIRTY) {
    for (guint place = 0; place < m->n_places; place++)
      if ((places_of (m, s, thread, instruction) & place_bit (place))
          && line_at (m, s, node, place)->dirty)
        return TRUE;
    return FALSE;
  }
  return !(instruction->when == RSP_MAP_WHEN_REMOTE && own);
}

/* Notes the instruction, and counts it in the bill if it acts on a cache. */
static void account (Caches *m, const State *s, guint thread, const RspInstruction *instruction) {
  static const char *const reaches[] = { "own", "device", "all" };
  static const char *const lines[] = { "", " x", " mine" };
  static const char *const whens[] = { "", " when dirty", " when remote" };
  static const RspBillItem items[][2]
      = { { RSP_BILL_INV_ALL, RSP_BILL_INV_OWN }, { RSP_BILL_FLUSH_ALL, RSP_BILL_FLUSH_OWN } };
  gboolean flushes = instruction->kind == RSP_MAP_FLU, acts = !instruction->when;
  for (guint node = 1; node < m->n_nodes && !acts; node++)
    acts = acts_on (m, s, thread, instruction, node);
  if (acts)
    caches_charge (m, s, items[flushes][instruction->reach == RSP_MAP_OWN]);
  gboolean this_line = instruction->lines == RSP_MAP_THIS_LINE;
  caches_note (m, "%s: %s %s %s%s%s%s", m->program->threads[thread].name, flushes ? "FLU" : "INV",
               m->shape.machine->levels[instruction->level].name, reaches[instruction->reach],
               this_line ? " " : lines[instruction->lines],
               this_line ? place_name (m, s->threads[thread].place) : "", whens[instruction->when]);
}

static void move_flush (Caches *m, State *s, guint thread, const RspInstruction *instruction) {
  account (m, s, thread, instruction);
  for (guint node = 1; node < m->n_nodes;
       node++) /* a marker in an empty FIFO would have nothing to wait for */
    if (s->n_fifos[node] && acts_on (m, s, thread, instruction, node))
      fifo_of (m, s, node)[s->n_fifos[node]++] = (guint8) (MARKER | thread);
  s->threads[thread].flags |= THREAD_PUT;
}

/* Writes out a dirty line, ahead of its FIFO. FALSE if another thread's lock stops that. */
static gboolean drain_line (Caches *m, State *s, guint thread, guint node, guint place) {
  if (!line_at (m, s, node, place)->dirty)
    return TRUE;
  if (access_stops_drain (m, s, thread, node, place))
    return FALSE;
  const guint8 *fifo = fifo_of (m, s, node);
  const guint8 *entry = memchr (fifo, (int) place, s->n_fifos[node]);
  cache_drain (m, s, node, (guint) (entry - fifo));
  return TRUE;
}

/* FALSE if it cannot be done now. */
static gboolean move_flush_lines (Caches *m, State *s, guint thread,
                                  const RspInstruction *instruction) {
  guint64 places = places_of (m, s, thread, instruction);
  account (m, s, thread, instruction);
  for (guint node = 1; node < m->n_nodes; node++)
    for (guint place = 0; place < m->n_places; place++)
      if ((places & place_bit (place)) && acts_on (m, s, thread, instruction, node)
          && !drain_line (m, s, thread, node, place))
        return FALSE;
  return TRUE;
}

static void move_invalidate (Caches *m, State *s, guint thread, const RspInstruction *instruction) {
  guint64 places = places_of (m, s, thread, instruction);
  account (m, s, thread, instruction);
  for (guint node = 1; node < m->n_nodes; node++)
    if (acts_on (m, s, thread, instruction, node))
      cache_invalidate (m, s, node, places);
}

static gboolean move_invalidate_matters (Caches *m, State *s, guint thread,
                                         const RspInstruction *instruction) {
  guint64 places = places_of (m, s, thread, instruction);
  for (guint node = 1; node < m->n_nodes; node++)
    if (acts_on (m, s, thread, instruction, node) && cache_invalidate_matters (m, s, node, places))
      return TRUE;
  return FALSE;
}

/* OWN and FORWARD: the owner among the innermost caches of the device writes the line out, and
 * under OWN loses it; the own cache fetches it. FALSE if that cannot be done now. */
static gboolean move_owner (Caches *m, State *s, guint thread, const RspInstruction *instruction) {
  guint own = shape_own (&m->shape, thread, 0), place = s->threads[thread].place;
  gboolean owns = instruction->kind == RSP_MAP_OWNED;
  caches_note (m, "%s: %s %s", m->program->threads[thread].name, owns ? "OWN" : "FORWARD",
               place_name (m, place));
  if (own == MEMORY || is_local (m, place) || line_at (m, s, own, place)->owned)
    return TRUE;
  for (guint node = 1; node < m->n_nodes; node++) {
    Line *line = line_at (m, s, node, place);
    if (node == own || !line->owned
        || shape_node (&m->shape, node)->device != shape_node (&m->shape, own)->device)
      continue;
    if (!drain_line (m, s, thread, node, place))
      return FALSE;
    line->owned = !owns;
    if (owns)
      line->mask = 0;
  }
  if (!drain_line (m, s, thread, own, place))
    return FALSE;
  Line *line = line_at (m, s, own, place);
  line->owned = owns;
  line->mask = 0;
  return shape_is_buffer (&m->shape, own) || cache_fetch (m, s, own, place);
}

/* ---- Steps without a choice ----------------------------------------------------------------- */

/* They are taken at once.
 *
 * Always: operations begin and end, and a flush ends when its markers are gone. With reduction also
 * steps that only enable others: placing markers (not under a line lock, where a marker decides
 * what may be drained) and popping them, popping clean addresses that will not be stored to again,
 * releasing locks; and steps that cannot be distinguished from taking place later: an INV that
 * changes nothing, the drain of a line that no thread outside will use. docs/machines.md has the
 * arguments, and tests/machine compares with the full search. */

/* ---- Threads ---- */
static gboolean end_operation (State *s, guint t) {
  Thread *thread = &s->threads[t];
  thread->done |= G_GUINT64_CONSTANT (1) << thread->event;
  thread->event = RSP_NO_EVENT;
  thread->flags &= (guint8) ~THREAD_DONE;
  thread->code = 0;
  thread->place = thread->at = 0;
  return TRUE;
}

static gboolean advance_flush (Caches *m, State *s, guint t, const RspInstruction *instruction) {
  if (instruction->lines) /* a step of its own */
    return FALSE;
  if (!(s->threads[t].flags & THREAD_PUT)) {
    if (!m->reduced || (s->threads[t].flags & THREAD_LINE))
      return FALSE;
    move_flush (m, s, t, instruction);
    return TRUE;
  }
  if (thread_has_markers (m, s, t))
    return FALSE;
  thread_next (s, t);
  return TRUE;
}

/* Ends a CLEAN with nothing to write back. */
static gboolean advance_requests (Caches *m, State *s, guint t) {
  for (guint i = 0; m->reduced && i < s->threads[t].n_requests; i++) {
    const Request *request = &s->threads[t].requests[i];
    if (request->kind != RSP_MAP_CLEAN || !request_is_first (m, s, t, i))
      continue;
    RspInstruction instruction = clean_instruction (request);
    gboolean is_idle = TRUE;
    for (guint node = 1; node < m->n_nodes && is_idle; node++)
      is_idle = !s->n_fifos[node] || !acts_on (m, s, t, &instruction, node);
    if (is_idle) {
      request_remove (s, t, i);
      return TRUE;
    }
  }
  return FALSE;
}

/* UNLOCK and UNSTALL. */
static void run_unlock (Caches *m, State *s, guint thread, const RspInstruction *instruction) {
  gboolean unlocks = instruction->kind == RSP_MAP_UNLOCK;
  if (unlocks)
    lock_release (s, thread);
  thread_next (s, thread);
  caches_note (m, "%s: %s", m->program->threads[thread].name, unlocks ? "UNLOCK" : "UNSTALL");
}

static gboolean advance_thread (Caches *m, State *s, guint t) {
  Thread *thread = &s->threads[t];
  m->charged = t;
  if (thread->flags & THREAD_FINISHED)
    return FALSE;
  if (advance_requests (m, s, t))
    return TRUE;
  if (thread->event == RSP_NO_EVENT) {
    const RspOutlook *outlook = thread_choices (m, s, t);
    if (outlook->n_operations != 1 || !thread_can_begin (m, s, t, &outlook->operations[0]))
      return FALSE;
    thread_begin (m, s, t, &outlook->operations[0]);
    return TRUE;
  }
  const RspInstruction *instruction = thread_instruction (m, s, t);
  if (!instruction)
    return end_operation (s, t);
  switch (instruction->kind) {
  case RSP_MAP_FLU:
    return advance_flush (m, s, t, instruction);
  case RSP_MAP_INV:
    if (!m->reduced || !m->lazy || instruction->joined || lock_any_line (m, s)
        || move_invalidate_matters (m, s, t, instruction))
      return FALSE;
    move_invalidate (m, s, t, instruction);
    thread_next (s, t);
    return TRUE;
  case RSP_MAP_WAIT:
    if (has_among (m, s, t, thread->n_requests, instruction->counted)
        || wavefront_has (m, s, t, instruction->counted))
      return FALSE;
    thread_next (s, t);
    return TRUE;
  case RSP_MAP_CLEAN:
    return m->reduced && issue_write_back (m, s, t);
  case RSP_MAP_LOCK: /* the bill counts, once, a lock that is held when it is requested */
    if (m->counting && !(thread->flags & THREAD_WAITED) && !lock_is_free (m, s, t, instruction)) {
      thread->flags |= THREAD_WAITED;
      caches_charge (m, s, RSP_BILL_WAIT);
    }
    return FALSE;
  case RSP_MAP_UNLOCK:
  case RSP_MAP_UNSTALL:
    if (!m->reduced)
      return FALSE;
    run_unlock (m, s, t, instruction);
    return TRUE;
  default:
    if (instruction->kind > RSP_MAP_READ_WRITE || !m->counted || !m->reduced
        || !access_can_issue (m, s, t) || !access_is_issued_at_once (m, s, t))
      return FALSE;
    access_issue (m, s, t);
    return TRUE;
  }
}

/* ---- FIFOs ---- */
/* Will no thread outside the cache use the place any more (nor one inside, if accesses bypass dirty
 * lines)? Then nobody can observe when it is drained. */
static gboolean is_private (Caches *m, const State *s, guint node, guint place) {
  for (guint other = 1; other < m->n_nodes; other++)
    if (line_at (m, s, other, place)->dirty && !shape_is_below (&m->shape, other, node))
      return FALSE;
  for (guint t = 0; t < m->n_threads; t++) {
    const RspOutlook *outlook = thread_outlook (m, s, t);
    gboolean below = shape_own (&m->shape, t, shape_node (&m->shape, node)->level) == node;
    if ((m->bypassed || !below) && ((outlook->loads | outlook->stores) & place_bit (place)))
      return FALSE;
  }
  return TRUE;
}

static gboolean advance_fifo (Caches *m, State *s, guint node) {
  m->charged = MOST_THREADS;
  for (guint i = 0; m->reduced && i < cache_n_drainable (m, s, node); i++) {
    guint8 entry = fifo_of (m, s, node)[i];
    if ((entry & MARKER) || !line_at (m, s, node, entry)->dirty) {
      if (!(entry & MARKER) && !cache_head_is_settled (m, s, node))
        continue;
      cache_pop (m, s, node, i);
      return TRUE;
    }
    if (m->lazy && is_private (m, s, node, entry)
        && !access_stops_drain (m, s, MOST_THREADS, node, entry)) {
      cache_drain (m, s, node, i);
      return TRUE;
    }
  }
  return FALSE;
}

void caches_settle (Caches *m, State *s) {
  for (gboolean again = TRUE; again;) {
    again = FALSE;
    cache_refresh (m, s);
    for (guint node = 1; node < m->n_nodes; node++)
      while (advance_fifo (m, s, node))
        again = TRUE;
    for (guint t = 0; t < m->n_threads; t++)
      while (advance_thread (m, s, t))
        again = TRUE;
  }
  caches_tidy (m, s);
}

/* ---- Successors ----------------------------------------------------------------------------- */

/* Settles s, and adds it as a successor. */
static void add_successor (Caches *m, State *s) {
  RspBill before = m->bill;
  caches_settle (m, s);
  if (m->log && rsp_successors_count (m->successors) == m->traced)
    g_string_append (m->trace, m->log->str);
  caches_encode (m, s, m->successors->bytes);
  rsp_successors_add (m->successors, &m->bill);
  m->bill = before;
}

/* The bill and the log before a step that one of several successors takes. */
typedef struct Before {
  RspBill bill;
  gsize length;
} Before;

static State *begin_step (Caches *m, const State *from, Before *before) {
  *before = (Before){ m->bill, m->log ? m->log->len : 0 };
  return caches_push (m, from);
}

static void end_step (Caches *m, const Before *before) {
  caches_pop (m);
  m->bill = before->bill;
  if (m->log)
    g_string_truncate (m->log, before->length);
}

/* ---- Threads ---- */
static void run_instruction (Caches *m, const State *s, guint thread);

/* Ends an instruction; one that is joined to it follows in the same step. */
static void end_instruction (Caches *m, State *s, guint thread) {
  const Thread *at = &s->threads[thread];
  if (rsp_code (m->codes, at->code)->instructions[at->at - 1].joined)
    run_instruction (m, s, thread);
  else
    add_successor (m, s);
}

static void run_move (Caches *m, State *s, guint thread, const RspInstruction *instruction) {
  gboolean done = TRUE;
  if (instruction->kind == RSP_MAP_FLU && !instruction->lines) {
    move_flush (m, s, thread, instruction);
    add_successor (m, s);
    return;
  }
  if (instruction->kind == RSP_MAP_FLU)
    done = move_flush_lines (m, s, thread, instruction);
  else if (instruction->kind == RSP_MAP_INV)
    move_invalidate (m, s, thread, instruction);
  else if (instruction->kind == RSP_MAP_STALL)
    caches_note (m, "%s: STALL", m->program->threads[thread].name);
  else
    done = move_owner (m, s, thread, instruction);
  if (!done)
    return;
  thread_next (s, thread);
  end_instruction (m, s, thread);
}

/* A thread that holds a lock may find its copy gone, while another's line lock keeps it from being
 * fetched again: a deadlock if that one waits for the thread. Other copies need not be evicted:
 * they are decided when they are read. */
static void evict_awaited (Caches *m, const State *from, const Access *access) {
  guint reader = cache_reader (m, from, access->node, access->place);
  if (!access->reads || !lock_holds_any (m, from, access->thread)
      || !cache_may_be_gone (m, from, reader, access->place))
    return;
  Before before;
  State *s = begin_step (m, from, &before);
  line_at (m, s, reader, access->place)->mask = 0;
  caches_note (m, "%s evicts %s", shape_node (&m->shape, reader)->name,
               place_name (m, access->place));
  add_successor (m, s);
  end_step (m, &before);
}

static void run_instruction (Caches *m, const State *from, guint thread) {
  m->charged = thread;
  const RspInstruction *instruction = thread_instruction (m, from, thread);
  Access access;
  Before before;
  if (!instruction || (from->threads[thread].flags & THREAD_PUT)
      || instruction->kind == RSP_MAP_WAIT)
    return;
  gboolean is_access = instruction->kind <= RSP_MAP_READ_WRITE;
  if (is_access && !m->counted) {
    if (find_access (m, from, thread, &access)) {
      expand_access (m, from, &access, end_instruction);
      evict_awaited (m, from, &access);
    }
    return;
  }
  if (is_access && !access_can_issue (m, from, thread))
    return;
  State *s = begin_step (m, from, &before);
  switch (instruction->kind) {
  case RSP_MAP_FLU:
  case RSP_MAP_INV:
  case RSP_MAP_OWNED:
  case RSP_MAP_FORWARD:
  case RSP_MAP_STALL:
    run_move (m, s, thread, instruction);
    break;
  case RSP_MAP_LOCK:
    if (lock_is_free (m, s, thread, instruction)) {
      lock_take (m, s, thread, instruction);
      thread_next (s, thread);
      gboolean line = instruction->locks & RSP_MAP_LINE, rmws = instruction->locks & RSP_MAP_RMWS;
      caches_note (m, "%s: LOCK %s%s%s%s", m->program->threads[thread].name,
                   line ? place_name (m, s->threads[thread].place) : "", line && rmws ? ", " : "",
                   rmws ? "rmw" : "", instruction->reach == RSP_MAP_ALL ? " all" : "");
      end_instruction (m, s, thread);
    }
    break;
  case RSP_MAP_LD:
  case RSP_MAP_ST:
  case RSP_MAP_READ_WRITE:
    caches_note (m, "%s: issues the access of %s", m->program->threads[thread].name,
                 place_name (m, s->threads[thread].place));
    access_issue (m, s, thread);
    add_successor (m, s);
    break;
  case RSP_MAP_CLEAN:
    if (issue_write_back (m, s, thread))
      add_successor (m, s);
    break;
  default:
    run_unlock (m, s, thread, instruction);
    add_successor (m, s);
  }
  end_step (m, &before);
}

static void end_request (Caches *m, State *s, guint thread) {
  (void) thread;
  add_successor (m, s);
}

/* Runs the requests that can take effect. settled: only the first load whose value nothing can
 * change any more; TRUE: there is one. */
static gboolean run_requests (Caches *m, const State *s, guint thread, gboolean settled) {
  m->charged = thread;
  for (guint i = 0; i < s->threads[thread].n_requests; i++) {
    const Request *request = &s->threads[thread].requests[i];
    if (!request_is_first (m, s, thread, i))
      continue;
    if (request->kind == RSP_MAP_CLEAN) {
      if (!settled) {
        Before before;
        State *next = begin_step (m, s, &before);
        RspInstruction instruction = clean_instruction (&next->threads[thread].requests[i]);
        caches_note (m, "%s: CLEAN %s ends", m->program->threads[thread].name,
                     m->shape.machine->levels[instruction.level].name);
        for (guint node = 1; node < m->n_nodes; node++)
          while (next->n_fifos[node] && acts_on (m, next, thread, &instruction, node))
            cache_drain (m, next, node, 0);
        request_remove (next, thread, i);
        add_successor (m, next);
        end_step (m, &before);
      }
      continue;
    }
    Access access = make_access (m, s, thread, request->event, request->place, request->level);
    access.request = i;
    if (settled && !is_settled (m, s, &access))
      continue;
    expand_access (m, s, &access, end_request);
    if (settled)
      return TRUE;
  }
  return FALSE;
}

/* Runs the thread's instruction; between operations, begins each of several that may be next. */
static void run_thread (Caches *m, const State *from, guint thread) {
  if (from->threads[thread].flags & THREAD_FINISHED)
    return;
  if (from->threads[thread].event != RSP_NO_EVENT) {
    run_instruction (m, from, thread);
    return;
  }
  const RspOutlook *outlook = thread_choices (m, from, thread);
  for (guint i = 0; outlook->n_operations > 1 && i < outlook->n_operations; i++)
    if (thread_can_begin (m, from, thread, &outlook->operations[i])) {
      State *s = caches_push (m, from);
      thread_begin (m, s, thread, &outlook->operations[i]);
      add_successor (m, s);
      caches_pop (m);
    }
}

/* ---- Caches ---- */
static void run_fifo (Caches *m, const State *from, guint node, guint i) {
  m->charged = MOST_THREADS;
  guint8 head = fifo_of (m, from, node)[i];
  gboolean dirty = !(head & MARKER) && line_at (m, from, node, head)->dirty;
  Before before;
  if (dirty && access_stops_drain (m, from, MOST_THREADS, node, head))
    return;
  State *s = begin_step (m, from, &before);
  if (dirty)
    cache_drain (m, s, node, i);
  else {
    cache_pop (m, s, node, i);
    caches_note (m, "%s: head of the FIFO goes", shape_node (&m->shape, node)->name);
  }
  add_successor (m, s);
  end_step (m, &before);
}

/* Without reduction: fetches or evicts a clean copy that a thread below the node may load. */
static void run_copies (Caches *m, const State *from, guint node) {
  const CacheNode *at = shape_node (&m->shape, node);
  guint64 loads = 0;
  for (guint t = 0; t < m->n_threads; t++)
    if (shape_own (&m->shape, t, at->level) == node)
      loads |= thread_outlook (m, from, t)->loads;
  for (guint place = 0; place < m->n_places; place++) {
    const Line *line = line_at (m, from, node, place);
    guint32 mask = line->mask ? 0 : line_at (m, from, at->parent, place)->mask;
    if (is_local (m, place) || line->dirty || line->mask == mask || !(loads & place_bit (place))
        || shape_is_buffer (&m->shape, node) || (mask && lock_stops_fetch (m, from, node, place)))
      continue;
    State *s = caches_push (m, from);
    line_at (m, s, node, place)->mask = mask;
    add_successor (m, s);
    caches_pop (m);
  }
}

/* ---- The state ---- */
/* How a state without successors ends. */
static RspEnd find_end (const Caches *m, const State *s) {
  gboolean finished = TRUE, inside = FALSE;
  for (guint t = 0; t < m->n_threads; t++) {
    finished &= (s->threads[t].flags & THREAD_FINISHED) != 0;
    inside |= s->threads[t].event != RSP_NO_EVENT;
  }
  gboolean drained = TRUE;
  for (guint node = 1; node < m->n_nodes; node++)
    drained &= s->n_fifos[node] == 0;
  if (finished && drained)
    return RSP_END_FINAL;
  /* Waiting at a barrier that others never reach is the program's fault, not the machine's
   * deadlock. */
  return inside || finished ? RSP_END_STUCK : RSP_END_LEFT;
}

/* Adds all steps, or a settled load alone if there is one. */
static void expand_state (Caches *m, const State *s) {
  for (guint t = 0; t < m->n_threads && m->lazy && m->reduced; t++) {
    Access access;
    if (!m->counted && find_access (m, s, t, &access) && is_settled (m, s, &access)) {
      run_thread (m, s, t);
      return;
    }
    if (run_requests (m, s, t, TRUE))
      return;
  }
  for (guint t = 0; t < m->n_threads; t++) {
    run_thread (m, s, t);
    run_requests (m, s, t, FALSE);
  }
  for (guint node = 1; node < m->n_nodes; node++) {
    for (guint i = 0; i < cache_n_drainable (m, s, node); i++)
      run_fifo (m, s, node, i);
    if (!m->lazy && shape_readings (&m->shape, node)->fetch == FETCH_ANY)
      run_copies (m, s, node);
  }
}

RspEnd caches_expand (gpointer data, RspBytes bytes, RspSuccessors *successors) {
  Caches *m = data;
  m->successors = successors;
  m->bill = (RspBill){ { 0 }, { 0 } };
  State *s = m->scratch->pdata[0];
  m->depth = 1;
  caches_decode (m, bytes, s);
  for (guint t = 0; t < m->n_threads; t++)
    if (s->threads[t].flags & THREAD_LEFT)
      return RSP_END_LEFT;
  const RspEnd end = find_end (m, s);
  if (end == RSP_END_FINAL)
    return end;
  expand_state (m, s);
  return rsp_successors_count (successors) ? RSP_END_NONE : end;
}
