#include "enumerator/barriers.h"
#include "parser/scopes.h"

static gboolean
is_waiting (const RspEvent *event)
{
  return event->kind == RSP_EVENT_BARRIER && !event->barrier_arrives;
}

gboolean
barrier_is_joined (const RspProgram *program, const RspEvent *barrier, const RspEvent *event)
{
  const RspThread *threads = program->threads;
  return rsp_event_is_arrival (event) && rsp_event_is_same_barrier (event, barrier)
         && rsp_threads_share (&threads[event->thread], &threads[barrier->thread],
                               barrier->meeting);
}

BarrierArrivals
barrier_count_arrivals (const RspProgram *program, const RspPath *const *paths,
                        const guint *reached, const RspEvent *barrier)
{
  BarrierArrivals n = { 0, 0 };
  for (guint t = 0; t < program->n_threads; t++)
    for (guint e = 0; e < paths[t]->n_events && (!reached || e < reached[t]); e++)
      {
        gboolean joins = barrier_is_joined (program, barrier, &paths[t]->events[e]);
        n.all += joins;
        n.meeting += joins && !paths[t]->events[e].barrier_passes;
      }
  return n;
}

gboolean
barrier_ends_path (const RspPath *path, guint event)
{
  return (path->end == RSP_PATH_BLOCKED || path->end == RSP_PATH_STOPPED)
         && event + 1 == path->n_events;
}

/* All that meet at a barrier must have come to it, and they must be enough. */
static gboolean
is_passed (const RspPreExecution *pre, const RspEvent *event, const guint *reached)
{
  if (event->kind != RSP_EVENT_BARRIER || !barrier_needs_quorum (event))
    return TRUE;
  BarrierArrivals all = barrier_count_arrivals (pre->program, pre->paths, NULL, event),
                  here = barrier_count_arrivals (pre->program, pre->paths, reached, event);
  return all.meeting >= barrier_quorum (event, all)
         && (!is_waiting (event) || here.meeting == all.meeting);
}

/* Goes on as far as the thread can: it has reached one event more than it has gone past. */
static gboolean
go_on (const RspPreExecution *pre, guint thread, guint *reached)
{
  const RspPath *path = pre->paths[thread];
  guint before = reached[thread];
  while (reached[thread] <= path->n_events
         && is_passed (pre, &path->events[reached[thread] - 1], reached))
    reached[thread]++;
  return reached[thread] > before;
}

gboolean
barriers_block (const RspPreExecution *pre)
{
  guint n_threads = pre->program->n_threads;
  g_autofree guint *reached = g_new (guint, n_threads + 1);
  for (guint t = 0; t < n_threads; t++)
    reached[t] = 1;
  for (gboolean moved = TRUE; moved;)
    {
      moved = FALSE;
      for (guint t = 0; t < n_threads; t++)
        moved |= go_on (pre, t, reached);
    }
  for (guint t = 0; t < n_threads; t++)
    if (reached[t] <= pre->paths[t]->n_events && !barrier_ends_path (pre->paths[t], reached[t] - 1))
      return TRUE;
  return FALSE;
}

/* Does waiting at b need that a has come? */
static gboolean
is_awaited (const RspPreExecution *pre, const RspEvent *a, const RspEvent *b)
{
  return is_waiting (b) && a->thread != b->thread && !a->barrier_passes
         && barrier_is_joined (pre->program, b, a);
}

gboolean
barriers_may_block (const RspPreExecution *pre)
{
  g_autoptr (RspArena) arena = rsp_arena_new ();
  RspMatrix *awaited = rsp_relation_new (arena, pre->n), *before = rsp_relation_new (arena, pre->n);
  for (guint a = pre->first[0]; a < pre->n; a++)
    for (guint b = pre->first[0]; b < pre->n; b++)
      if (is_awaited (pre, pre->events[a], pre->events[b]))
        rsp_matrix_add (awaited, a, b);
  rsp_relation_compose (before, pre->base->relations[RSP_BASE_RELATION_PO], awaited);
  for (guint e = 0; e < pre->n; e++)
    for (guint other = 0; other < pre->n && !is_waiting (pre->events[e]); other++)
      rsp_matrix_remove (before, e, other);
  return !rsp_relation_is_acyclic (before);
}
