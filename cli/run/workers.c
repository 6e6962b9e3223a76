#include "cli/run/workers.h"

enum
{
  TICK_MICROSECONDS = 200000
};

typedef struct Crew
{
  CliWork work;
  guint n, n_threads;
  GMutex lock;       /* guards all that follows */
  GCond made, room;  /* a result is there; there is room for more */
  gpointer *results; /* NULL: not made, or taken */
  guint next, taken; /* the first inputs that are not begun, not taken */
  guint done;        /* how many results were made */
  gsize waiting;     /* bytes of results that are not taken */
  gboolean ended;    /* nothing more is to be begun */
  gint64 last_tick;
  struct
  {
    gboolean busy;
    guint input;
    gint64 since;
  } * threads;
  guint n_begun; /* threads, to number them */
} Crew;

/* ---- The threads ---- */

/* The next input. FALSE when there is none any more. The one that the caller waits for is always
 * among those begun, so waiting for room ends. */
static gboolean
begin_input (Crew *crew, guint thread, guint *input)
{
  while (!crew->ended && crew->next < crew->n && crew->next > crew->taken
         && crew->waiting > crew->work.most_waiting)
    g_cond_wait (&crew->room, &crew->lock);
  if (crew->ended || crew->next >= crew->n)
    return FALSE;
  *input = crew->next++;
  crew->threads[thread].busy = TRUE;
  crew->threads[thread].input = *input;
  crew->threads[thread].since = g_get_monotonic_time ();
  return TRUE;
}

static void
end_input (Crew *crew, guint thread, guint input, gpointer result)
{
  crew->threads[thread].busy = FALSE;
  crew->results[input] = result;
  crew->waiting += crew->work.size (result);
  crew->done++;
  g_cond_signal (&crew->made);
}

static gpointer
work (gpointer data)
{
  Crew *crew = data;
  guint input;
  g_mutex_lock (&crew->lock);
  guint thread = crew->n_begun++;
  while (begin_input (crew, thread, &input))
    {
      g_mutex_unlock (&crew->lock);
      gpointer result = crew->work.make (crew->work.data, input);
      g_mutex_lock (&crew->lock);
      end_input (crew, thread, input, result);
    }
  g_mutex_unlock (&crew->lock);
  return NULL;
}

/* ---- The caller ---- */

static CliWorkView
view (const Crew *crew)
{
  CliWorkView view = { .n = crew->n, .done = crew->done };
  for (guint i = 0; i < crew->n_threads; i++)
    if (crew->threads[i].busy && (!view.busy || crew->threads[i].since < view.since))
      {
        view.busy = TRUE;
        view.oldest = crew->threads[i].input;
        view.since = crew->threads[i].since;
      }
  return view;
}

/* FALSE when the work is to end. Called with the lock held, which is free meanwhile. */
static gboolean
tick (Crew *crew)
{
  gint64 now = g_get_monotonic_time ();
  if (!crew->work.tick || now - crew->last_tick < TICK_MICROSECONDS)
    return TRUE;
  crew->last_tick = now;
  CliWorkView seen = view (crew);
  g_mutex_unlock (&crew->lock);
  gboolean going = crew->work.tick (crew->work.data, &seen);
  g_mutex_lock (&crew->lock);
  return going;
}

/* Takes the result of input i, which is there. FALSE when that ends the work. */
static gboolean
take_result (Crew *crew, guint i)
{
  gpointer result = g_steal_pointer (&crew->results[i]);
  crew->waiting -= crew->work.size (result);
  crew->taken = i + 1;
  g_cond_broadcast (&crew->room);
  g_mutex_unlock (&crew->lock);
  gboolean going = crew->work.take (crew->work.data, i, result);
  g_mutex_lock (&crew->lock);
  return going;
}

static CliWorkEnd
take_all (Crew *crew)
{
  for (guint i = 0; i < crew->n; i++)
    {
      while (tick (crew) && !crew->results[i])
        g_cond_wait_until (&crew->made, &crew->lock, g_get_monotonic_time () + TICK_MICROSECONDS);
      if (!crew->results[i])
        return CLI_WORK_INTERRUPTED;
      if (!take_result (crew, i))
        return CLI_WORK_ENDED;
    }
  return CLI_WORK_DONE;
}

/* Those of later inputs too. */
static void
take_rest (Crew *crew)
{
  gboolean going = TRUE;
  for (guint i = crew->taken; i < crew->n && going; i++)
    if (crew->results[i])
      going = take_result (crew, i);
}

/* The system gives no thread: the caller does the work too, and can tick between inputs only. */
static CliWorkEnd
work_alone (Crew *crew)
{
  for (guint i = 0; i < crew->n; i++)
    {
      if (!tick (crew))
        return CLI_WORK_INTERRUPTED;
      g_mutex_unlock (&crew->lock);
      gpointer result = crew->work.make (crew->work.data, i);
      g_mutex_lock (&crew->lock);
      end_input (crew, 0, i, result);
      if (!take_result (crew, i))
        return CLI_WORK_ENDED;
    }
  return CLI_WORK_DONE;
}

/* ---- Both ---- */

/* As many threads as the system gives, up to the number requested. */
static GPtrArray *
begin_threads (Crew *crew)
{
  GPtrArray *threads = g_ptr_array_new ();
  for (guint i = 0; i < crew->n_threads; i++)
    {
      GThread *thread = g_thread_try_new ("check", work, crew, NULL);
      if (!thread)
        break;
      g_ptr_array_add (threads, thread);
    }
  return threads;
}

static Crew *
crew_new (const CliWork *own, guint jobs, guint n)
{
  Crew *crew = g_new0 (Crew, 1);
  crew->work = *own;
  crew->n = n;
  crew->n_threads = MIN (MAX (jobs, 1), n);
  crew->results = g_new0 (gpointer, n);
  crew->threads = g_malloc0_n (crew->n_threads, sizeof *crew->threads);
  g_mutex_init (&crew->lock);
  g_cond_init (&crew->made);
  g_cond_init (&crew->room);
  return crew;
}

static void
crew_free (Crew *crew)
{
  for (guint i = 0; i < crew->n; i++)
    if (crew->results[i])
      crew->work.drop (crew->results[i]);
  g_free (crew->results);
  g_free (crew->threads);
  g_mutex_clear (&crew->lock);
  g_cond_clear (&crew->made);
  g_cond_clear (&crew->room);
  g_free (crew);
}

/* With one job too the work is in a thread of its own, so that the caller can tick. */
CliWorkEnd
cli_workers_run (const CliWork *own, guint jobs, guint n)
{
  Crew *crew = crew_new (own, jobs, n);
  g_autoptr (GPtrArray) threads = begin_threads (crew);
  g_mutex_lock (&crew->lock);
  crew->last_tick = g_get_monotonic_time ();
  CliWorkEnd end = threads->len || !n ? take_all (crew) : work_alone (crew);
  crew->ended = TRUE;
  g_cond_broadcast (&crew->room);
  if (end == CLI_WORK_INTERRUPTED)
    take_rest (crew);
  g_mutex_unlock (&crew->lock);
  if (end == CLI_WORK_INTERRUPTED)
    return end; /* the crew is its threads' */
  for (guint i = 0; i < threads->len; i++)
    g_thread_join (threads->pdata[i]);
  crew_free (crew);
  return end;
}
