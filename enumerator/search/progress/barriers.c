#include "enumerator/search/progress/barriers.h"
#include "enumerator/barriers.h"
#include "enumerator/paths/loops/cut.h"
#include "parser/scopes.h"

static gboolean share (const RspProgram *program, guint a, guint b, RspLevel level) {
  return rsp_threads_share (&program->threads[a], &program->threads[b], level);
}

static gboolean arrives (const RspPath *path, const RspEvent *barrier) {
  for (guint e = 0; e < path->n_events; e++)
    if (rsp_event_is_arrival (&path->events[e])
        && rsp_event_is_same_barrier (&path->events[e], barrier))
      return TRUE;
  return FALSE;
}

/* ---- Once ---- */

gboolean rsp_barrier_is_held (const BarrierThreads *threads, guint thread, const RspPath *path,
                              const RspEvent *barrier) {
  if (arrives (path, barrier))
    return FALSE;
  if (barrier->kind != RSP_EVENT_BARRIER)
    return TRUE;
  if (path->end == RSP_PATH_COMPLETE || barrier->barrier_all)
    return barrier->barrier_all && path->end != RSP_PATH_COMPLETE;
  for (guint i = 0; i < threads->paths[thread]->len; i++) {
    const RspPath *other = threads->paths[thread]->pdata[i];
    if (arrives (other, barrier) && rsp_path_may_become (path, other, threads->terms))
      return TRUE;
  }
  return FALSE;
}

/* Its thread goes past it if enough threads meet, and waits for ever only if not enough come to it.
 */
static gboolean is_complete (const BarrierThreads *threads, const RspPath *const *chosen,
                             const RspEvent *barrier, gboolean waits) {
  const RspProgram *program = threads->program;
  BarrierArrivals n = barrier_count_arrivals (program, chosen, NULL, barrier);
  if ((waits ? n.all : n.meeting) < barrier_quorum (barrier, n))
    return FALSE;
  for (guint t = 0; t < program->n_threads && !barrier->barrier_quorum; t++)
    if (share (program, t, barrier->thread, barrier->meeting)
        && rsp_barrier_is_held (threads, t, chosen[t], barrier))
      return FALSE;
  return TRUE;
}

static gboolean path_is_allowed (const BarrierThreads *threads, const RspPath *const *chosen,
                                 guint thread) {
  const RspPath *path = chosen[thread];
  for (guint e = 0; e < path->n_events; e++) {
    const RspEvent *event = &path->events[e];
    gboolean waits = path->end == RSP_PATH_BLOCKED && barrier_ends_path (path, e);
    gboolean stops = path->end == RSP_PATH_STOPPED && barrier_ends_path (path, e);
    if (rsp_event_is_arrival (event) && !barrier_phases_fit (threads->program, chosen, NULL, event))
      return FALSE;
    if (barrier_needs_quorum (event) && !stops
        && is_complete (threads, chosen, event, waits) == waits)
      return FALSE;
  }
  return TRUE;
}

/* ---- For ever ---- */

/* Is it the same barrier, at any time? */
static gboolean is_repeated (const RspEvent *event, const RspEvent *barrier) {
  return event->kind == barrier->kind && event->barrier_name == barrier->barrier_name
         && (barrier->kind != RSP_EVENT_BARRIER || g_str_equal (event->barrier, barrier->barrier))
         && event->meeting == barrier->meeting;
}

/* In the events [begin, end) of a path. */
static guint count_repeated (const RspPath *path, guint begin, guint end, const RspEvent *barrier) {
  guint n = 0;
  for (guint e = begin; e < end; e++)
    n += rsp_event_is_arrival (&path->events[e]) && is_repeated (&path->events[e], barrier);
  return n;
}

static guint count_in_rounds (const RspPath *path, const RspEvent *barrier) {
  return path->end == RSP_PATH_STUCK
             ? count_repeated (path, path->wait_begin, path->wait_end, barrier)
             : 0;
}

/* The barrier as the thread comes to it the next time. */
static RspEvent next_time (const RspPath *path, const RspEvent *barrier) {
  RspEvent next = *barrier;
  next.barrier_count = count_repeated (path, 0, path->n_events, barrier);
  return next;
}

/* The thread repeats the barrier as often as the other or, where the others do not wait for it, not
 * at all. */
static gboolean repeats_alike (const BarrierThreads *threads, const RspPath *const *chosen,
                               guint thread, const RspEvent *barrier, guint n) {
  guint own = count_in_rounds (chosen[thread], barrier);
  RspEvent next = next_time (chosen[thread], barrier);
  return own == n
         || (!own
             && (barrier->barrier_quorum
                 || !rsp_barrier_is_held (threads, thread, chosen[thread], &next)));
}

static gboolean is_repeated_well (const BarrierThreads *threads, const RspPath *const *chosen,
                                  const RspEvent *barrier) {
  const RspProgram *program = threads->program;
  guint n = count_in_rounds (chosen[barrier->thread], barrier);
  gint64 meeting = 0;
  for (guint t = 0; t < program->n_threads; t++) {
    const RspPath *path = chosen[t];
    if (!share (program, t, barrier->thread, barrier->meeting))
      continue;
    if (!repeats_alike (threads, chosen, t, barrier, n))
      return FALSE;
    for (guint e = path->wait_begin; e < path->wait_end && path->end == RSP_PATH_STUCK; e++)
      meeting += barrier_is_joined (program, barrier, &path->events[e])
                 && !path->events[e].barrier_passes;
  }
  return meeting >= barrier->barrier_quorum;
}

static gboolean rounds_are_allowed (const BarrierThreads *threads, const RspPath *const *chosen,
                                    guint thread) {
  const RspPath *path = chosen[thread];
  for (guint e = path->wait_begin; path->end == RSP_PATH_STUCK && e < path->wait_end; e++)
    if (barrier_needs_quorum (&path->events[e])
        && !is_repeated_well (threads, chosen, &path->events[e]))
      return FALSE;
  return TRUE;
}

gboolean barriers_allow (const BarrierThreads *threads, const RspPath *const *chosen) {
  for (guint t = 0; t < threads->program->n_threads; t++)
    if (!path_is_allowed (threads, chosen, t) || !rounds_are_allowed (threads, chosen, t))
      return FALSE;
  return TRUE;
}

gboolean barriers_repeat_phases (const RspPath *path) {
  for (guint e = path->wait_begin; path->end == RSP_PATH_STUCK && e < path->wait_end; e++)
    if (path->events[e].barrier_phase)
      return TRUE;
  return FALSE;
}
