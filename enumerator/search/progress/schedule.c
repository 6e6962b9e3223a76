#include "enumerator/search/progress/schedule.h"
#include "enumerator/event.h"
#include "enumerator/terms/value.h"

/* ---- Who waits where ---- */

static void add_location (RspHangThread *thread, guint location) {
  for (guint i = 0; i < thread->n_locations; i++)
    if (thread->locations[i] == location)
      return;
  thread->locations[thread->n_locations++] = location;
}

static void describe_rounds (RspHangThread *thread, const RspPath *path, RspArena *arena) {
  thread->span = path->end_span;
  thread->locations = rsp_arena_new0 (arena, guint, path->n_events + 1);
  for (guint e = path->wait_end; e-- > path->wait_begin;)
    if (rsp_event_is_access (&path->events[e]))
      thread->span = path->events[e].span;
  for (guint e = path->wait_begin; e < path->wait_end; e++)
    if (rsp_event_is_read (&path->events[e]))
      add_location (thread, path->events[e].location);
}

static void describe_threads (RspHang *hang, const RspFate *fates, RspArena *arena) {
  const RspPreExecution *pre = hang->execution->pre;
  hang->threads = rsp_arena_new0 (arena, RspHangThread, pre->program->n_threads + 1);
  for (guint t = 0; t < pre->program->n_threads; t++) {
    RspHangThread *thread = &hang->threads[t];
    const RspPath *path = pre->paths[t];
    thread->fate = fates[t];
    thread->at_barrier = path->end == RSP_PATH_BLOCKED;
    if (thread->at_barrier)
      thread->span = path->events[path->n_events - 1].span;
    else if (path->end == RSP_PATH_STUCK)
      describe_rounds (thread, path, arena);
  }
}

/* ---- The schedule ---- */

static gboolean is_ready (const RspMatrix *before, const RspMatrix *done, guint event) {
  for (guint e = 0; e < before->n; e++)
    if (rsp_matrix_get (before, e, event) && !rsp_set_has (done, e))
      return FALSE;
  return TRUE;
}

/* The next event, if possible of the thread that ran last; what repeats comes last. If none is
 * ready because the order has cycles, the first. */
static guint next_event (const RspPreExecution *pre, const RspMatrix *before, const RspMatrix *done,
                         guint thread) {
  guint best = G_MAXUINT, first = G_MAXUINT;
  const RspMatrix *repeated = pre->base->sets[RSP_BASE_SET_REPEATED];
  for (guint e = pre->n; e-- > 0;) {
    if (rsp_set_has (done, e))
      continue;
    first = e;
    if (!is_ready (before, done, e))
      continue;
    if (best == G_MAXUINT || rsp_set_has (repeated, best) > rsp_set_has (repeated, e)
        || (rsp_set_has (repeated, best) == rsp_set_has (repeated, e)
            && (pre->events[best]->thread != thread || pre->events[e]->thread == thread)))
      best = e;
  }
  return best == G_MAXUINT ? first : best;
}

static void make_schedule (RspHang *hang, RspArena *arena) {
  const RspExecution *execution = hang->execution;
  const RspPreExecution *pre = execution->pre;
  RspMatrix *before = rsp_relation_new (arena, pre->n), *done = rsp_set_new (arena, pre->n);
  RspMatrix *inverse = rsp_relation_new (arena, pre->n);
  rsp_relation_inverse (inverse, execution->rf);
  rsp_relation_compose (before, inverse, execution->co); /* fr */
  rsp_matrix_union (before, before, execution->rf);
  rsp_matrix_union (before, before, execution->co);
  rsp_matrix_union (before, before, pre->base->relations[RSP_BASE_RELATION_PO]);
  for (guint e = 0; e < pre->n; e++)
    rsp_matrix_remove (before, e, e);
  hang->schedule = rsp_arena_new0 (arena, guint, pre->n + 1);
  guint thread = RSP_NO_THREAD;
  for (guint i = 0; i < pre->n; i++) {
    guint event = next_event (pre, before, done, thread);
    rsp_set_add (done, event);
    thread = pre->events[event]->thread;
    if (thread != RSP_NO_THREAD)
      hang->schedule[hang->n_schedule++] = event;
  }
}

void schedule_describe (RspHang *hang, const RspFate *fates, RspArena *arena) {
  describe_threads (hang, fates, arena);
  make_schedule (hang, arena);
}

/* ---- Warnings ---- */

static char *format_memory (const RspHang *hang) {
  const RspExecution *execution = hang->execution;
  const RspProgram *program = execution->pre->program;
  GString *text = g_string_new (NULL);
  for (guint l = 0; l < program->n_locations; l++)
    if (execution->last[l] != G_MAXUINT) {
      g_string_append_printf (text, " %s=", program->locations[l].name);
      rsp_value_format (program, &program->locations[l].type,
                        execution->written[execution->last[l]], text);
      g_string_append_c (text, ';');
    }
  return g_string_free (text, FALSE);
}

void rsp_hang_warn (const RspHangs *hangs, const RspHang *hang, RspDiagnostics *diagnostics) {
  g_autofree char *memory = format_memory (hang);
  for (guint t = 0; t < hangs->program.n_threads; t++)
    if (hang->threads[t].fate == RSP_FATE_UNENDING)
      rsp_warning (diagnostics, hang->threads[t].span, NULL, "test %s: P%u may wait for ever%s%s",
                   hangs->program.name, t,
                   hang->threads[t].at_barrier ? " at this barrier, with" : " here, with", memory);
}
