#include "enumerator/barriers.h"
#include "model/condition.h"
#include "parser/scopes.h"

guint barriers_rules (const RspModel *model) {
  return (rsp_model_has_variant (model, "all-threads") ? RSP_BARRIERS_ALL_THREADS : 0)
         | (rsp_model_has_variant (model, "phases") ? RSP_BARRIERS_PHASES : 0)
         | (model->wide_barriers ? RSP_BARRIERS_WIDE : 0);
}

static gboolean is_waiting (const RspEvent *event) {
  return event->kind == RSP_EVENT_BARRIER && !event->barrier_arrives;
}

gboolean barrier_is_joined (const RspProgram *program, const RspEvent *barrier,
                            const RspEvent *event) {
  const RspThread *threads = program->threads;
  return rsp_event_is_arrival (event) && rsp_event_is_same_barrier (event, barrier)
         && rsp_threads_share (&threads[event->thread], &threads[barrier->thread],
                               barrier->meeting);
}

BarrierArrivals barrier_count_arrivals (const RspProgram *program, const RspPath *const *paths,
                                        const guint *reached, const RspEvent *barrier) {
  BarrierArrivals n = { 0, 0 };
  for (guint t = 0; t < program->n_threads; t++)
    for (guint e = 0; e < paths[t]->n_events && (!reached || e < reached[t]); e++) {
      gboolean joins = barrier_is_joined (program, barrier, &paths[t]->events[e]);
      n.all += joins;
      n.meeting += joins && !paths[t]->events[e].barrier_passes;
    }
  return n;
}

RspEvent barrier_at_phase (const RspEvent *barrier, guint phase) {
  RspEvent earlier = *barrier;
  earlier.barrier_count = phase;
  return earlier;
}

gboolean barrier_phases_fit (const RspProgram *program, const RspPath *const *paths,
                             const guint *reached, const RspEvent *barrier) {
  for (guint phase = 0; barrier->barrier_phase && phase < barrier->barrier_count; phase++) {
    const RspEvent earlier = barrier_at_phase (barrier, phase);
    if (barrier_count_arrivals (program, paths, reached, &earlier).all != barrier->barrier_quorum)
      return FALSE;
  }
  return !barrier->barrier_phase
         || barrier_count_arrivals (program, paths, NULL, barrier).all <= barrier->barrier_quorum;
}

gboolean barrier_ends_path (const RspPath *path, guint event) {
  return (path->end == RSP_PATH_BLOCKED || path->end == RSP_PATH_STOPPED)
         && event + 1 == path->n_events;
}

/* Of those that it waits for by RSP_BARRIERS_ALL_THREADS, has each come or ended? */
static gboolean others_have_come (const RspPreExecution *pre, const RspEvent *event,
                                  const guint *reached) {
  const RspThread *threads = pre->program->threads;
  for (guint t = 0; t < pre->program->n_threads && event->barrier_all; t++) {
    const RspPath *path = pre->paths[t];
    gboolean ready = path->end == RSP_PATH_COMPLETE && reached[t] > path->n_events;
    for (guint e = 0; e < path->n_events && e < reached[t]; e++)
      ready |= barrier_is_joined (pre->program, event, &path->events[e]);
    if (!ready && rsp_threads_share (&threads[t], &threads[event->thread], RSP_LEVEL_WORK_GROUP))
      return FALSE;
  }
  return TRUE;
}

/* All that meet at a barrier must have come to it, and they must be enough. */
static gboolean is_passed (const RspPreExecution *pre, const RspEvent *event,
                           const guint *reached) {
  if (event->kind != RSP_EVENT_BARRIER
      || !barrier_phases_fit (pre->program, pre->paths, reached, event))
    return event->kind != RSP_EVENT_BARRIER;
  if (!barrier_needs_quorum (event))
    return TRUE;
  BarrierArrivals all = barrier_count_arrivals (pre->program, pre->paths, NULL, event),
                  here = barrier_count_arrivals (pre->program, pre->paths, reached, event);
  return all.meeting >= barrier_quorum (event, all)
         && (!is_waiting (event) || here.meeting == all.meeting)
         && others_have_come (pre, event, reached);
}

/* Goes on as far as the thread can: it has reached one event more than it has gone past. */
static gboolean go_on (const RspPreExecution *pre, guint thread, guint *reached) {
  const RspPath *path = pre->paths[thread];
  guint before = reached[thread];
  while (reached[thread] <= path->n_events
         && is_passed (pre, &path->events[reached[thread] - 1], reached))
    reached[thread]++;
  return reached[thread] > before;
}

gboolean barriers_block (const RspPreExecution *pre) {
  guint n_threads = pre->program->n_threads;
  g_autofree guint *reached = g_new (guint, n_threads + 1);
  for (guint t = 0; t < n_threads; t++)
    reached[t] = 1;
  for (gboolean moved = TRUE; moved;) {
    moved = FALSE;
    for (guint t = 0; t < n_threads; t++)
      moved |= go_on (pre, t, reached);
  }
  for (guint t = 0; t < n_threads; t++)
    if (reached[t] <= pre->paths[t]->n_events && !barrier_ends_path (pre->paths[t], reached[t] - 1))
      return TRUE;
  return FALSE;
}

/* Does going past b need that a has come? Phases come one after the other. */
static gboolean is_awaited (const RspPreExecution *pre, const RspEvent *a, const RspEvent *b) {
  if (a->thread == b->thread || b->kind != RSP_EVENT_BARRIER)
    return FALSE;
  const RspEvent same = barrier_at_phase (b, a->barrier_count);
  if (b->barrier_phase)
    return a->barrier_count + b->barrier_arrives <= b->barrier_count
           && barrier_is_joined (pre->program, &same, a);
  return is_waiting (b) && !a->barrier_passes && barrier_is_joined (pre->program, b, a);
}

/* Without phases, a barrier that does not wait holds nothing up. By RSP_BARRIERS_ALL_THREADS, one
 * may wait for all that another thread does. */
gboolean barriers_may_block (const RspPreExecution *pre) {
  g_autoptr (RspArena) arena = rsp_arena_new ();
  RspMatrix *awaited = rsp_relation_new (arena, pre->n), *before = rsp_relation_new (arena, pre->n);
  gboolean any_all = FALSE;
  for (guint a = pre->first[0]; a < pre->n; a++)
    for (guint b = pre->first[0]; b < pre->n; b++)
      if (is_awaited (pre, pre->events[a], pre->events[b]))
        rsp_matrix_add (awaited, a, b);
  rsp_relation_compose (before, pre->base->relations[RSP_BASE_RELATION_PO], awaited);
  for (guint e = 0; e < pre->n; e++) {
    any_all |= pre->events[e]->barrier_all;
    for (guint other = 0; other < pre->n; other++)
      if (!is_waiting (pre->events[e]) && !pre->events[e]->barrier_phase)
        rsp_matrix_remove (before, e, other);
  }
  return any_all || !rsp_relation_is_acyclic (before);
}
