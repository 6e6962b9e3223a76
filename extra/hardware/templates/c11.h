/* Tests on the host's processor: a thread of the system for each thread of the test, pinned, and
 * many instances that all of them go through in the same order, as litmus7 does (Alglave, Maranget,
 * Sarkar, Sewell: Litmus: running tests against hardware, TACAS 2011). */
#ifndef C11_H
#define C11_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/utsname.h>

#include "suite.h"

/* The first choice of each is the plain one.
 *   instances  of one round          step  distance between instances, in units
 *   skew       between locations     scatter  1: the order of instances is a permutation
 *   meet       most rounds that threads wait for each other before each instance
 *   delay      most rounds that a thread waits before it begins; rotate: which processor it has */
#define PARAMETERS                                                                                 \
  PARAMETER (instances, 1024, 256, 4096)                                                           \
  PARAMETER (step, 1, 4, 16, 32)                                                                   \
  PARAMETER (skew, 0, 16, 64, 1024)                                                                \
  PARAMETER (scatter, 0, 1)                                                                        \
  PARAMETER (meet, 0, 10, 100, 1000)                                                               \
  PARAMETER (delay, 0, 10, 100, 1000)                                                              \
  PARAMETER (rotate, 0, 1, 2, 3)
#include "parameters.h"

enum { MAX_INSTANCES = 4096, MAX_STEP = 32, MAX_SKEW = 1024 };

#define CONTEXT const context *
#define STATE   int64_t *
#define LINKAGE
#define BEGIN_LINKAGE
#define END_LINKAGE
#define CODE static inline
#define ROLE static __attribute__ ((noinline))

/* What the code of a test sees: one instance. */
typedef struct context {
  char *memory, *local;
  int64_t *results;
  atomic_uchar *truncated; /* per instance: a thread left a loop early */
  atomic_uint *arrived;    /* at barriers, per work-group and instance */
  unsigned instance, instances, step, skew, members;
} context;

CODE char *global_object (CONTEXT c, unsigned unit, unsigned before, unsigned units,
                          unsigned object) {
  size_t at = (size_t) before * c->instances * c->step + (size_t) c->instance * units * c->step
              + (size_t) object * c->skew;
  return c->memory + unit * at;
}

#define GLOBAL(type, unit, before, units, object)                                                  \
  ((type *) global_object (c, unit, before, units, object))
#define LOCAL(type, unit, before, units)                                                           \
  ((type *) (c->local + (unit) * ((before) *c->instances + c->instance * (units))))
#define RESULT(k) c->results[(k) *c->instances + c->instance]
#define TRUNCATED atomic_store_explicit (&c->truncated[c->instance], 1, memory_order_relaxed)

/* An index into an object of n elements; if it is not one, the instance is dropped. */
CODE int64_t in_bounds (CONTEXT c, int64_t i, unsigned n) {
  if (i >= 0 && i < (int64_t) n)
    return i;
  TRUNCATED;
  return 0;
}

#define COMPARE_EXCHANGE(strength, T, P, E, V, O, F, X)                                            \
  __extension__({                                                                                  \
    T expected_ = (T) (E), *found_ = (X);                                                          \
    int done_ = atomic_compare_exchange_##strength##_explicit ((_Atomic (T) *) (P), &expected_, V, \
                                                               O, F);                              \
    if (!done_ && found_)                                                                          \
      *found_ = expected_;                                                                         \
    done_;                                                                                         \
  })

/* Keeps the smaller (<) or larger (>) of the old and the new value. */
#define FETCH_EXTREME(T, P, V, better, O)                                                          \
  __extension__({                                                                                  \
    _Atomic (T) *object_ = (_Atomic (T) *) (P);                                                    \
    T value_ = (V), old_ = atomic_load_explicit (object_, memory_order_relaxed);                   \
    while (!atomic_compare_exchange_weak_explicit (                                                \
        object_, &old_, value_ better old_ ? value_ : old_, O, memory_order_relaxed))              \
      ;                                                                                            \
    old_;                                                                                          \
  })

/* Work-items of an instance wait for each other; they stop waiting for one that was dropped. */
static __attribute__ ((unused)) void group_barrier (CONTEXT c) {
  unsigned before = atomic_fetch_add_explicit (c->arrived, 1, memory_order_acq_rel);
  unsigned all = (before / c->members + 1) * c->members;
  while (atomic_load_explicit (c->arrived, memory_order_acquire) < all
         && !atomic_load_explicit (&c->truncated[c->instance], memory_order_relaxed))
    sched_yield ();
}

struct test_code {
  void (*thread) (unsigned group, unsigned member, CONTEXT c);
  void (*begin) (unsigned group, CONTEXT c);
  void (*finish) (unsigned group, CONTEXT c);
  void (*state) (CONTEXT c, STATE state);
  void (*reset) (CONTEXT c);
};

#define TEST_CODE(T, n_state)                                                                      \
  static const test_code T##_code = { T##_thread, T##_begin, T##_finish, T##_state, T##_reset }

#ifdef SUITE_MAIN

void target_begin (void) {
  char line[256], *colon = NULL;
  FILE *info = fopen ("/proc/cpuinfo", "r");
  while (info && fgets (line, sizeof line, info) && !colon)
    if (!strncmp (line, "model name", 10))
      colon = strchr (line, ':');
  if (info)
    fclose (info);
  if (colon)
    colon[strcspn (colon, "\n")] = 0;
  struct utsname machine;
  uname (&machine);
  snprintf (target_device, sizeof target_device, "%.150s (%.20s), %ld processors",
            colon && colon[1] && colon[2] ? colon + 2 : "processor", machine.machine,
            sysconf (_SC_NPROCESSORS_ONLN));
#ifdef __clang__
  strcpy (target_compiler, "clang " __clang_version__);
#else
  strcpy (target_compiler, "gcc " __VERSION__);
#endif
}

const char *target_refuses (const test *t) {
  (void) t;
  return NULL;
}

/* ---- One test ---- */

typedef struct job {
  runner r;
  context c;
  parameters p;
  unsigned factor, shift, seed;
  int ends;
  pthread_barrier_t begin, end;
  atomic_uint place[64]; /* how far each thread is */
} job;

typedef struct worker {
  job *j;
  unsigned number, group, member;
  pthread_t thread;
} worker;

static void spin (unsigned rounds) {
  for (volatile unsigned i = 0; i < rounds; i = i + 1)
    ;
}

static void pin (unsigned number) {
  cpu_set_t all, own;
  if (sched_getaffinity (0, sizeof all, &all) || !CPU_COUNT (&all))
    return;
  unsigned wanted = number % (unsigned) CPU_COUNT (&all);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &all) && wanted-- == 0) {
      CPU_ZERO (&own);
      CPU_SET (cpu, &own);
      pthread_setaffinity_np (pthread_self (), sizeof own, &own);
      return;
    }
}

/* Waits for all threads to reach the instance, but not forever. */
static void meet (job *j, unsigned number, unsigned at) {
  atomic_store_explicit (&j->place[number], at, memory_order_relaxed);
  for (unsigned i = 0; i < j->r.t->n_threads; i++)
    for (unsigned k = 0; k < j->p.value[P_meet]; k++)
      if (atomic_load_explicit (&j->place[i], memory_order_relaxed) >= at)
        break;
}

static void run_round (worker *w) {
  job *j = w->j;
  context c = j->c;
  uint64_t random = j->seed + w->number;
  c.members = j->r.t->group_members[w->group];
  if (j->p.value[P_delay])
    spin (random_below (&random, j->p.value[P_delay]));
  for (unsigned i = 0; i < c.instances; i++) {
    c.instance = (i * j->factor + j->shift) & (c.instances - 1);
    c.arrived = j->c.arrived + w->group * MAX_INSTANCES + c.instance;
    if (j->p.value[P_meet])
      meet (j, w->number, i + 1);
    j->r.t->code->thread (w->group, w->member, &c);
  }
}

static void *work (void *data) {
  worker *w = (worker *) data;
  job *j = w->j;
  unsigned rotate = ~0u;
  for (;;) {
    pthread_barrier_wait (&j->begin);
    if (j->ends)
      return NULL;
    if (rotate != j->p.value[P_rotate])
      pin (w->number + (rotate = j->p.value[P_rotate]));
    run_round (w);
    pthread_barrier_wait (&j->end);
  }
}

/* ---- Between rounds ---- */

static void reset_instance (job *j) {
  j->c.truncated[j->c.instance] = 0;
  j->r.t->code->reset (&j->c);
  for (unsigned g = 0; g < j->r.t->n_groups; g++) {
    j->c.arrived[g * MAX_INSTANCES + j->c.instance] = 0;
    j->r.t->code->begin (g, &j->c);
  }
}

static void collect_instance (job *j, histogram *h) {
  int64_t state[MAX_STATE];
  h->runs++;
  if (j->c.truncated[j->c.instance]) {
    h->truncated++;
    return;
  }
  for (unsigned g = 0; g < j->r.t->n_groups; g++)
    j->r.t->code->finish (g, &j->c);
  j->r.t->code->state (&j->c, state);
  histogram_add (h, state, 1);
}

static void run (runner *r, const parameters *p, uint64_t most, histogram *h) {
  job *j = (job *) r;
  j->p = *p;
  while (j->p.value[P_instances] / 2 >= most)
    j->p.value[P_instances] /= 2;
  j->c.instances = j->p.value[P_instances];
  j->c.step = j->p.value[P_step];
  j->c.skew = j->p.value[P_skew];
  j->seed = (unsigned) random_next (&j->r.random);
  j->factor = j->p.value[P_scatter] ? random_below (&j->r.random, j->c.instances) | 1 : 1;
  j->shift = random_below (&j->r.random, j->c.instances);
  for (unsigned i = 0; i < j->r.t->n_threads; i++)
    j->place[i] = 0;
  for (j->c.instance = 0; j->c.instance < j->c.instances; j->c.instance++)
    reset_instance (j);
  pthread_barrier_wait (&j->begin);
  pthread_barrier_wait (&j->end);
  for (j->c.instance = 0; j->c.instance < j->c.instances; j->c.instance++)
    collect_instance (j, h);
}

static void *allocate (size_t size) {
  void *memory = aligned_alloc (4096, (size + 8191) / 4096 * 4096);
  if (!memory) {
    fprintf (stderr, "out of memory\n");
    exit (2);
  }
  return memset (memory, 0, size);
}

static void begin_job (job *j, worker *workers) {
  const test *t = j->r.t;
  size_t words = (size_t) t->global_units * MAX_INSTANCES * MAX_STEP
                 + (size_t) (t->n_locations + 1) * MAX_SKEW;
  j->c.memory = (char *) allocate (t->unit * words);
  j->c.local = (char *) allocate ((size_t) t->unit * t->local_units * MAX_INSTANCES);
  j->c.results = (int64_t *) allocate (t->n_results * MAX_INSTANCES * sizeof (int64_t));
  j->c.truncated = (atomic_uchar *) allocate (MAX_INSTANCES);
  j->c.arrived = (atomic_uint *) allocate (t->n_groups * MAX_INSTANCES * sizeof (unsigned));
  pthread_barrier_init (&j->begin, NULL, t->n_threads + 1);
  pthread_barrier_init (&j->end, NULL, t->n_threads + 1);
  unsigned n = 0;
  for (unsigned g = 0; g < t->n_groups; g++)
    for (unsigned m = 0; m < t->group_members[g]; m++, n++) {
      workers[n] = (worker){ j, n, g, m, 0 };
      if (pthread_create (&workers[n].thread, NULL, work, &workers[n])) {
        fprintf (stderr, "the system provides no more threads\n");
        exit (2);
      }
    }
}

static void end_job (job *j, worker *workers) {
  j->ends = 1;
  pthread_barrier_wait (&j->begin);
  for (unsigned i = 0; i < j->r.t->n_threads; i++)
    pthread_join (workers[i].thread, NULL);
  pthread_barrier_destroy (&j->begin);
  pthread_barrier_destroy (&j->end);
  free (j->c.memory);
  free (j->c.local);
  free (j->c.results);
  free (j->c.truncated);
  free (j->c.arrived);
}

/* They are already in the histogram. */
static void take_states (runner *r, histogram *h) {
  (void) r;
  (void) h;
}

void target_run (const test *t, const settings *s, histogram *h, char *out, size_t size) {
  static job j;
  static worker workers[64];
  memset (&j, 0, sizeof j);
  j.r = (runner){ t, s, "round", 0, run, take_states };
  begin_job (&j, workers);
  runner_go (&j.r, h, out, size);
  end_job (&j, workers);
}

#endif
#endif
