/* The choices of an execution as literals: sources of reads, orders, barriers, symmetry. */
#include "enumerator/execution.h"
#include "enumerator/sat/internal.h"
#include "enumerator/search/search.h"
#include "model/stage/stage.h"

/* ---- Choices -------------------------------------------------------------------------------- */

/* ---- Orders ---- */
static void choose_order (const SatFold *fold, SatOrder *order, const RspMatrix *related) {
  guint n = fold->pre->n, words = order->pairs->words;
  Circuit *circuit = fold->circuit;
  Lit *before = order->before = rsp_arena_new0 (fold->arena, Lit, (gsize) n * n);
  /* A pair that must be ordered has one literal for both directions, others have two. */
  for (guint a = 0; a < n; a++)
    for (all_bits (b, rsp_matrix_row (order->pairs, a), words)) {
      if (b < a)
        continue;
      Lit lit = before[a * n + b] = circuit_input (circuit);
      before[b * n + a] = lit_not (lit);
      if (related && !rsp_matrix_get (related, a, b)) {
        Lit other = before[b * n + a] = circuit_input (circuit);
        circuit_clause (circuit, (Lit[]){ lit_not (lit), lit_not (other) }, 2);
      }
    }
  /* Orders are transitive, on events that may all exist. For a total order, two of the six
   * permutations suffice. */
  for (guint a = 0; a < n && !rsp_arena_is_exhausted (fold->arena); a++)
    for (all_bits (b, rsp_matrix_row (order->pairs, a), words))
      for (all_bits (c, rsp_matrix_row (order->pairs, b), words))
        if ((related ? a != c : a < b && a < c) && rsp_matrix_get (order->pairs, a, c))
          circuit_clause (circuit,
                          (Lit[]){ lit_not (before[a * n + b]), lit_not (before[b * n + c]),
                                   before[a * n + c] },
                          3);
}

/* Initial writes come first. one_final: the model sees only which write is last, so any total order
 * with that last write will do. */
static void choose_coherence (SatChoices *choices, gboolean one_final) {
  const SatFold *fold = choices->fold;
  const RspPreExecution *pre = fold->pre;
  SatOrder *co = &choices->co;
  co->pairs = rsp_relation_new (fold->arena, pre->n);
  for (guint a = pre->first[0]; a < pre->n; a++)
    for (guint b = pre->first[0]; b < pre->n; b++)
      if (a != b && rsp_event_is_write (pre->events[a]) && rsp_event_is_write (pre->events[b])
          && pre->events[a]->location == pre->events[b]->location
          && rsp_matrix_get (fold->together, a, b))
        rsp_matrix_add (co->pairs, a, b);
  choose_order (fold, co, one_final ? NULL : pre->related_writes);
  for (guint initial = 0; initial < pre->first[0]; initial++)
    for (guint w = pre->first[0]; w < pre->n; w++)
      if (rsp_event_is_write (pre->events[w])
          && pre->events[w]->location == pre->events[initial]->location) {
        rsp_matrix_add (co->pairs, initial, w);
        co->before[initial * pre->n + w] = LIT_TRUE;
      }
}

SatChoices *sat_choices_new (const SatFold *fold, const RspStagedModel *model) {
  SatChoices *choices = rsp_arena_new0 (fold->arena, SatChoices, 1);
  choices->fold = fold;
  /* A read that exists reads from one write, which exists. */
  const RspPreExecution *pre = fold->pre;
  choices->rf = rsp_arena_new0 (fold->arena, Lit, (gsize) pre->n * pre->n);
  for (guint i = 0; i < pre->n_reads; i++) {
    const guint read = pre->reads[i];
    g_autofree Lit *lits = g_new (Lit, pre->n + 1);
    guint n = 0;
    for (all_bits (write, rsp_matrix_row (pre->candidates, read), pre->candidates->words)) {
      if (!rsp_matrix_get (fold->together, write, read))
        continue;
      Lit lit = circuit_input (fold->circuit);
      circuit_imply (fold->circuit, lit, sat_fold_both (fold, write, read));
      choices->rf[write * pre->n + read] = lits[n++] = lit;
    }
    circuit_at_most_one (fold->circuit, lits, n);
    lits[n++] = lit_not (fold->exists[read]);
    circuit_clause (fold->circuit, lits, n);
  }
  choose_coherence (choices, model->sees_finals && !model->sees_co);
  choices->orders = rsp_arena_new0 (fold->arena, SatOrder, model->n_orders + 1);
  for (guint i = 0; i < model->n_orders; i++) {
    RspStagedOrder staged
        = rsp_stage_predefined_order (model->orders[i].kind, fold->pre->base, fold->arena);
    choices->orders[i].pairs = rsp_relation_new (fold->arena, fold->pre->n);
    rsp_relation_product (choices->orders[i].pairs, staged.set, staged.set);
    rsp_matrix_intersect (choices->orders[i].pairs, choices->orders[i].pairs, fold->together);
    for (guint e = 0; e < fold->pre->n; e++)
      rsp_matrix_remove (choices->orders[i].pairs, e, e);
    choose_order (fold, &choices->orders[i], staged.related);
  }
  return choices;
}

Lit sat_choices_ordered (const SatChoices *choices, const SatOrder *order, guint a, guint b) {
  if (!rsp_matrix_get (order->pairs, a, b))
    return LIT_FALSE;
  return circuit_and (choices->fold->circuit, order->before[a * choices->fold->pre->n + b],
                      sat_fold_both (choices->fold, a, b));
}

/* ---- Barriers ------------------------------------------------------------------------------- */

/* The thread comes to the barrier; meets: to meet others, not to pass. */
static Lit comes (const SatFold *fold, guint thread, const RspEvent *barrier, gboolean meets) {
  const RspPreExecution *pre = fold->pre;
  Lit any = LIT_FALSE;
  for (guint e = pre->first[thread]; e < pre->first[thread + 1]; e++)
    if (barrier_is_joined (fold->program, barrier, pre->events[e])
        && !(meets && pre->events[e]->barrier_passes))
      any = circuit_or (fold->circuit, any, fold->exists[e]);
  return any;
}

/* At least `quorum` threads come. */
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

void sat_barriers_require (SatFold *fold) {
  const RspPreExecution *pre = fold->pre;
  gboolean certain = TRUE;
  for (guint e = pre->first[0]; e < pre->n; e++)
    if (pre->events[e]->kind == RSP_EVENT_BARRIER) {
      /* The thread takes a path that goes past the barrier. */
      const RspEvent *barrier = pre->events[e];
      const SatThread *thread = &fold->threads[barrier->thread];
      RspMatrix *paths = rsp_set_new (fold->arena, thread->n_paths);
      for (guint p = 0; p < thread->n_paths; p++) {
        guint place = sat_fold_place (fold, e, p);
        if (place != G_MAXUINT && !barrier_ends_path (thread->paths[p], place))
          rsp_set_add (paths, p);
      }
      Lit passed = sat_fold_takes (fold, barrier->thread, paths);
      certain &= passed == LIT_TRUE;
      if (barrier->barrier_phase) {
        /* A phase begins when those before it are complete, and is complete when its quorum has
         * come. */
        const guint quorum = (guint) barrier->barrier_quorum;
        circuit_imply (fold->circuit, fold->exists[e],
                       lit_not (enough_come (fold, barrier, quorum + 1, FALSE)));
        for (guint phase = 0; phase < barrier->barrier_count; phase++) {
          const RspEvent earlier = barrier_at_phase (barrier, phase);
          circuit_imply (fold->circuit, fold->exists[e],
                         enough_come (fold, &earlier, quorum, FALSE));
        }
      }
      if (barrier_needs_quorum (barrier))
        circuit_imply (fold->circuit, passed, sat_barrier_has_enough (fold, barrier, TRUE));
    }
  pre->base->blocked &= certain; /* program order does not relate the events of different paths */
  if (pre->base->blocked)
    circuit_clause (fold->circuit, NULL, 0);
  else if (!certain && barriers_may_block (pre))
    fold->refusal = "threads may wait for each other at different barriers on some paths";
}

/* ---- Symmetry ------------------------------------------------------------------------------- */

/* The number within its thread of a write that the thread always makes, preferably a
 * read-modify-write; G_MAXUINT: there is none. */
static guint find_write (const SatFold *fold, guint thread) {
  const RspPreExecution *pre = fold->pre;
  guint found = G_MAXUINT;
  for (guint e = pre->first[thread]; e < pre->first[thread + 1]; e++) {
    const RspEvent *event = pre->events[e];
    if (fold->exists[e] != LIT_TRUE || !rsp_event_is_write (event))
      continue;
    if (event->kind == RSP_EVENT_RMW)
      return e - pre->first[thread];
    if (found == G_MAXUINT)
      found = e - pre->first[thread];
  }
  return found;
}

/* Do both threads have the same events, path by path? Threads of a class do, unless they were
 * treated differently before. */
static gboolean are_alike (const SatFold *fold, guint one, guint other) {
  const SatThread *a = &fold->threads[one], *b = &fold->threads[other];
  if (a->n_paths != b->n_paths || a->n_events != b->n_events)
    return FALSE;
  for (guint p = 0; p < a->n_paths; p++) {
    if (a->paths[p]->n_events != b->paths[p]->n_events)
      return FALSE;
    for (guint e = 0; e < a->paths[p]->n_events; e++)
      if (a->events[p][e] != b->events[p][e]
          || a->paths[p]->events[e].kind != b->paths[p]->events[e].kind
          || a->paths[p]->events[e].location != b->paths[p]->events[e].location)
        return FALSE;
  }
  return TRUE;
}

/* The threads make a write in this order, or take paths in this order. */
static void order_threads (const SatChoices *choices, Lit condition, guint one, guint other) {
  const SatFold *fold = choices->fold;
  const RspPreExecution *pre = fold->pre;
  guint write = find_write (fold, other);
  if (!are_alike (fold, one, other))
    return;
  if (write == G_MAXUINT || pre->related_writes) {
    /* `one` takes a path of no greater number than `other`. */
    const SatThread *first = &fold->threads[one], *second = &fold->threads[other];
    g_autofree Lit *up_to = g_new (Lit, second->n_paths + 1);
    for (guint p = 0; p < second->n_paths; p++) {
      for (guint q = 0; q <= p; q++)
        up_to[q] = first->taken[q];
      circuit_imply_from (fold->circuit, (Lit[]){ condition, second->taken[p] }, 2,
                          circuit_or_all (fold->circuit, up_to, p + 1));
    }
  } else
    circuit_imply (fold->circuit, condition,
                   sat_choices_ordered (choices, &choices->co, pre->first[one] + write,
                                        pre->first[other] + write));
}

/* The first thread of a block is the least of it, so the first threads of exchangeable blocks may
 * be ordered too. */
Lit sat_symmetry_break (const SatChoices *choices, const guint *class, const guint *block,
                        gboolean hidden) {
  const SatFold *fold = choices->fold;
  Lit breaking = circuit_input (fold->circuit);
  for (guint t = 0; t < fold->program->n_threads; t++) {
    guint before = symmetry_previous (class, t);
    if (before == G_MAXUINT)
      before = symmetry_previous (block, t);
    gboolean shown = FALSE; /* so are those that it is exchangeable with */
    for (guint i = 0; i < fold->program->n_observables; i++) {
      const RspObservable *observable = &fold->program->observables[i];
      shown |= observable->is_register && observable->thread == t;
    }
    if (before != G_MAXUINT && !(hidden && shown))
      order_threads (choices, breaking, before, t);
  }
  return breaking;
}
