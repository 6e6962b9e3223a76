/* Workers: checks in processes of their own, signals, and what a crash leaves. */
#include "cli/internal.h"
#include "cli/workers.h"

#include <glib.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* ---- Signals -------------------------------------------------------------------------------- */

gboolean cli_signal_is_ignored (int number) {
  struct sigaction action;
  return sigaction (number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

const int cli_ending_signals[CLI_N_ENDING] = { SIGINT, SIGTERM, SIGHUP };

void cli_signals_hold (CliSignals *signals) {
  sigemptyset (&signals->held);
  for (guint i = 0; i < CLI_N_ENDING; i++)
    if (!cli_signal_is_ignored (cli_ending_signals[i]))
      sigaddset (&signals->held, cli_ending_signals[i]);
  pthread_sigmask (SIG_BLOCK, &signals->held, &signals->before);
}

int cli_signals_arrived (const CliSignals *signals) {
  struct timespec at_once = { 0, 0 };
  int number = sigtimedwait (&signals->held, NULL, &at_once);
  return MAX (number, 0);
}

int cli_signal_held (void) {
  sigset_t held;
  sigpending (&held);
  for (guint i = 0; i < CLI_N_ENDING; i++)
    if (sigismember (&held, cli_ending_signals[i]))
      return cli_ending_signals[i];
  return 0;
}

void cli_signals_release (const CliSignals *signals) {
  pthread_sigmask (SIG_SETMASK, &signals->before, NULL);
}

void cli_signals_die (int number) {
  sigset_t one;
  sigemptyset (&one);
  sigaddset (&one, number);
  signal (number, SIG_DFL);
  raise (number);
  pthread_sigmask (SIG_UNBLOCK, &one, NULL);
  _Exit (128 + number);
}

/* ---- Faults --------------------------------------------------------------------------------- */

/* Failed assertions: one in the thread of a test costs only that test's result. The thread sleeps
 * for ever, since nothing that it held can be trusted; its memory is not freed. */

/* A signal's handler reaches only what is static. */
static struct sigaction faults_before;

static GPrintFunc print_before;

static pthread_t catcher;

static gint fatal; /* atomic */

static _Thread_local gint
    *own_place; /* atomic; TRUE if an assertion fails in the thread; or NULL */

static void on_abort (int number) {
  if (pthread_equal (pthread_self (), catcher)) {
    sigaction (number, &faults_before, NULL);
    return; /* to abort, which raises the signal again */
  }
  g_atomic_int_set (own_place ? own_place : &fatal, TRUE);
  for (;;)
    pause ();
}

/* GLib reports a failed assertion twice: on standard error, and in a test runner's manner on
 * standard output, among our results. */
static void drop_text (const char *text) { (void) text; }

/* Has an assertion failed in a thread without own_place, such as a helper of a test's thread? */
static gboolean is_fault_fatal (void) { return g_atomic_int_get (&fatal); }

/* ---- Workers -------------------------------------------------------------------------------- */

enum {
  TICK_MICROSECONDS = 200000,
  SIGNAL_MICROSECONDS = 2000 /* between two signals to the caller: small tests take less */
};

typedef struct Crew Crew;

typedef struct Worker {
  Crew *crew;
  GThread *thread; /* NULL: none, or lost */
  gint failed;     /* atomic; an assertion has ended it */
  gboolean busy;
  guint input;
  gint64 since;
} Worker;

struct Crew {
  CliWork work;
  guint n, n_threads;
  GMutex lock;       /* guards everything below */
  GCond made, room;  /* a result is available; there is room for more */
  gpointer *results; /* NULL: not made yet, or taken */
  guint next, taken; /* the first inputs that are not begun, not taken */
  guint done;        /* how many results were made */
  gsize waiting;     /* bytes of results that are not taken */
  gboolean ended;    /* begin nothing more */
  gint64 last_tick, last_signal;
  Worker *workers;
  guint n_lost; /* workers that a failed assertion has ended */
  Crew *before; /* abandoned earlier */
};
static Crew *abandoned; /* for checkers of leaks: their threads may use them until the end */

/* ---- The threads ---- */
/* The caller takes results when it is signalled, or at its next tick. */
static void signal_made (Crew *crew, gint64 now) {
  crew->last_signal = now;
  g_cond_signal (&crew->made);
}

/* The next input. FALSE if there are no more. The one that the caller waits for is always
 * among those begun, so waiting for room ends. */
static gboolean begin_input (Crew *crew, Worker *worker) {
  while (!crew->ended && crew->next < crew->n && crew->next > crew->taken
         && crew->waiting > crew->work.most_waiting) {
    signal_made (crew, g_get_monotonic_time ());
    g_cond_wait (&crew->room, &crew->lock);
  }
  if (crew->ended || crew->next >= crew->n)
    return FALSE;
  worker->input = crew->next++;
  worker->busy = TRUE;
  worker->since = g_get_monotonic_time ();
  return TRUE;
}

static void end_input (Crew *crew, guint input, gpointer result) {
  crew->results[input] = result;
  crew->waiting += crew->work.size (result);
  crew->done++;
  gint64 now = g_get_monotonic_time ();
  if (crew->done == crew->n || crew->ended || now - crew->last_signal >= SIGNAL_MICROSECONDS)
    signal_made (crew, now);
}

static gpointer work (gpointer data) {
  Worker *worker = data;
  Crew *crew = worker->crew;
  own_place = &worker->failed;
  g_mutex_lock (&crew->lock);
  while (begin_input (crew, worker)) {
    g_mutex_unlock (&crew->lock);
    gpointer result = crew->work.make (crew->work.data, worker->input);
    g_mutex_lock (&crew->lock);
    worker->busy = FALSE;
    end_input (crew, worker->input, result);
  }
  g_mutex_unlock (&crew->lock);
  return NULL;
}

static gboolean begin_worker (Crew *crew, Worker *worker) {
  *worker = (Worker){ .crew = crew };
  worker->thread = g_thread_try_new ("check", work, worker, NULL);
  return worker->thread != NULL;
}

/* ---- The caller ---- */
static CliWorkView view (const Crew *crew) {
  CliWorkView view = { .n = crew->n, .done = crew->done };
  for (guint i = 0; i < crew->n_threads; i++) {
    const Worker *worker = &crew->workers[i];
    if (worker->busy && (!view.busy || worker->since < view.since)) {
      view.busy = TRUE;
      view.oldest = worker->input;
      view.since = worker->since;
    }
  }
  return view;
}

/* FALSE if the work must end. Called with the lock held, which is released meanwhile. */
static gboolean tick (Crew *crew) {
  gint64 now = g_get_monotonic_time ();
  if (now - crew->last_tick < TICK_MICROSECONDS)
    return TRUE;
  crew->last_tick = now;
  /* Inputs on which workers failed get a result, and each of these workers a successor. */
  for (guint i = 0; i < crew->n_threads; i++) {
    Worker *worker = &crew->workers[i];
    if (!g_atomic_int_get (&worker->failed))
      continue;
    guint input = worker->input;
    g_thread_unref (worker->thread);
    crew->n_lost++;
    crew->workers[i] = (Worker){ .crew = crew };
    end_input (crew, input, crew->work.fail (crew->work.data, input));
    begin_worker (crew, &crew->workers[i]);
  }
  CliWorkView seen = view (crew);
  g_mutex_unlock (&crew->lock);
  gboolean going = !crew->work.tick || crew->work.tick (crew->work.data, &seen);
  g_mutex_lock (&crew->lock);
  return going && !is_fault_fatal ();
}

/* Takes the result of input i, which is available. FALSE if that ends the work. */
static gboolean take_result (Crew *crew, guint i) {
  gpointer result = g_steal_pointer (&crew->results[i]);
  crew->waiting -= crew->work.size (result);
  crew->taken = i + 1;
  g_cond_broadcast (&crew->room);
  g_mutex_unlock (&crew->lock);
  gboolean going = crew->work.take (crew->work.data, i, result);
  g_mutex_lock (&crew->lock);
  return going;
}

static CliWorkEnd take_all (Crew *crew) {
  for (guint i = 0; i < crew->n; i++) {
    gboolean going;
    while ((going = tick (crew)) && !crew->results[i])
      g_cond_wait_until (&crew->made, &crew->lock, g_get_monotonic_time () + TICK_MICROSECONDS);
    if (!going) /* also if results are waiting: a signal is noticed once */
      return is_fault_fatal () ? CLI_WORK_FAILED : CLI_WORK_INTERRUPTED;
    if (!take_result (crew, i))
      return CLI_WORK_ENDED;
  }
  return CLI_WORK_DONE;
}

/* The system provides no thread: the caller also does the work, and can tick only between
 * inputs. */
static CliWorkEnd work_alone (Crew *crew) {
  for (guint i = 0; i < crew->n; i++) {
    if (!tick (crew))
      return CLI_WORK_INTERRUPTED;
    g_mutex_unlock (&crew->lock);
    gpointer result = crew->work.make (crew->work.data, i);
    g_mutex_lock (&crew->lock);
    end_input (crew, i, result);
    if (!take_result (crew, i))
      return CLI_WORK_ENDED;
  }
  return CLI_WORK_DONE;
}

/* ---- Both ---- */
/* Can the worker no longer end by itself? */
static gboolean is_lost (const Worker *worker) {
  return !worker->thread || g_atomic_int_get (&worker->failed)
         || (worker->busy && is_fault_fatal ());
}

/* Waits for the workers, except those held by a failed assertion, which keep the crew. Called with
 * the lock held, which is released. */
static void end_workers (Crew *crew) {
  gboolean lost = crew->n_lost > 0;
  for (guint i = 0; i < crew->n_threads; i++)
    while (crew->workers[i].busy && !is_lost (&crew->workers[i]))
      g_cond_wait_until (&crew->made, &crew->lock, g_get_monotonic_time () + TICK_MICROSECONDS);
  g_mutex_unlock (&crew->lock);
  for (guint i = 0; i < crew->n_threads; i++)
    if (!is_lost (&crew->workers[i]))
      g_thread_join (crew->workers[i].thread);
    else
      lost |= crew->workers[i].thread != NULL;
  if (lost)
    return;
  for (guint i = 0; i < crew->n; i++)
    if (crew->results[i])
      crew->work.drop (crew->results[i]);
  g_free (crew->results);
  g_free (crew->workers);
  g_mutex_clear (&crew->lock);
  g_cond_clear (&crew->made);
  g_cond_clear (&crew->room);
  g_free (crew);
}
/* Even a single job runs in a thread of its own, so that the caller can tick. */
CliWorkEnd cli_workers_run (const CliWork *own, guint jobs, guint n) {
  Crew *crew = g_new0 (Crew, 1);
  crew->work = *own;
  crew->n = n;
  crew->n_threads = MIN (MAX (jobs, 1), n);
  crew->results = g_new0 (gpointer, n);
  crew->workers = g_new0 (Worker, crew->n_threads);
  g_mutex_init (&crew->lock);
  g_cond_init (&crew->made);
  g_cond_init (&crew->room);
  /* Catches failed assertions in all threads but the caller's. Cannot be nested. */
  struct sigaction action = { .sa_handler = on_abort };
  sigemptyset (&action.sa_mask);
  catcher = pthread_self ();
  g_atomic_int_set (&fatal, FALSE);
  sigaction (SIGABRT, &action, &faults_before);
  print_before = g_set_print_handler (drop_text);
  g_mutex_lock (&crew->lock);
  guint begun = 0; /* as many threads as the system provides, up to the number requested */
  while (begun < crew->n_threads && begin_worker (crew, &crew->workers[begun]))
    begun++;
  crew->last_tick = g_get_monotonic_time ();
  CliWorkEnd end = begun || !n ? take_all (crew) : work_alone (crew);
  crew->ended = TRUE;
  g_cond_broadcast (&crew->room);
  if (end == CLI_WORK_INTERRUPTED || end == CLI_WORK_FAILED) {
    /* Take all results that are made. */
    gboolean going = TRUE;
    for (guint i = crew->taken; i < crew->n && going; i++)
      if (crew->results[i])
        going = take_result (crew, i);
    crew->before = abandoned;
    abandoned = crew;
    g_mutex_unlock (&crew->lock);
  } else
    end_workers (crew);
  sigaction (SIGABRT, &faults_before, NULL);
  g_set_print_handler (print_before);
  return end;
}
