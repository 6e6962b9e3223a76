/* Time and memory of a check, and a pool of threads that share it. */
#include "base/base.h"

/* ---- Budget --------------------------------------------------------------------------------- */

gint64 rsp_deadline_in (double seconds) {
  return seconds > 0 ? g_get_monotonic_time () + (gint64) (seconds * 1e6) : 0;
}

char *rsp_size_format (gsize bytes) {
  static const char *const units[] = { "bytes", "KiB", "MiB" };
  guint unit = 0;
  for (; unit + 1 < G_N_ELEMENTS (units) && bytes && bytes % 1024 == 0; unit++)
    bytes /= 1024;
  return g_strdup_printf ("%" G_GSIZE_FORMAT " %s", bytes, units[unit]);
}

/* ---- Pool ----------------------------------------------------------------------------------- */

/* Tasks wait in a queue of our own; GLib's pool is only notified of each. If the system provides no
 * thread, a task in GLib's own queue would wait for ever, whereas the caller can take it from this
 * one. */

struct RspPool {
  GThreadPool *threads;
  GMutex lock; /* guards the following fields */
  GQueue tasks;
};

/* FALSE if no task is waiting. */
static gboolean run_one (RspPool *pool) {
  g_mutex_lock (&pool->lock);
  RspTask *task = g_queue_pop_head (&pool->tasks);
  g_mutex_unlock (&pool->lock);
  if (task)
    task->run (task);
  return task != NULL;
}

static void run_in_thread (gpointer data, gpointer user_data) {
  (void) data;
  run_one (user_data);
}

RspPool *rsp_pool_new (guint jobs) {
  RspPool *pool = g_new0 (RspPool, 1);
  g_mutex_init (&pool->lock);
  g_queue_init (&pool->tasks);
  pool->threads = g_thread_pool_new (run_in_thread, pool, (gint) MAX (jobs, 2) - 1, FALSE, NULL);
  return pool;
}

void rsp_pool_push (RspPool *pool, RspTask *task) {
  g_mutex_lock (&pool->lock);
  g_queue_push_tail (&pool->tasks, task);
  g_mutex_unlock (&pool->lock);
  g_thread_pool_push (pool->threads, pool, NULL); /* required not to be NULL; not used */
}

guint rsp_pool_waiting (RspPool *pool) {
  g_mutex_lock (&pool->lock);
  guint n = g_queue_get_length (&pool->tasks);
  g_mutex_unlock (&pool->lock);
  return n;
}

void rsp_pool_take_part (RspPool *pool) {
  while (run_one (pool))
    ;
}

void rsp_pool_free (RspPool *pool) {
  rsp_pool_take_part (pool);
  g_thread_pool_free (pool->threads, TRUE, TRUE);
  g_mutex_clear (&pool->lock);
  g_free (pool);
}
