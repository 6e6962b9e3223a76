/* Invariants of machines made of caches. */
#include "machine/caches/states/invariant.h"
#include "machine/caches/codec.h"
#include "parser/scopes.h"

static gboolean is_dirty_unqueued (const Caches *m, const State *s, guint node, guint place) {
  return line_at (m, s, node, place)->dirty && !fifo_has (m, s, node, (guint8) place);
}

static gboolean shares_lock (const Caches *m, const State *s, guint t, guint u) {
  const Thread *a = &s->threads[t], *b = &s->threads[u];
  gboolean meet
      = rsp_threads_share (&m->program->threads[t], &m->program->threads[u], RSP_LEVEL_DEVICE)
        || ((a->flags | b->flags) & THREAD_EVERY);
  return meet
         && (((a->flags & THREAD_LINE) && (b->flags & THREAD_LINE) && a->place == b->place)
             || ((a->flags & THREAD_RMWS) && (b->flags & THREAD_RMWS)));
}

const char *caches_violated (gpointer data, RspBytes bytes) {
  Caches *m = data;
  State *s = m->scratch->pdata[1];
  caches_decode (m, bytes, s);
  for (guint place = 0; place < m->n_places; place++) {
    if (!line_at (m, s, MEMORY, place)->mask)
      return "global memory holds every location";
    for (guint node = 1; node < m->n_nodes; node++) {
      if (is_dirty_unqueued (m, s, node, place))
        return "a dirty address is in its cache's FIFO";
      if (shape_is_buffer (&m->shape, node) && !line_at (m, s, node, place)->dirty
          && line_at (m, s, node, place)->mask)
        return "a buffer holds nothing but stores";
    }
  }
  for (guint t = 0; t < m->n_threads; t++)
    for (guint u = t + 1; u < m->n_threads; u++)
      if (shares_lock (m, s, t, u))
        return "a lock has one holder";
  return NULL;
}
