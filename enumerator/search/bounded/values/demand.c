/* Demand: which values can still matter at a node.
 *
 * A model does not see values. They matter to open conditions of paths and to open observables, and
 * through these to the terms of the writes that their reads may read from, and so on. Two nodes
 * that differ in other values have the same completions, so these values are not in the memo's key.
 * Reads whose values are in demand are decided first; after that, few values are in demand.
 *
 * One more thing depends on values: reads and writes whose values justify each other in a cycle are
 * solved for (values_circle.c), which may fail. So all values are in demand if the remaining
 * candidates may form a cycle, or one has been found. */
#include "enumerator/search/bounded/values/demand.h"
#include "enumerator/search/bounded/values/constraints.h"
#include "enumerator/search/bounded/values/known.h"

#include <string.h>

enum { UNSEEN, ENTERED, LEFT };

void demand_open (Searcher *s) {
  gboolean computed = FALSE;
  for (guint event = 0; event < s->n; event++)
    computed |= s->pre->events[event]->written && !s->known->is_constant[event];
  if (computed && !(is_disabled (s, RSP_FEATURE_DEMAND))) {
    s->demand = rsp_arena_new0 (s->arena, Demanded, 1);
    s->demand->events = rsp_arena_new0 (s->arena, guint8, 2 * s->n + 1);
    s->demand->visited = rsp_arena_new0 (s->arena, guint8, s->n + 1);
  }
}

/* ---- Cycles ---- */

static gboolean write_is_grounded (Searcher *s, guint write);

/* Does computing the term's unknown reads terminate, whatever they read from? */
static gboolean term_is_grounded (Searcher *s, guint thread, const RspTerm *term) {
  if (!term)
    return TRUE;
  if (term->kind != RSP_TERM_READ)
    return term_is_grounded (s, thread, term->a) && term_is_grounded (s, thread, term->b);
  guint read = rsp_pre_execution_event (s->pre, thread, term->event);
  if (known_has_value (s, read))
    return TRUE;
  for (all_bits (write, rsp_bounded_candidates (s, read), s->words))
    if (!write_is_grounded (s, write))
      return FALSE;
  return TRUE;
}

static gboolean write_is_grounded (Searcher *s, guint write) {
  if (known_has_written (s, write) || s->demand->visited[write] == LEFT)
    return TRUE;
  if (s->demand->visited[write] == ENTERED)
    return FALSE;
  const RspEvent *event = s->pre->events[write];
  s->demand->visited[write] = ENTERED;
  gboolean grounded = term_is_grounded (s, event->thread, event->written);
  s->demand->visited[write] = LEFT;
  return grounded;
}

static gboolean may_make_a_circle (Searcher *s) {
  if (s->known->thin_air)
    return TRUE;
  memset (s->demand->visited, UNSEEN, s->n);
  for (guint event = 0; event < s->n; event++)
    if (s->pre->events[event]->written && !write_is_grounded (s, event))
      return TRUE;
  return FALSE;
}

/* ---- Demand ---- */

static void demand_written (Searcher *s, guint write);

static void demand_term (Searcher *s, guint thread, const RspTerm *term) {
  if (!term)
    return;
  if (term->kind != RSP_TERM_READ) {
    demand_term (s, thread, term->a);
    demand_term (s, thread, term->b);
    return;
  }
  guint read = rsp_pre_execution_event (s->pre, thread, term->event);
  if (known_has_value (s, read) || s->demand->events[(gsize) 2 * read])
    return;
  s->demand->events[(gsize) 2 * read] = TRUE;
  for (all_bits (write, rsp_bounded_candidates (s, read), s->words))
    demand_written (s, write);
}

static void demand_written (Searcher *s, guint write) {
  if (s->demand->events[2 * write + 1])
    return;
  s->demand->events[2 * write + 1] = TRUE;
  const RspEvent *event = s->pre->events[write];
  if (!known_has_written (s, write))
    demand_term (s, event->thread, event->written);
}

static void demand_observable (Searcher *s, const RspObservable *observable) {
  if (observable->is_register)
    demand_term (s, observable->thread, s->pre->paths[observable->thread]->finals[observable->reg]);
  else
    for (all_bits (write, s->writes[observable->location]->bits, s->words))
      if (may_be_last (s, s->writes[observable->location], write))
        demand_written (s, write);
}

void rsp_demand_find (Searcher *s, const Observed *observed) {
  if (!s->demand)
    return;
  memset (s->demand->events, FALSE, (gsize) 2 * s->n);
  for (guint i = 0; i < s->constraints->n; i++)
    demand_term (s, s->constraints->all[i].thread, s->constraints->all[i].term);
  for (guint i = 0; i < observed->n_open; i++)
    demand_observable (s, &s->pre->program->observables[observed->open[i]]);
  s->demand->whole = may_make_a_circle (s);
}

/* ---- Reads to decide ---- */

typedef struct Next {
  guint read, n;
} Next;

static gboolean may_read_computed (const Searcher *s, guint read) {
  for (all_bits (write, rsp_bounded_candidates (s, read), s->words))
    if (!s->known->is_constant[write])
      return TRUE;
  return FALSE;
}

static void look_for_read (Searcher *s, guint thread, const RspTerm *term, Next *next) {
  if (!term)
    return;
  if (term->kind != RSP_TERM_READ) {
    look_for_read (s, thread, term->a, next);
    look_for_read (s, thread, term->b, next);
    return;
  }
  guint read = rsp_pre_execution_event (s->pre, thread, term->event);
  if (known_has_value (s, read) || s->demand->visited[read])
    return;
  s->demand->visited[read] = ENTERED;
  const guint64 *candidates = rsp_bounded_candidates (s, read);
  guint n = rsp_row_count (candidates, s->words);
  if (n == 1) {
    guint write = rsp_next_bit (candidates, s->words, 0);
    look_for_read (s, s->pre->events[write]->thread, s->pre->events[write]->written, next);
  } else if (n < next->n && may_read_computed (s, read))
    *next = (Next){ .read = read, .n = n };
}

guint demand_next_read (Searcher *s, const Observed *observed) {
  Next next = { .read = G_MAXUINT, .n = G_MAXUINT };
  if (!s->demand)
    return G_MAXUINT;
  memset (s->demand->visited, UNSEEN, s->n);
  for (guint i = 0; i < observed->n_open; i++) {
    const RspObservable *observable = &s->pre->program->observables[observed->open[i]];
    if (observable->is_register)
      look_for_read (s, observable->thread,
                     s->pre->paths[observable->thread]->finals[observable->reg], &next);
  }
  return next.read;
}
