#include "enumerator/barriers.h"
#include "enumerator/event.h"
#include "parser/scopes.h"

static gboolean
is_waiting (const RspEvent *event)
{
  return event->kind == RSP_EVENT_BARRIER && !event->barrier_arrives;
}

static gboolean
is_met (const RspPreExecution *pre, const RspEvent *barrier, const RspEvent *other)
{
  const RspThread *threads = pre->program->threads;
  return other->kind == RSP_EVENT_BARRIER && rsp_event_is_same_barrier (other, barrier)
         && rsp_threads_share (&threads[other->thread], &threads[barrier->thread],
                               RSP_LEVEL_WORK_GROUP);
}

/* How many threads come to a barrier if each is at the event `at[thread]`. */
static guint
count_arrivals (const RspPreExecution *pre, const RspEvent *barrier, const guint *at)
{
  guint n = 0;
  for (guint t = 0; t < pre->program->n_threads; t++)
    for (guint e = pre->first[t]; e < pre->first[t + 1] && e <= at[t]; e++)
      n += is_met (pre, barrier, pre->events[e]);
  return n;
}

/* Is it the barrier at which its thread's path ends, as it waits there for ever, or is not run any more? */
static gboolean
is_end_of_path (const RspPreExecution *pre, guint thread, guint event)
{
  const RspPath *path = pre->paths[thread];
  return (path->end == RSP_PATH_BLOCKED || path->end == RSP_PATH_STOPPED)
         && event + 1 == pre->first[thread + 1];
}

/* Without a quorum, it is complete when all threads that execute it have come. */
static gboolean
is_passed (const RspPreExecution *pre, const RspEvent *event, const guint *at)
{
  if (!is_waiting (event))
    return TRUE;
  gint64 needed
      = event->barrier_quorum ? event->barrier_quorum : count_arrivals (pre, event, pre->first + 1);
  return count_arrivals (pre, event, at) >= needed;
}

gboolean
barriers_block (const RspPreExecution *pre)
{
  guint n_threads = pre->program->n_threads;
  g_autofree guint *at = g_memdup2 (pre->first, sizeof *at * (n_threads + 1));
  for (gboolean moved = TRUE; moved;)
    {
      moved = FALSE;
      for (guint t = 0; t < n_threads; t++)
        for (; at[t] < pre->first[t + 1] && is_passed (pre, pre->events[at[t]], at); at[t]++)
          moved = TRUE;
    }
  for (guint t = 0; t < n_threads; t++)
    if (at[t] < pre->first[t + 1] && !is_end_of_path (pre, t, at[t]))
      return TRUE;
  return FALSE;
}

gboolean
barriers_may_block (const RspPreExecution *pre)
{
  const RspMatrix *po = pre->base->relations[RSP_BASE_RELATION_PO];
  const RspMatrix *meets = pre->base->relations[RSP_BASE_RELATION_SAME_B];
  g_autoptr (RspArena) arena = rsp_arena_new ();
  RspMatrix *before = rsp_relation_new (arena, pre->n);
  rsp_relation_compose (before, po, meets);
  for (guint e = 0; e < pre->n; e++)
    for (guint other = 0; other < pre->n && !is_waiting (pre->events[e]); other++)
      rsp_matrix_remove (before, e, other);
  return !rsp_relation_is_acyclic (before);
}
