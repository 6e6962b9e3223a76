/* GLib's locks and pools as the thread sanitizer can follow them.
 *
 * GLib is not built with the sanitizer, and its locks are futexes behind atomic operations that it
 * does not see. These definitions, linked into the programs of SANITIZE=thread alone, come before
 * the library's: locks are pthread's, and pools are made of them, as is what is done once. */
#include <dlfcn.h>
#include <glib.h>
#include <pthread.h>

/* ---- Locks ---- */

static pthread_mutex_t *mutex_of (GMutex *mutex) {
  pthread_mutex_t *own = __atomic_load_n (&mutex->p, __ATOMIC_ACQUIRE);
  if (own)
    return own;
  pthread_mutex_t *fresh = g_new (pthread_mutex_t, 1);
  gpointer none = NULL;
  pthread_mutex_init (fresh, NULL);
  if (__atomic_compare_exchange_n (&mutex->p, &none, fresh, FALSE, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE))
    return fresh;
  pthread_mutex_destroy (fresh);
  g_free (fresh);
  return none;
}

void g_mutex_init (GMutex *mutex) { mutex->p = NULL; }

void g_mutex_clear (GMutex *mutex) {
  pthread_mutex_destroy (mutex_of (mutex));
  g_free (mutex->p);
}

void g_mutex_lock (GMutex *mutex) { pthread_mutex_lock (mutex_of (mutex)); }

void g_mutex_unlock (GMutex *mutex) { pthread_mutex_unlock (mutex_of (mutex)); }

static pthread_cond_t *cond_of (GCond *cond) {
  pthread_cond_t *own = __atomic_load_n (&cond->p, __ATOMIC_ACQUIRE);
  if (own)
    return own;
  pthread_condattr_t monotonic;
  pthread_condattr_init (&monotonic);
  pthread_condattr_setclock (&monotonic, CLOCK_MONOTONIC);
  pthread_cond_t *fresh = g_new (pthread_cond_t, 1);
  gpointer none = NULL;
  pthread_cond_init (fresh, &monotonic);
  pthread_condattr_destroy (&monotonic);
  if (__atomic_compare_exchange_n (&cond->p, &none, fresh, FALSE, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE))
    return fresh;
  pthread_cond_destroy (fresh);
  g_free (fresh);
  return none;
}

void g_cond_init (GCond *cond) { cond->p = NULL; }

void g_cond_clear (GCond *cond) {
  pthread_cond_destroy (cond_of (cond));
  g_free (cond_of (cond));
}

void g_cond_wait (GCond *cond, GMutex *mutex) {
  pthread_cond_wait (cond_of (cond), mutex_of (mutex));
}

gboolean g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end) {
  struct timespec when = { .tv_sec = end / G_USEC_PER_SEC, .tv_nsec = end % G_USEC_PER_SEC * 1000 };
  return pthread_cond_timedwait (cond_of (cond), mutex_of (mutex), &when) == 0;
}

void g_cond_signal (GCond *cond) { pthread_cond_signal (cond_of (cond)); }

void g_cond_broadcast (GCond *cond) { pthread_cond_broadcast (cond_of (cond)); }

/* ---- What is done once ---- */

static pthread_mutex_t once_lock
    = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; /* one may need another */

/* The macro reads the status with an acquiring load. */
gpointer g_once_impl (GOnce *once, GThreadFunc function, gpointer data) {
  pthread_mutex_lock (&once_lock);
  if (once->status != G_ONCE_STATUS_READY) {
    once->retval = function (data);
    __atomic_store_n (&once->status, G_ONCE_STATUS_READY, __ATOMIC_RELEASE);
  }
  gpointer result = once->retval;
  pthread_mutex_unlock (&once_lock);
  return result;
}

/* TRUE: the caller begins it, and holds the lock until it leaves. */
gboolean (g_once_init_enter) (volatile void *location) {
  gsize *value = (gsize *) location;
  pthread_mutex_lock (&once_lock);
  if (!__atomic_load_n (value, __ATOMIC_ACQUIRE))
    return TRUE;
  pthread_mutex_unlock (&once_lock);
  return FALSE;
}

void (g_once_init_leave) (volatile void *location, gsize result) {
  gsize *value = (gsize *) location;
  __atomic_store_n (value, result, __ATOMIC_RELEASE);
  pthread_mutex_unlock (&once_lock);
}

/* Strings that are stored once are written by the thread that comes first. */
const char *g_intern_string (const char *text) {
  const char *(*real) (const char *)
      = (const char *(*) (const char *) ) dlsym (RTLD_NEXT, "g_intern_string");
  pthread_mutex_lock (&once_lock);
  const char *result = real (text);
  pthread_mutex_unlock (&once_lock);
  return result;
}

/* ---- Pools ---- */

typedef struct Pool {
  GThreadPool base;
  pthread_mutex_t lock;
  pthread_cond_t more;
  GQueue tasks;
  pthread_t *threads;
  guint n_threads, max_threads;
  gboolean ended;
} Pool;

static void *work (void *data) {
  Pool *pool = data;
  pthread_mutex_lock (&pool->lock);
  for (;;) {
    gpointer task = g_queue_pop_head (&pool->tasks);
    if (task) {
      pthread_mutex_unlock (&pool->lock);
      pool->base.func (task, pool->base.user_data);
      pthread_mutex_lock (&pool->lock);
    } else if (pool->ended)
      break;
    else
      pthread_cond_wait (&pool->more, &pool->lock);
  }
  pthread_mutex_unlock (&pool->lock);
  return NULL;
}

GThreadPool *g_thread_pool_new (GFunc function, gpointer data, gint threads, gboolean exclusive,
                                GError **error) {
  (void) error;
  Pool *pool = g_new0 (Pool, 1);
  pool->base = (GThreadPool){ function, data, exclusive };
  pool->max_threads = (guint) threads;
  pool->threads = g_new (pthread_t, threads);
  pthread_mutex_init (&pool->lock, NULL);
  pthread_cond_init (&pool->more, NULL);
  return &pool->base;
}

gboolean g_thread_pool_push (GThreadPool *base, gpointer task, GError **error) {
  (void) error;
  Pool *pool = (Pool *) base;
  pthread_mutex_lock (&pool->lock);
  g_queue_push_tail (&pool->tasks, task);
  if (pool->n_threads < pool->max_threads)
    pthread_create (&pool->threads[pool->n_threads++], NULL, work, pool);
  pthread_cond_signal (&pool->more);
  pthread_mutex_unlock (&pool->lock);
  return TRUE;
}

guint g_thread_pool_unprocessed (GThreadPool *base) {
  Pool *pool = (Pool *) base;
  pthread_mutex_lock (&pool->lock);
  guint n = g_queue_get_length (&pool->tasks);
  pthread_mutex_unlock (&pool->lock);
  return n;
}

void g_thread_pool_free (GThreadPool *base, gboolean immediate, gboolean wait) {
  (void) immediate, (void) wait; /* all that we free are waited for to the end */
  Pool *pool = (Pool *) base;
  pthread_mutex_lock (&pool->lock);
  pool->ended = TRUE;
  pthread_cond_broadcast (&pool->more);
  pthread_mutex_unlock (&pool->lock);
  for (guint i = 0; i < pool->n_threads; i++)
    pthread_join (pool->threads[i], NULL);
  pthread_mutex_destroy (&pool->lock);
  pthread_cond_destroy (&pool->more);
  g_free (pool->threads);
  g_free (pool);
}
