/* Steps that need no choice are taken at once.
 *
 * Always: operations begin and end, and a flush ends when its markers are gone. With reduction also
 * steps that only enable others: placing markers (not under a line lock, where a marker decides
 * what may be drained) and popping them, popping clean addresses that will not be stored to again,
 * releasing locks; and steps that are indistinguishable from happening later: an INV that changes
 * nothing, the drain of a line that nobody outside will use. docs/machines.md has the arguments,
 * and tests/machine compares with the full search. */
#include "machine/caches/steps/settle.h"
#include "machine/caches/cache.h"
#include "machine/caches/lock.h"
#include "machine/caches/steps/access.h"
#include "machine/caches/steps/move.h"
#include "machine/caches/steps/request.h"
#include "machine/caches/steps/thread.h"
#include "machine/caches/tidy.h"

/* ---- Threads ---- */

static gboolean begin_or_wait (Caches *m, State *s, guint t) {
  const RspOutlook *outlook = thread_choices (m, s, t);
  if (outlook->n_operations != 1 || !thread_can_begin (m, s, t, &outlook->operations[0]))
    return FALSE;
  thread_begin (m, s, t, &outlook->operations[0]);
  return TRUE;
}

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

static gboolean advance_invalidation (Caches *m, State *s, guint t,
                                      const RspInstruction *instruction) {
  if (!m->reduced || !m->lazy || instruction->joined || lock_any_line (m, s)
      || move_invalidate_matters (m, s, t, instruction))
    return FALSE;
  move_invalidate (m, s, t, instruction);
  thread_next (s, t);
  return TRUE;
}

/* The bill counts a lock that is held when it is requested, but only once. */
static void count_wait (Caches *m, State *s, guint t, const RspInstruction *instruction) {
  Thread *thread = &s->threads[t];
  if (!m->counting || (thread->flags & THREAD_WAITED) || lock_is_free (m, s, t, instruction))
    return;
  thread->flags |= THREAD_WAITED;
  m->bill.n[RSP_BILL_WAIT]++;
}

static gboolean advance_issue (Caches *m, State *s, guint t) {
  if (!m->counted || !m->reduced || !access_can_issue (m, s, t)
      || !access_is_issued_at_once (m, s, t))
    return FALSE;
  access_issue (m, s, t);
  return TRUE;
}

/* A CLEAN with nothing to write back ends. */
static gboolean advance_requests (Caches *m, State *s, guint t) {
  for (guint i = 0; m->reduced && i < s->threads[t].n_requests; i++)
    if (s->threads[t].requests[i].kind == RSP_MAP_CLEAN && request_is_first (m, s, t, i)
        && request_is_idle (m, s, t, i)) {
      request_remove (s, t, i);
      return TRUE;
    }
  return FALSE;
}

static gboolean advance (Caches *m, State *s, guint t) {
  if (s->threads[t].flags & THREAD_FINISHED)
    return FALSE;
  if (advance_requests (m, s, t))
    return TRUE;
  if (s->threads[t].event == RSP_NO_EVENT)
    return begin_or_wait (m, s, t);
  const RspInstruction *instruction = thread_instruction (m, s, t);
  if (!instruction)
    return end_operation (s, t);
  switch (instruction->kind) {
  case RSP_MAP_FLU:
    return advance_flush (m, s, t, instruction);
  case RSP_MAP_INV:
    return advance_invalidation (m, s, t, instruction);
  case RSP_MAP_WAIT:
    if (request_is_awaited (m, s, t, instruction))
      return FALSE;
    thread_next (s, t);
    return TRUE;
  case RSP_MAP_CLEAN:
    return m->reduced && request_issue_write_back (m, s, t);
  case RSP_MAP_LOCK:
    count_wait (m, s, t, instruction);
    return FALSE;
  case RSP_MAP_UNLOCK:
    if (!m->reduced)
      return FALSE;
    lock_release (s, t);
    thread_next (s, t);
    caches_note (m, "%s: UNLOCK", m->program->threads[t].name);
    return TRUE;
  default:
    return instruction->kind <= RSP_MAP_READ_WRITE && advance_issue (m, s, t);
  }
}

/* ---- FIFOs ---- */

/* Will no thread outside the cache use the place any more? Then the time of its drain cannot be
 * observed. If accesses bypass a dirty line, no thread inside may use it either. */
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

static gboolean advance_entry (Caches *m, State *s, guint node, guint i) {
  guint8 entry = fifo_of (m, s, node)[i];
  if (entry & MARKER)
    cache_pop (m, s, node, i);
  else if (!line_at (m, s, node, entry)->dirty) {
    if (!cache_head_is_settled (m, s, node))
      return FALSE;
    cache_pop (m, s, node, i);
  } else if (m->lazy && is_private (m, s, node, entry) && !access_stops_drain (m, s, node, entry))
    cache_drain (m, s, node, i);
  else
    return FALSE;
  return TRUE;
}

static gboolean advance_fifo (Caches *m, State *s, guint node) {
  for (guint i = 0; m->reduced && i < cache_n_drainable (m, s, node); i++)
    if (advance_entry (m, s, node, i))
      return TRUE;
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
      while (advance (m, s, t))
        again = TRUE;
  }
  caches_tidy (m, s);
}
