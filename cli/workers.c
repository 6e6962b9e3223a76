#include "cli/workers.h"

enum
{
  WAIT_MILLISECONDS = 200
};

typedef struct Crew
{
  const CliWork *work;
  GMutex lock; /* guards results and ended */
  GCond made;
  gpointer *results; /* NULL: not made, or taken */
  gboolean ended;
} Crew;

/* The pool's function; an input travels as its number plus one, since NULL is no task. */
static void
make_one (gpointer task, gpointer data)
{
  Crew *crew = data;
  guint i = GPOINTER_TO_UINT (task) - 1;
  g_mutex_lock (&crew->lock);
  gboolean ended = crew->ended;
  g_mutex_unlock (&crew->lock);
  if (ended)
    return;
  gpointer result = crew->work->make (crew->work->data, i);
  g_mutex_lock (&crew->lock);
  crew->results[i] = result;
  g_cond_broadcast (&crew->made);
  g_mutex_unlock (&crew->lock);
}

static gpointer
wait_for (Crew *crew, guint i)
{
  const CliWork *work = crew->work;
  g_mutex_lock (&crew->lock);
  while (!crew->results[i])
    {
      gint64 until = g_get_monotonic_time () + WAIT_MILLISECONDS * G_TIME_SPAN_MILLISECOND;
      gboolean signalled = g_cond_wait_until (&crew->made, &crew->lock, until);
      if (signalled || !work->wait)
        continue;
      g_mutex_unlock (&crew->lock);
      work->wait (work->data);
      g_mutex_lock (&crew->lock);
    }
  gpointer result = g_steal_pointer (&crew->results[i]);
  g_mutex_unlock (&crew->lock);
  return result;
}

static gboolean
run_alone (const CliWork *work, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!work->take (work->data, i, work->make (work->data, i)))
      return FALSE;
  return TRUE;
}

gboolean
cli_workers_run (const CliWork *work, guint jobs, guint n)
{
  if (jobs < 2 || n < 2)
    return run_alone (work, n);
  Crew crew = { .work = work, .results = g_new0 (gpointer, n) };
  g_mutex_init (&crew.lock);
  g_cond_init (&crew.made);
  GThreadPool *pool = g_thread_pool_new (make_one, &crew, (gint) MIN (jobs, n), TRUE, NULL);
  for (guint i = 0; i < n; i++)
    g_thread_pool_push (pool, GUINT_TO_POINTER (i + 1), NULL);
  gboolean going = TRUE;
  for (guint i = 0; i < n && going; i++)
    going = work->take (work->data, i, wait_for (&crew, i));
  g_mutex_lock (&crew.lock);
  crew.ended = TRUE;
  g_mutex_unlock (&crew.lock);
  g_thread_pool_free (pool, FALSE, TRUE);
  for (guint i = 0; i < n; i++)
    if (crew.results[i])
      work->drop (crew.results[i]);
  g_free (crew.results);
  g_mutex_clear (&crew.lock);
  g_cond_clear (&crew.made);
  return going;
}
