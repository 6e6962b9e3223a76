/* Locks on lines and on the RMWs of work-groups. The flags of threads show who holds them. */
#include "machine/caches/lock.h"
#include "parser/scopes.h"

static gboolean covers (const Caches *m, const State *s, guint holder, guint device) {
  return (s->threads[holder].flags & THREAD_EVERY)
         || m->program->threads[holder].place[RSP_LEVEL_DEVICE] == device;
}

static gboolean is_every (const Caches *m, const RspInstruction *instruction) {
  return instruction->reach == RSP_MAP_ALL && m->readings.all_reach == ALL_MEMORY;
}

gboolean lock_is_free (const Caches *m, const State *s, guint thread,
                       const RspInstruction *instruction) {
  for (guint h = 0; h < m->n_threads; h++) {
    const Thread *holder = &s->threads[h];
    if (h == thread
        || !(is_every (m, instruction)
             || covers (m, s, h, m->program->threads[thread].place[RSP_LEVEL_DEVICE])))
      continue;
    if ((instruction->locks & RSP_MAP_RMWS) && (holder->flags & THREAD_RMWS))
      return FALSE;
    if ((instruction->locks & RSP_MAP_LINE) && (holder->flags & THREAD_LINE)
        && holder->place == s->threads[thread].place)
      return FALSE;
  }
  return TRUE;
}

void lock_take (const Caches *m, State *s, guint thread, const RspInstruction *instruction) {
  guint8 *flags = &s->threads[thread].flags;
  *flags |= instruction->locks & RSP_MAP_LINE ? THREAD_LINE : 0;
  *flags |= instruction->locks & RSP_MAP_RMWS ? THREAD_RMWS : 0;
  *flags |= is_every (m, instruction) ? THREAD_EVERY : 0;
  *flags &= (guint8) ~THREAD_WAITED;
}

void lock_release (State *s, guint thread) {
  s->threads[thread].flags &= (guint8) ~(THREAD_LINE | THREAD_RMWS | THREAD_EVERY);
}

static gboolean holds_line (const State *s, guint h, guint place) {
  return (s->threads[h].flags & THREAD_LINE) && s->threads[h].place == place;
}

gboolean lock_is_out (const Caches *m, const State *s, guint h, guint node, guint place) {
  const Node *at = shape_node (&m->shape, node);
  return holds_line (s, h, place) && covers (m, s, h, at->device)
         && !rsp_threads_share (&m->program->threads[h], &m->program->threads[at->first],
                                RSP_LEVEL_WORK_GROUP);
}

gboolean lock_stops_fetch (const Caches *m, const State *s, guint node, guint place) {
  for (guint h = 0; h < m->n_threads && shape_is_inner (&m->shape, node); h++)
    if (lock_is_out (m, s, h, node, place))
      return TRUE;
  return FALSE;
}

gboolean lock_stops_outer (const Caches *m, const State *s, guint thread, guint node, guint place) {
  for (guint h = 0; h < m->n_threads; h++)
    if (h != thread && holds_line (s, h, place)
        && !rsp_threads_share (&m->program->threads[h], &m->program->threads[thread],
                               RSP_LEVEL_WORK_GROUP)
        && (node == MEMORY || covers (m, s, h, shape_node (&m->shape, node)->device)))
      return TRUE;
  return FALSE;
}

gboolean lock_stops_rmw (const Caches *m, const State *s, guint thread) {
  for (guint h = 0; h < m->n_threads; h++)
    if (h != thread && (s->threads[h].flags & THREAD_RMWS)
        && covers (m, s, h, m->program->threads[thread].place[RSP_LEVEL_DEVICE]))
      return TRUE;
  return FALSE;
}

/* Is the lock that it holds one of `sync`? */
static gboolean holds_sync (const Caches *m, const State *s, guint h) {
  const RspCode *code = rsp_code (m->codes, s->threads[h].code);
  guint locks = 0;
  for (guint i = 0; (s->threads[h].flags & THREAD_RMWS) && i < s->threads[h].at; i++)
    locks = code->instructions[i].kind == RSP_MAP_LOCK ? code->instructions[i].locks : locks;
  return (locks & RSP_MAP_SYNC) != 0;
}

gboolean lock_stops_sync (const Caches *m, const State *s, guint thread) {
  for (guint h = 0; h < m->n_threads; h++)
    if (h != thread && holds_sync (m, s, h)
        && covers (m, s, h, m->program->threads[thread].place[RSP_LEVEL_DEVICE]))
      return TRUE;
  return FALSE;
}

gboolean lock_any_line (const Caches *m, const State *s) {
  for (guint h = 0; h < m->n_threads; h++)
    if (s->threads[h].flags & THREAD_LINE)
      return TRUE;
  return FALSE;
}
