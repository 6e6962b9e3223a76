#include "machine/caches/states/progress.h"
#include "machine/caches/codec.h"

enum {
  MOST_STAGES = 2 * 256 + 2 /* of an operation: two per instruction (a FLU has two, an access that
                             * is counted ends as a request), plus its beginning and end */
};

static guint64 thread_progress (const Thread *thread) {
  guint64 stages = (guint64) __builtin_popcountll (thread->done) * MOST_STAGES;
  if (thread->event != RSP_NO_EVENT)
    stages += 1 + 2 * (guint64) thread->at + !!(thread->flags & THREAD_PUT);
  return stages + !!(thread->flags & THREAD_FINISHED) + MOST_REQUESTS - thread->n_requests;
}

/* The number of levels that the entries of FIFOs still have to move. */
static guint64 pending_drains (const Caches *m, const State *s) {
  guint64 pending = 0;
  for (guint node = 1; node < m->n_nodes; node++)
    pending += (guint64) s->n_fifos[node] * (m->shape.kept - shape_node (&m->shape, node)->level);
  return pending;
}

/* A stage of a thread adds at most one entry to each FIFO; everything else drains or removes one.
 */
guint64 caches_progress (gpointer data, RspBytes bytes) {
  Caches *m = data;
  State *s = m->scratch->pdata[1];
  guint64 stages = 0, most_added = (guint64) m->n_nodes * MOST_LEVELS + 1;
  guint64 most_pending = (guint64) m->n_nodes * m->capacity * MOST_LEVELS;
  caches_decode (m, bytes, s);
  for (guint t = 0; t < m->n_threads; t++)
    stages += thread_progress (&s->threads[t]);
  return stages * most_added + most_pending - pending_drains (m, s);
}
