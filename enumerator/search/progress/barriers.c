#include "enumerator/search/progress/barriers.h"
#include "enumerator/event.h"
#include "parser/scopes.h"

static gboolean
share (const RspProgram *program, guint a, guint b, RspLevel level)
{
  return rsp_threads_share (&program->threads[a], &program->threads[b], level);
}

static gboolean
arrives (const RspPath *path, const RspEvent *barrier)
{
  for (guint e = 0; e < path->n_events; e++)
    if (rsp_event_is_arrival (&path->events[e])
        && rsp_event_is_same_barrier (&path->events[e], barrier))
      return TRUE;
  return FALSE;
}

static gboolean
is_complete (const RspProgram *program, const RspPath *const *paths, const RspEvent *barrier)
{
  guint size = 0, arrived = 0;
  for (guint t = 0; t < program->n_threads; t++)
    if (share (program, t, barrier->thread, barrier->meeting))
      {
        size++;
        arrived += arrives (paths[t], barrier);
      }
  return arrived >= (barrier->barrier_quorum ? (guint) barrier->barrier_quorum : size);
}

static guint
count_repeated (const RspPath *path, RspLevel level)
{
  guint n = 0;
  for (guint e = path->wait_begin; path->end == RSP_PATH_STUCK && e < path->wait_end; e++)
    n += rsp_event_is_arrival (&path->events[e])
         && path->events[e].meeting == level;
  return n;
}

/* The other threads of the group repeat as many of its barriers. */
static gboolean
repeats_alike (const RspProgram *program, const RspPath *const *paths, guint thread, RspLevel level)
{
  guint n = count_repeated (paths[thread], level);
  for (guint t = 0; n && t < program->n_threads; t++)
    if (share (program, t, thread, level) && count_repeated (paths[t], level) != n)
      return FALSE;
  return TRUE;
}

static gboolean
path_is_allowed (const RspProgram *program, const RspPath *const *paths, guint thread)
{
  const RspPath *path = paths[thread];
  for (guint e = 0; e < path->n_events; e++)
    {
      const RspEvent *event = &path->events[e];
      gboolean waits = path->end == RSP_PATH_BLOCKED && e + 1 == path->n_events;
      gboolean stops = path->end == RSP_PATH_STOPPED && e + 1 == path->n_events;
      if (rsp_event_is_arrival (event) && !event->barrier_arrives && !stops
          && is_complete (program, paths, event) == waits)
        return FALSE;
    }
  for (RspLevel level = 0; level <= RSP_LEVEL_SYSTEM; level++)
    if (!repeats_alike (program, paths, thread, level))
      return FALSE;
  return TRUE;
}

gboolean
barriers_allow (const RspProgram *program, const RspPath *const *paths)
{
  for (guint t = 0; t < program->n_threads; t++)
    if (!path_is_allowed (program, paths, t))
      return FALSE;
  return TRUE;
}
