#include "enumerator/search/sat/symmetry.h"
#include "enumerator/event.h"
#include "enumerator/search/symmetry.h"

/* The number within its thread of a write that the thread always makes, read-modify-writes first;
 * G_MAXUINT: there is none. */
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

/* Have both threads the same events, path by path? Those of a class do, unless something has
 * treated them differently. */
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

/* The path of the one thread has no greater number than that of the other. */
static void order_paths (const SatFold *fold, Lit condition, guint one, guint other) {
  const SatThread *first = &fold->threads[one], *second = &fold->threads[other];
  g_autofree Lit *up_to = g_new (Lit, second->n_paths + 1);
  for (guint p = 0; p < second->n_paths; p++) {
    for (guint q = 0; q <= p; q++)
      up_to[q] = first->taken[q];
    circuit_imply_from (fold->circuit, (Lit[]){ condition, second->taken[p] }, 2,
                        circuit_or_all (fold->circuit, up_to, p + 1));
  }
}

/* They make the write in this order, or have paths in this order. */
static void order_threads (const SatChoices *choices, Lit condition, guint one, guint other) {
  const SatFold *fold = choices->fold;
  const RspPreExecution *pre = fold->pre;
  guint write = find_write (fold, other);
  if (!are_alike (fold, one, other))
    return;
  if (write == G_MAXUINT || pre->related_writes)
    order_paths (fold, condition, one, other);
  else
    circuit_imply (fold->circuit, condition,
                   sat_choices_ordered (choices, &choices->co, pre->first[one] + write,
                                        pre->first[other] + write));
}

/* Threads that are exchangeable, or of exchangeable blocks, are shown alike. */
static gboolean is_shown (const RspProgram *program, guint thread) {
  for (guint i = 0; i < program->n_observables; i++)
    if (program->observables[i].is_register && program->observables[i].thread == thread)
      return TRUE;
  return FALSE;
}

/* The first threads of blocks are the least of theirs, so those of exchangeable blocks may be
 * ordered too. */
Lit sat_symmetry_break (const SatChoices *choices, const guint *class, const guint *block,
                        gboolean hidden) {
  const SatFold *fold = choices->fold;
  Lit breaking = circuit_input (fold->circuit);
  for (guint t = 0; t < fold->program->n_threads; t++) {
    guint before = symmetry_previous (class, t);
    if (before == G_MAXUINT)
      before = symmetry_previous (block, t);
    if (before != G_MAXUINT && !(hidden && is_shown (fold->program, t)))
      order_threads (choices, breaking, before, t);
  }
  return breaking;
}
