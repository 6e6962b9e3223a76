/* Naming: how keys of the memo refer to events, so that nodes of different combinations of paths
 * can have the same key.
 *
 * An event is named after its access of the source (paths/reduce/names.c), in the block of names of
 * its thread. Threads that run the same code have blocks of the same layout, and any of them may
 * take any of those blocks: a key describes the whole residual problem, with everything that the
 * model can still distinguish, so whatever bijection the names are, equal keys are isomorphic
 * problems. Blocks are assigned by what each thread has left to do; if that distinguishes the
 * threads, a problem has the same names whichever thread is which. The columns of stored results
 * are in the order of the names too.
 *
 * A filter or a condition that narrows the search refers to particular threads; each then keeps its
 * own block. */
#include "enumerator/search/bounded/share/naming.h"
#include "enumerator/search/bounded/values/constraints.h"
#include "enumerator/search/bounded/values/known.h"
#include "model/bounds/label.h"

/* A hash of what results depend on besides values: the numbers of flags, and whether one execution
 * is enough (flags do not matter then). */
static guint64 family_of (const Searcher *s) {
  guint64 hash = s->search->exists_only ? 1 : 0;
  for (guint i = 0; i < s->model->n_flags; i++)
    hash = (hash ^ g_str_hash (s->model->flags[i])) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + i;
  return hash;
}

gboolean naming_open (Searcher *s, const RspNames *names) {
  const RspProgram *program = s->pre->program;
  Naming *naming = rsp_arena_new0 (s->arena, Naming, 1);
  naming->names = names;
  naming->words = rsp_words_for (names->n);
  naming->family = family_of (s);
  naming->block = rsp_arena_new0 (s->arena, guint, program->n_threads + 1);
  naming->event = rsp_arena_new0 (s->arena, guint, s->n + 1);
  naming->rank = rsp_arena_new0 (s->arena, guint64, program->n_threads + 1);
  gboolean several = FALSE;
  for (guint t = 0; t < program->n_threads; t++)
    several |= names->like[t] != t;
  naming->renames
      = several
        && (s->search->exists_only || !search_narrows_by_thread (program, s->search->options));
  for (guint l = 0; l < program->n_locations; l++)
    if (s->pre->initial[l] != G_MAXUINT)
      naming->event[s->pre->initial[l]] = l;
  if (!rsp_bounds_name (s->bounds, naming->event, names->n))
    return FALSE;
  s->naming = naming;
  return TRUE;
}

/* ---- The open part of a thread ---- */

static guint64 mix (guint64 hash, guint64 word) {
  hash = (hash ^ word) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

static guint64 mix_term (Searcher *s, guint thread, const RspTerm *term, guint64 hash) {
  if (!term)
    return hash;
  if (term->kind == RSP_TERM_READ) {
    guint event = rsp_pre_execution_event (s->pre, thread, term->event);
    if (known_has_value (s, event))
      hash
          = mix (mix (hash, (guint64) known_value (s, event).bits), known_value (s, event).unknown);
  }
  hash = mix_term (s, thread, term->a, hash);
  return mix_term (s, thread, term->b, hash);
}

/* A hash of a thread's part of the residual problem: open reads, and writes whose value or place in
 * co is open. 0 if there is none. */
static guint64 left_to_do (Searcher *s, guint thread) {
  const RspPath *path = s->pre->paths[thread];
  guint64 hash = 0;
  for (guint i = 0; i < path->n_events; i++) {
    guint e = rsp_pre_execution_event (s->pre, thread, i);
    const RspEvent *event = s->pre->events[e];
    if (event->read && !known_has_value (s, e))
      hash = mix (mix (hash, (guint64) 3 * path->names[i]),
                  rsp_row_count (rsp_bounded_candidates (s, e), s->words));
    if (!event->written)
      continue;
    guint before = rsp_row_count (rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_CO, e), s->words);
    guint may_follow = rsp_row_count (rsp_bounds_hi (s->bounds, RSP_LEAF_CO, e), s->words);
    guint follow = rsp_row_count (rsp_bounds_lo (s->bounds, RSP_LEAF_CO, e), s->words);
    if (may_follow != follow)
      hash = mix (mix (hash, 3 * path->names[i] + 1), (guint64) before << 32 | follow);
    if (!known_has_written (s, e))
      hash = mix (mix (hash, 3 * path->names[i] + 2), 1);
  }
  return hash;
}

static void rank_threads (Searcher *s) {
  Naming *naming = s->naming;
  for (guint t = 0; t < naming->names->n_threads; t++)
    naming->rank[t] = left_to_do (s, t);
  for (guint i = 0; i < s->constraints->n; i++) {
    const Constraint *constraint = &s->constraints->all[i];
    guint t = constraint->thread;
    if (rsp_constraint_is_open (s, constraint))
      naming->rank[t] = mix_term (s, t, constraint->term, mix (naming->rank[t], 5));
  }
}

/* Assigns the blocks of threads with the same code by rank, the least first. */
static void deal_blocks (Naming *naming) {
  guint n = naming->names->n_threads;
  const guint *like = naming->names->like;
  for (guint t = 0; t < n; t++) {
    guint place = 0;
    for (guint u = 0; u < n; u++)
      if (like[u] == like[t]
          && (naming->rank[u] < naming->rank[t] || (naming->rank[u] == naming->rank[t] && u < t)))
        place++;
    for (guint u = 0; u < n; u++)
      if (like[u] == like[t] && place-- == 0) {
        naming->block[t] = u;
        break;
      }
  }
}

void naming_choose (Searcher *s) {
  Naming *naming = s->naming;
  guint n = naming->names->n_threads;
  for (guint t = 0; t < n; t++)
    naming->block[t] = t;
  if (naming->renames) {
    rank_threads (s);
    deal_blocks (naming);
  }
  for (guint t = 0; t < n; t++)
    for (guint i = 0; i < s->pre->paths[t]->n_events; i++)
      naming->event[rsp_pre_execution_event (s->pre, t, i)]
          = naming->names->first[naming->block[t]] + s->pre->paths[t]->names[i];
}

/* ---- Observables ---- */

guint naming_observable (const Searcher *s, guint observable) {
  const RspProgram *program = s->pre->program;
  const RspObservable *o = &program->observables[observable];
  if (!s->naming || !s->naming->renames)
    return observable;
  if (!o->is_register)
    return o->location;
  return program->n_locations + s->naming->block[o->thread] * 65536 + o->reg;
}

gboolean naming_order (const Searcher *s, const Observed *observed, guint *order) {
  gboolean moved = FALSE;
  for (guint i = 0; i < observed->n_open; i++) {
    guint j = i;
    for (; j > 0
           && naming_observable (s, observed->open[order[j - 1]])
                  > naming_observable (s, observed->open[i]);
         j--)
      order[j] = order[j - 1];
    moved |= j != i;
    order[j] = i;
  }
  return moved;
}
