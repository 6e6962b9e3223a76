#include "enumerator/search/sat/barriers.h"
#include "enumerator/barriers.h"

/* The thread comes to the barrier, and is among those that meet there (or may not be). */
static Lit comes (const SatFold *fold, guint thread, const RspEvent *barrier, gboolean meets) {
  const RspPreExecution *pre = fold->pre;
  Lit any = LIT_FALSE;
  for (guint e = pre->first[thread]; e < pre->first[thread + 1]; e++)
    if (barrier_is_joined (fold->program, barrier, pre->events[e])
        && !(meets && pre->events[e]->barrier_passes))
      any = circuit_or (fold->circuit, any, fold->exists[e]);
  return any;
}

/* At least so many threads do. */
static Lit enough_come (const SatFold *fold, const RspEvent *barrier, guint quorum, gboolean meet) {
  g_autofree Lit *at_least = g_new0 (Lit, quorum + 1); /* per number, of the threads so far */
  at_least[0] = LIT_TRUE;
  for (guint t = 0; t < fold->program->n_threads; t++) {
    Lit comes_too = comes (fold, t, barrier, meet);
    for (guint n = quorum; n > 0; n--)
      at_least[n] = circuit_or (fold->circuit, at_least[n],
                                circuit_and (fold->circuit, comes_too, at_least[n - 1]));
  }
  return at_least[quorum];
}

Lit sat_barrier_has_enough (const SatFold *fold, const RspEvent *barrier, gboolean meet) {
  if (barrier->barrier_quorum > fold->program->n_threads)
    return LIT_FALSE;
  if (barrier->barrier_quorum)
    return enough_come (fold, barrier, (guint) MAX (barrier->barrier_quorum, 0), meet);
  Lit all = LIT_TRUE; /* those that come meet */
  for (guint t = 0; t < fold->program->n_threads && meet; t++)
    all = circuit_and (fold->circuit, all,
                       circuit_or (fold->circuit, comes (fold, t, barrier, TRUE),
                                   lit_not (comes (fold, t, barrier, FALSE))));
  return all;
}

/* The thread takes a path that goes past the barrier. */
static Lit is_passed (const SatFold *fold, guint event) {
  const SatThread *thread = &fold->threads[fold->pre->events[event]->thread];
  RspMatrix *paths = rsp_set_new (fold->arena, thread->n_paths);
  for (guint p = 0; p < thread->n_paths; p++) {
    guint place = sat_fold_place (fold, event, p);
    if (place != G_MAXUINT && !barrier_ends_path (thread->paths[p], place))
      rsp_set_add (paths, p);
  }
  return sat_fold_takes (fold, fold->pre->events[event]->thread, paths);
}

/* A phase begins when those before it are complete, and is complete when its quorum has come. */
static void require_phases (const SatFold *fold, guint event) {
  const RspEvent *barrier = fold->pre->events[event];
  const guint quorum = (guint) barrier->barrier_quorum;
  circuit_imply (fold->circuit, fold->exists[event],
                 lit_not (enough_come (fold, barrier, quorum + 1, FALSE)));
  for (guint phase = 0; phase < barrier->barrier_count; phase++) {
    const RspEvent earlier = barrier_at_phase (barrier, phase);
    circuit_imply (fold->circuit, fold->exists[event], enough_come (fold, &earlier, quorum, FALSE));
  }
}

void sat_barriers_require (SatFold *fold) {
  const RspPreExecution *pre = fold->pre;
  gboolean certain = TRUE;
  for (guint e = pre->first[0]; e < pre->n; e++)
    if (pre->events[e]->kind == RSP_EVENT_BARRIER) {
      Lit passed = is_passed (fold, e);
      certain &= passed == LIT_TRUE;
      if (pre->events[e]->barrier_phase)
        require_phases (fold, e);
      if (barrier_needs_quorum (pre->events[e]))
        circuit_imply (fold->circuit, passed, sat_barrier_has_enough (fold, pre->events[e], TRUE));
    }
  pre->base->blocked &= certain; /* the events of several paths are in no order */
  if (pre->base->blocked)
    circuit_clause (fold->circuit, NULL, 0);
  else if (!certain && barriers_may_block (pre))
    fold->refusal = "threads may wait for each other at different barriers on some paths";
}
