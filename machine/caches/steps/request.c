#include "machine/caches/steps/request.h"
#include "machine/caches/cache.h"
#include "machine/caches/steps/move.h"
#include "machine/caches/steps/thread.h"
#include "parser/scopes.h"

#include <string.h>

void request_remove (State *s, guint thread, guint i) {
  Thread *at = &s->threads[thread];
  at->n_requests--;
  memmove (at->requests + i, at->requests + i + 1, (at->n_requests - i) * sizeof *at->requests);
  at->requests[at->n_requests] = (Request){ 0 };
}

/* What counts it: a bit of WAIT's. */
static guint counted_as (const Caches *m, const Request *request) {
  if (request->kind == RSP_MAP_CLEAN)
    return RSP_MAP_WRITE_BACKS;
  if (is_local (m, request->place))
    return RSP_MAP_LOCALS;
  return request->kind == RSP_MAP_ST ? RSP_MAP_STORES : RSP_MAP_LOADS;
}

/* Has the thread one among its first n requests that is counted as one of these? */
static gboolean has_among (const Caches *m, const State *s, guint thread, guint n, guint counted) {
  for (guint i = 0; i < n; i++)
    if (counted_as (m, &s->threads[thread].requests[i]) & counted)
      return TRUE;
  return FALSE;
}

/* Has another work-item of the wavefront, whose counters they share? */
static gboolean wavefront_has (const Caches *m, const State *s, guint thread, guint counted) {
  const RspThread *threads = m->program->threads;
  for (guint t = 0; t < m->n_threads; t++)
    if (t != thread && rsp_threads_share (&threads[t], &threads[thread], RSP_LEVEL_SUB_GROUP)
        && has_among (m, s, t, s->threads[t].n_requests, counted))
      return TRUE;
  return FALSE;
}

gboolean request_is_first (const Caches *m, const State *s, guint thread, guint i) {
  const Request *request = &s->threads[thread].requests[i];
  if (counted_as (m, request) == RSP_MAP_LOCALS)
    return !has_among (m, s, thread, i, RSP_MAP_LOCALS);
  guint earlier = RSP_MAP_LOADS | RSP_MAP_STORES;
  return request->kind != RSP_MAP_CLEAN
         || !(has_among (m, s, thread, i, earlier) || wavefront_has (m, s, thread, earlier));
}

gboolean request_is_awaited (const Caches *m, const State *s, guint thread,
                             const RspInstruction *wait) {
  return has_among (m, s, thread, s->threads[thread].n_requests, wait->counted)
         || wavefront_has (m, s, thread, wait->counted);
}

/* ---- Write-backs ---- */

gboolean request_issue_write_back (Caches *m, State *s, guint thread) {
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

static RspInstruction instruction_of (const Request *request) {
  return (RspInstruction){ .kind = RSP_MAP_CLEAN,
                           .level = request->level,
                           .reach = (RspMapReach) request->place };
}

static gboolean is_clean (Caches *m, State *s, guint node, guint thread) {
  (void) m;
  (void) thread;
  return s->n_fifos[node] == 0;
}

gboolean request_is_idle (Caches *m, State *s, guint thread, guint i) {
  RspInstruction instruction = instruction_of (&s->threads[thread].requests[i]);
  return move_each (m, s, thread, &instruction, is_clean);
}

static gboolean drain_all (Caches *m, State *s, guint node, guint thread) {
  (void) thread;
  while (s->n_fifos[node])
    cache_drain (m, s, node, 0);
  return TRUE;
}

void request_write_back (Caches *m, State *s, guint thread, guint i) {
  RspInstruction instruction = instruction_of (&s->threads[thread].requests[i]);
  caches_note (m, "%s: CLEAN %s ends", m->program->threads[thread].name,
               m->shape.machine->levels[instruction.level].name);
  move_each (m, s, thread, &instruction, drain_all);
  request_remove (s, thread, i);
}
