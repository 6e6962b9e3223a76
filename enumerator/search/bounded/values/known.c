/* Values that follow from decided reads, with a trail that undoes them. */
#include "enumerator/search/bounded/values/known.h"
#include "base/contract.h"
#include "enumerator/terms/evaluate.h"
#include "enumerator/values/values.h"

void known_open (Searcher *s) {
  Known *known = rsp_arena_new0 (s->arena, Known, 1);
  known->values = rsp_arena_new0 (s->arena, RspValue, s->n);
  known->written = rsp_arena_new0 (s->arena, RspValue, s->n);
  known->registers = rsp_arena_new0 (s->arena, RspValue, s->pre->program->n_observables);
  known->has_value = rsp_arena_new0 (s->arena, gboolean, s->n);
  known->has_written = rsp_arena_new0 (s->arena, gboolean, s->n);
  known->is_constant = rsp_arena_new0 (s->arena, gboolean, s->n);
  known->has_learnt = rsp_arena_new0 (s->arena, gboolean, s->pre->program->n_threads + 1);
  known->source = rsp_arena_new0 (s->arena, guint, s->n);
  known->trail = rsp_arena_new0 (s->arena, guint, 2 * (gsize) s->n);
  s->known = known;
}

/* ---- The trail ---- */

static void learn_value (Known *known, guint event, RspValue value) {
  RSP_CONTRACT (!known->has_value[event]);
  known->trail[known->n_trail++] = event * 2;
  known->values[event] = value;
  known->has_value[event] = TRUE;
}

static void learn_written (Known *known, guint event, RspValue value) {
  RSP_CONTRACT (!known->has_written[event]);
  known->trail[known->n_trail++] = event * 2 + 1;
  known->written[event] = value;
  known->has_written[event] = TRUE;
}

guint known_mark (const Searcher *s) { return s->known->n_trail; }

void known_undo (Searcher *s, guint mark) {
  Known *known = s->known;
  while (known->n_trail > mark) {
    guint entry = known->trail[--known->n_trail];
    (entry % 2 ? known->has_written : known->has_value)[entry / 2] = FALSE;
  }
  if (known->n_trail < known->thin_air)
    known->thin_air = 0;
}

/* ---- Terms ---- */

gboolean known_evaluate (const Searcher *s, guint thread, const RspTerm *term, RspValue *value) {
  guint first = s->pre->first[thread];
  return rsp_term_evaluate_partial (term, s->known->values + first, s->known->has_value + first,
                                    value);
}

gboolean known_evaluate_if (Searcher *s, guint read, RspValue assumed, guint thread,
                            const RspTerm *term, RspValue *value) {
  Known *known = s->known;
  RspValue before = known->values[read];
  known->values[read] = assumed;
  known->has_value[read] = TRUE;
  gboolean found = known_evaluate (s, thread, term, value);
  known->has_value[read] = FALSE;
  known->values[read] = before;
  return found;
}

/* ---- What follows ---- */

static void evaluate_written (Searcher *s, guint event) {
  const RspEvent *write = s->pre->events[event];
  RspValue value;
  if (write->written && !known_has_written (s, event)
      && known_evaluate (s, write->thread, write->written, &value))
    learn_written (s->known, event, value);
}

/* What a thread writes is computed from what its own reads return. */
static void evaluate_thread (Searcher *s, guint thread) {
  for (guint event = s->pre->first[thread]; event < s->pre->first[thread + 1]; event++)
    evaluate_written (s, event);
  s->known->has_learnt[thread] = FALSE;
}

void known_begin (Searcher *s) {
  const RspPreExecution *pre = s->pre;
  for (guint event = 0; event < s->n; event++) {
    const RspEvent *e = pre->events[event];
    if (e->thread != RSP_NO_THREAD)
      evaluate_written (s, event);
    else
      learn_written (s->known, event,
                     (RspValue){ .bits = pre->program->locations[e->location].initial });
  }
}

void known_mark_constants (Searcher *s) {
  for (guint event = 0; event < s->n; event++)
    s->known->is_constant[event] = known_has_written (s, event);
}

gboolean known_follow (Searcher *s) {
  gboolean learnt = FALSE, again = TRUE;
  while (again) {
    again = FALSE;
    for (guint i = 0; i < s->pre->n_reads; i++) {
      guint read = s->pre->reads[i];
      if (known_has_value (s, read))
        continue;
      const guint64 *decided = rsp_bounds_inverse_lo (s->bounds, RSP_LEAF_RF, read);
      guint write = rsp_next_bit (decided, s->words, 0);
      if (write == G_MAXUINT || !known_has_written (s, write))
        continue;
      learn_value (s->known, read, known_written (s, write));
      s->known->has_learnt[s->pre->events[read]->thread] = TRUE;
      again = learnt = TRUE;
    }
    for (guint t = 0; again && t < s->pre->program->n_threads; t++)
      if (s->known->has_learnt[t])
        evaluate_thread (s, t);
  }
  return learnt;
}

gboolean known_is_whole (const Searcher *s) {
  for (guint i = 0; i < s->pre->n_reads; i++)
    if (!known_has_value (s, s->pre->reads[i]))
      return FALSE;
  return TRUE;
}

gboolean known_solve_circles (Searcher *s) {
  const RspPreExecution *pre = s->pre;
  Known *known = s->known;
  for (guint i = 0; i < pre->n_reads; i++)
    known->source[pre->reads[i]]
        = rsp_next_bit (rsp_bounded_candidates (s, pre->reads[i]), s->words, 0);
  g_autofree RspValue *values = g_new0 (RspValue, s->n);
  g_autofree RspValue *written = g_new0 (RspValue, s->n);
  RspThinAir thin_air;
  if (!rsp_values_solve (pre, known->source, values, written, known->registers, &thin_air)
      || (thin_air == RSP_THIN_AIR_UNDETERMINED && s->search->options->no_thin_air))
    return FALSE;
  known->thin_air = thin_air ? known->n_trail + 1 : 0;
  for (guint i = 0; i < pre->n_reads; i++)
    if (!known_has_value (s, pre->reads[i]))
      learn_value (known, pre->reads[i], values[pre->reads[i]]);
  for (guint event = 0; event < s->n; event++)
    if (pre->events[event]->written && !known_has_written (s, event))
      learn_written (known, event, written[event]);
  return TRUE;
}
