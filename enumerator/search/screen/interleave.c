/* A depth-first search over the next step of each thread, with a table of the states seen. A read
 * on whose value nothing else depends is taken as soon as possible: that changes nothing for the
 * other threads and lets its own continue. Values that depend on other locations stay unknown; an
 * unknown value satisfies every condition. */
#include "enumerator/search/screen/interleave.h"
#include "base/hash.h"
#include "enumerator/terms/evaluate.h"

enum {
  MAX_STEPS = 2048, /* limit of states; beyond it there may be an order */
  SLOTS = 2 * MAX_STEPS
};

typedef struct Last {
  RspValue value;
  gboolean known;
} Last;

struct Interleaver {
  guint n_threads;
  const Projection *const *threads;
  guint *at; /* per thread: accesses taken */
  RspValue **values;
  gboolean **known; /* per thread and event of its path */
  Last last;
  guint steps;
  GArray *words; /* scratch: of guint64 */
  /* States seen, by hash; those of earlier searches have another stamp. */
  RspHash *seen;
  guint *stamps;
  guint stamp;
};

/* ---- Projections ---- */

static gboolean mentions (const RspTerm *term, guint event) {
  if (!term)
    return FALSE;
  if (term->kind == RSP_TERM_READ)
    return term->event == event;
  return mentions (term->a, event) || mentions (term->b, event);
}

/* Does the term mention another read of the location? */
static gboolean relates (const Projection *projection, const RspTerm *term, guint event) {
  for (guint i = 0; i < projection->n; i++)
    if (projection->accesses[i].reads && projection->accesses[i].event != event
        && mentions (term, projection->accesses[i].event))
      return TRUE;
  return FALSE;
}

static void find_conditions (Access *access, const RspPath *path, const Projection *projection,
                             RspArena *arena) {
  guint n = 0;
  for (guint i = 0; i < path->n_constraints; i++)
    n += mentions (path->constraints[i].term, access->event);
  access->conditions = rsp_arena_new0 (arena, const RspTerm *, n + 1);
  access->simple = TRUE;
  for (guint i = 0; i < path->n_constraints; i++) {
    const RspTerm *term = path->constraints[i].term;
    if (!mentions (term, access->event))
      continue;
    access->conditions[access->n_conditions++] = term;
    access->simple &= !relates (projection, term, access->event);
  }
  for (guint i = 0; i < projection->n; i++)
    if (projection->accesses[i].event != access->event
        && mentions (projection->accesses[i].written, access->event))
      access->simple = FALSE;
}

void projection_init (Projection *projection, const RspPath *path, guint location,
                      RspArena *arena) {
  guint n = 0;
  for (guint e = 0; e < path->n_events; e++)
    n += path->events[e].location == location;
  projection->accesses = rsp_arena_new0 (arena, Access, n + 1);
  projection->n = 0;
  for (guint e = 0; e < path->n_events; e++)
    if (path->events[e].location == location)
      projection->accesses[projection->n++] = (Access){ .event = e,
                                                        .reads = path->events[e].read != NULL,
                                                        .written = path->events[e].written };
  for (guint i = 0; i < projection->n; i++)
    if (projection->accesses[i].reads)
      find_conditions (&projection->accesses[i], path, projection, arena);
}

/* ---- Steps ---- */

static const Access *next_access (const Interleaver *x, guint thread) {
  const Projection *projection = x->threads[thread];
  return x->at[thread] < projection->n ? &projection->accesses[x->at[thread]] : NULL;
}

static gboolean conditions_hold (const Interleaver *x, guint thread, const Access *access) {
  for (guint i = 0; i < access->n_conditions; i++) {
    RspValue value;
    if (rsp_term_evaluate_partial (access->conditions[i], x->values[thread], x->known[thread],
                                   &value)
        && !value.bits && !value.unknown)
      return FALSE;
  }
  return TRUE;
}

/* Takes the thread's next access. FALSE, with nothing changed, if that is impossible. */
static gboolean take (Interleaver *x, guint thread, const Access *access) {
  if (access->reads) {
    x->values[thread][access->event] = x->last.value;
    x->known[thread][access->event] = x->last.known;
  }
  if (!conditions_hold (x, thread, access)) {
    x->known[thread][access->event] = FALSE;
    return FALSE;
  }
  if (access->written)
    x->last.known = rsp_term_evaluate_partial (access->written, x->values[thread], x->known[thread],
                                               &x->last.value);
  x->at[thread]++;
  return TRUE;
}

static void take_back (Interleaver *x, guint thread) {
  const Access *access = &x->threads[thread]->accesses[--x->at[thread]];
  x->known[thread][access->event] = FALSE;
}

/* ---- States ---- */

static void put_taken (Interleaver *x, guint thread) {
  const Projection *projection = x->threads[thread];
  guint64 at = x->at[thread];
  g_array_append_val (x->words, at);
  for (guint i = 0; i < at; i++) {
    const Access *access = &projection->accesses[i];
    if (!access->reads || access->simple)
      continue;
    gboolean known = x->known[thread][access->event];
    const RspValue *value = &x->values[thread][access->event];
    guint64 words[]
        = { known ? 1 + (guint64) value->unknown : 0, known ? (guint64) value->bits : 0 };
    g_array_append_vals (x->words, words, G_N_ELEMENTS (words));
  }
}

/* Is this state new? It contains everything that the rest depends on: the remaining accesses of
 * each thread, the last value, and the values of those reads that remaining accesses may
 * mention. */
static gboolean is_new (Interleaver *x) {
  g_array_set_size (x->words, 0);
  guint64 last[] = { x->last.known ? 1 + (guint64) x->last.value.unknown : 0,
                     x->last.known ? (guint64) x->last.value.bits : 0 };
  g_array_append_vals (x->words, last, G_N_ELEMENTS (last));
  for (guint t = 0; t < x->n_threads; t++)
    put_taken (x, t);
  RspHash hash = rsp_hash_words ((const guint64 *) x->words->data, x->words->len);
  guint slot = (guint) (hash.a % SLOTS);
  while (x->stamps[slot] == x->stamp) {
    if (x->seen[slot].a == hash.a && x->seen[slot].b == hash.b)
      return FALSE;
    slot = (slot + 1) % SLOTS;
  }
  x->stamps[slot] = x->stamp;
  x->seen[slot] = hash;
  return TRUE;
}

/* ---- The search ---- */

static gboolean take_simple_reads (Interleaver *x, guint *taken) {
  gboolean done = TRUE;
  for (guint t = 0; t < x->n_threads; t++) {
    const Access *access;
    taken[t] = 0;
    while ((access = next_access (x, t)) && access->simple && !access->written
           && take (x, t, access))
      taken[t]++;
    done &= !access;
  }
  return done;
}

static gboolean explore (Interleaver *x) {
  if (++x->steps > MAX_STEPS)
    return TRUE;
  guint taken[x->n_threads];
  gboolean found = take_simple_reads (x, taken);
  if (!found && is_new (x))
    for (guint t = 0; t < x->n_threads && !found; t++) {
      const Access *access = next_access (x, t);
      Last before = x->last;
      if (!access || !take (x, t, access))
        continue;
      found = explore (x);
      take_back (x, t);
      x->last = before;
    }
  for (guint t = 0; t < x->n_threads; t++)
    while (taken[t]--)
      take_back (x, t);
  return found;
}

Interleaver *interleaver_new (guint n_threads, guint max_events, RspArena *arena) {
  Interleaver *x = rsp_arena_new0 (arena, Interleaver, 1);
  x->n_threads = n_threads;
  x->at = rsp_arena_new0 (arena, guint, n_threads + 1);
  x->values = rsp_arena_new0 (arena, RspValue *, n_threads + 1);
  x->known = rsp_arena_new0 (arena, gboolean *, n_threads + 1);
  for (guint t = 0; t < n_threads; t++) {
    x->values[t] = rsp_arena_new0 (arena, RspValue, max_events + 1);
    x->known[t] = rsp_arena_new0 (arena, gboolean, max_events + 1);
  }
  x->words = g_array_new (FALSE, FALSE, sizeof (guint64));
  x->seen = rsp_arena_new0 (arena, RspHash, SLOTS);
  x->stamps = rsp_arena_new0 (arena, guint, SLOTS);
  return x;
}

void interleaver_free (Interleaver *x) { g_array_unref (x->words); }

gboolean interleaver_finds (Interleaver *x, const Projection *const *threads, RspValue initial) {
  x->threads = threads;
  x->last = (Last){ .value = initial, .known = TRUE };
  x->steps = 0;
  x->stamp++;
  return explore (x);
}
