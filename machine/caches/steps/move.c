/* FLU and INV: whole caches. */
#include "machine/caches/steps/move.h"
#include "machine/caches/cache.h"
#include "machine/caches/steps/thread.h"

/* Does a fence under the reading `fence=order` leave this instruction out? */
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

gboolean move_each (Caches *m, State *s, guint thread, const RspInstruction *instruction,
                    NodeVisit visit) {
  RspMapReach reach = instruction->reach;
  if (reach == RSP_MAP_ALL && m->readings.all_reach == ALL_DEVICE)
    reach = RSP_MAP_DEVICE;
  if (is_left_out (m, s, thread, instruction))
    return TRUE;
  for (guint node = 1; node < m->n_nodes; node++) {
    const Node *at = shape_node (&m->shape, node);
    gboolean own = shape_own (&m->shape, thread, at->level) == node;
    gboolean meant = reach == RSP_MAP_OWN ? own
                     : reach == RSP_MAP_DEVICE
                         ? at->device == m->program->threads[thread].place[RSP_LEVEL_DEVICE]
                         : TRUE;
    if (at->level == instruction->level && meant && !visit (m, s, node, thread))
      return FALSE;
  }
  return TRUE;
}

/* A marker at the head of its FIFO has nothing to wait for. */
static gboolean put_marker (Caches *m, State *s, guint node, guint thread) {
  if (s->n_fifos[node])
    fifo_of (m, s, node)[s->n_fifos[node]++] = (guint8) (MARKER | thread);
  return TRUE;
}

void move_flush (Caches *m, State *s, guint thread, const RspInstruction *instruction) {
  move_each (m, s, thread, instruction, put_marker);
  s->threads[thread].flags |= THREAD_PUT;
  m->bill.n[instruction->reach == RSP_MAP_OWN ? RSP_BILL_FLUSH_OWN : RSP_BILL_FLUSH_ALL]++;
  caches_note (m, "%s: FLU %s %s", m->program->threads[thread].name,
               m->shape.machine->levels[instruction->level].name,
               ((const char *[]){ "own", "device", "all" })[instruction->reach]);
}

static gboolean invalidate (Caches *m, State *s, guint node, guint thread) {
  (void) thread;
  cache_invalidate (m, s, node);
  return TRUE;
}

void move_invalidate (Caches *m, State *s, guint thread, const RspInstruction *instruction) {
  move_each (m, s, thread, instruction, invalidate);
  m->bill.n[instruction->reach == RSP_MAP_OWN ? RSP_BILL_INV_OWN : RSP_BILL_INV_ALL]++;
  caches_note (m, "%s: INV %s %s", m->program->threads[thread].name,
               m->shape.machine->levels[instruction->level].name,
               ((const char *[]){ "own", "device", "all" })[instruction->reach]);
}

static gboolean is_untouched (Caches *m, State *s, guint node, guint thread) {
  (void) thread;
  return !cache_invalidate_matters (m, s, node);
}

gboolean move_invalidate_matters (Caches *m, State *s, guint thread,
                                  const RspInstruction *instruction) {
  return !move_each (m, s, thread, instruction, is_untouched);
}
