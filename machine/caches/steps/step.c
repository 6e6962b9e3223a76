/* The successors of a state. */
#include "machine/caches/steps/step.h"
#include "machine/caches/steps/access.h"
#include "machine/caches/cache.h"
#include "machine/caches/codec.h"
#include "machine/caches/lock.h"
#include "machine/caches/steps/move.h"
#include "machine/caches/steps/request.h"
#include "machine/caches/steps/settle.h"
#include "machine/caches/steps/thread.h"

/* Adds a successor: s, settled. */
static void finish (Caches *m, State *s) {
  RspBill before = m->bill;
  caches_settle (m, s);
  if (m->log && rsp_successors_count (m->successors) == m->traced)
    g_string_append (m->trace, m->log->str);
  caches_encode (m, s, m->successors->bytes);
  rsp_successors_add (m->successors, &m->bill);
  m->bill = before;
}

/* ---- Threads ---- */

static void run_instruction (Caches *m, const State *s, guint thread);

/* Completes an instruction; the next one follows in the same step if they are joined. */
static void go_on (Caches *m, State *s, guint thread) {
  const Thread *at = &s->threads[thread];
  if (rsp_code (m->codes, at->code)->instructions[at->at - 1].joined)
    run_instruction (m, s, thread);
  else
    finish (m, s);
}

static void run_lock (Caches *m, State *s, guint thread, const RspInstruction *instruction) {
  if (!lock_is_free (m, s, thread, instruction))
    return;
  lock_take (m, s, thread, instruction);
  thread_next (s, thread);
  gboolean line = instruction->locks & RSP_MAP_LINE, rmws = instruction->locks & RSP_MAP_RMWS;
  gboolean sync = instruction->locks & RSP_MAP_SYNC;
  caches_note (m, "%s: LOCK %s%s%s%s", m->program->threads[thread].name,
               line ? place_name (m, s->threads[thread].place) : "", line && rmws ? ", " : "",
               sync   ? "sync"
               : rmws ? "rmw"
                      : "",
               instruction->reach == RSP_MAP_ALL ? " all" : "");
  go_on (m, s, thread);
}

static void run_other (Caches *m, State *s, guint thread, const RspInstruction *instruction) {
  switch (instruction->kind) {
  case RSP_MAP_FLU:
    move_flush (m, s, thread, instruction);
    finish (m, s);
    break;
  case RSP_MAP_INV:
    move_invalidate (m, s, thread, instruction);
    thread_next (s, thread);
    go_on (m, s, thread);
    break;
  case RSP_MAP_LOCK:
    run_lock (m, s, thread, instruction);
    break;
  case RSP_MAP_LD:
  case RSP_MAP_ST:
  case RSP_MAP_READ_WRITE:
    caches_note (m, "%s: issues the access of %s", m->program->threads[thread].name,
                 place_name (m, s->threads[thread].place));
    access_issue (m, s, thread);
    finish (m, s);
    break;
  case RSP_MAP_CLEAN:
    if (request_issue_write_back (m, s, thread))
      finish (m, s);
    break;
  default:
    lock_release (s, thread);
    thread_next (s, thread);
    caches_note (m, "%s: UNLOCK", m->program->threads[thread].name);
    finish (m, s);
  }
}

static void run_instruction (Caches *m, const State *from, guint thread) {
  const RspInstruction *instruction = thread_instruction (m, from, thread);
  if (!instruction || (from->threads[thread].flags & THREAD_PUT))
    return;
  if (instruction->kind <= RSP_MAP_READ_WRITE && !m->counted) {
    access_expand (m, from, thread, go_on);
    return;
  }
  if (instruction->kind == RSP_MAP_WAIT
      || (instruction->kind <= RSP_MAP_READ_WRITE && !access_can_issue (m, from, thread)))
    return;
  RspBill before = m->bill;
  gsize length = m->log ? m->log->len : 0;
  State *s = caches_push (m, from);
  run_other (m, s, thread, instruction);
  caches_pop (m);
  m->bill = before;
  if (m->log)
    g_string_truncate (m->log, length);
}

static void begin_one_of (Caches *m, const State *from, guint thread) {
  const RspOutlook *outlook = thread_choices (m, from, thread);
  for (guint i = 0; outlook->n_operations > 1 && i < outlook->n_operations; i++)
    if (thread_can_begin (m, from, thread, &outlook->operations[i])) {
      State *s = caches_push (m, from);
      thread_begin (m, s, thread, &outlook->operations[i]);
      finish (m, s);
      caches_pop (m);
    }
}

static void end_request (Caches *m, State *s, guint thread) {
  (void) thread;
  finish (m, s);
}

static void run_write_back (Caches *m, const State *from, guint thread, guint i) {
  RspBill before = m->bill;
  gsize length = m->log ? m->log->len : 0;
  State *s = caches_push (m, from);
  request_write_back (m, s, thread, i);
  finish (m, s);
  caches_pop (m);
  m->bill = before;
  if (m->log)
    g_string_truncate (m->log, length);
}

/* settled: only one whose value nothing can change any more. Has it been run? */
static gboolean run_requests (Caches *m, const State *s, guint thread, gboolean settled) {
  for (guint i = 0; i < s->threads[thread].n_requests; i++) {
    gboolean is_write_back = s->threads[thread].requests[i].kind == RSP_MAP_CLEAN;
    if (is_write_back && !settled && request_is_first (m, s, thread, i))
      run_write_back (m, s, thread, i);
    if (request_expand (m, s, thread, i, settled, end_request) && settled)
      return TRUE;
  }
  return FALSE;
}

static void run_thread (Caches *m, const State *s, guint thread) {
  if (s->threads[thread].flags & THREAD_FINISHED)
    return;
  if (s->threads[thread].event == RSP_NO_EVENT)
    begin_one_of (m, s, thread);
  else
    run_instruction (m, s, thread);
}

/* ---- Caches ---- */

static void run_fifo (Caches *m, const State *from, guint node, guint i) {
  guint8 head = fifo_of (m, from, node)[i];
  gboolean dirty = !(head & MARKER) && line_at (m, from, node, head)->dirty;
  if (dirty && access_stops_drain (m, from, node, head))
    return;
  RspBill before = m->bill;
  gsize length = m->log ? m->log->len : 0;
  State *s = caches_push (m, from);
  if (dirty)
    cache_drain (m, s, node, i);
  else {
    cache_pop (m, s, node, i);
    caches_note (m, "%s: head of the FIFO goes", shape_node (&m->shape, node)->name);
  }
  finish (m, s);
  caches_pop (m);
  m->bill = before;
  if (m->log)
    g_string_truncate (m->log, length);
}

/* Without reduction: a clean copy is fetched or evicted. */
static void run_copy (Caches *m, const State *from, guint node, guint place, guint64 loads) {
  const Line *line = line_at (m, from, node, place);
  guint outside = shape_node (&m->shape, node)->parent;
  guint32 mask = line->mask ? 0 : line_at (m, from, outside, place)->mask;
  if (line->dirty || line->mask == mask || !(loads & place_bit (place))
      || shape_is_buffer (&m->shape, node) || (mask && lock_stops_fetch (m, from, node, place)))
    return;
  State *s = caches_push (m, from);
  line_at (m, s, node, place)->mask = mask;
  finish (m, s);
  caches_pop (m);
}

static void run_copies (Caches *m, const State *s, guint node) {
  guint64 loads = 0;
  for (guint t = 0; t < m->n_threads; t++)
    if (shape_own (&m->shape, t, shape_node (&m->shape, node)->level) == node)
      loads |= thread_outlook (m, s, t)->loads;
  for (guint place = 0; place < m->n_places; place++)
    if (!(m->local & place_bit (place)))
      run_copy (m, s, node, place, loads);
}

/* ---- The whole ---- */

static RspEnd find_end (const Caches *m, const State *s) {
  gboolean finished = TRUE, inside = FALSE;
  for (guint t = 0; t < m->n_threads; t++) {
    if (s->threads[t].flags & THREAD_LEFT)
      return RSP_END_LEFT;
    finished &= (s->threads[t].flags & THREAD_FINISHED) != 0;
    inside |= s->threads[t].event != RSP_NO_EVENT;
  }
  gboolean drained = TRUE;
  for (guint node = 1; node < m->n_nodes; node++)
    drained &= s->n_fifos[node] == 0;
  if (finished && drained)
    return RSP_END_FINAL;
  /* Waiting at a barrier that others never reach is the program's fault, not a deadlock of the
   * machine. */
  return inside || finished ? RSP_END_STUCK : RSP_END_LEFT;
}

static void expand (Caches *m, const State *s) {
  for (guint t = 0; t < m->n_threads && m->lazy && m->reduced; t++)
    if (access_is_settled (m, s, t)) {
      run_thread (m, s, t);
      return;
    } else if (run_requests (m, s, t, TRUE))
      return;
  for (guint t = 0; t < m->n_threads; t++) {
    run_thread (m, s, t);
    run_requests (m, s, t, FALSE);
  }
  for (guint node = 1; node < m->n_nodes; node++) {
    for (guint i = 0; i < cache_n_drainable (m, s, node); i++)
      run_fifo (m, s, node, i);
    if (!m->lazy && m->readings.fetch == FETCH_ANY)
      run_copies (m, s, node);
  }
}

RspEnd caches_expand (gpointer data, RspBytes bytes, RspSuccessors *successors) {
  Caches *m = data;
  m->successors = successors;
  m->bill = (RspBill){ { 0 } };
  State *s = m->scratch->pdata[0];
  m->depth = 1;
  caches_decode (m, bytes, s);
  RspEnd end = find_end (m, s);
  if (end == RSP_END_FINAL || (end == RSP_END_LEFT && m->n_threads == 0))
    return end;
  for (guint t = 0; t < m->n_threads; t++)
    if (s->threads[t].flags & THREAD_LEFT)
      return RSP_END_LEFT;
  expand (m, s);
  return rsp_successors_count (successors) ? RSP_END_NONE : end;
}
