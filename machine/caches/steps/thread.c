/* Steps of threads alone: operations begin and end. */
#include "machine/caches/steps/thread.h"
#include "machine/program/outlook.h"
#include "parser/scopes.h"

const RspInstruction *thread_instruction (const Caches *m, const State *s, guint thread) {
  const Thread *at = &s->threads[thread];
  if (at->event == RSP_NO_EVENT)
    return NULL;
  const RspCode *code = rsp_code (m->codes, at->code);
  return at->at < code->n ? &code->instructions[at->at] : NULL;
}

guint64 thread_open (const Thread *thread) {
  guint64 open = 0;
  for (guint i = 0; i < thread->n_requests; i++)
    if (thread->requests[i].kind != RSP_MAP_CLEAN)
      open |= G_GUINT64_CONSTANT (1) << thread->requests[i].event;
  return open;
}

const RspOutlook *thread_outlook (Caches *m, const State *s, guint thread) {
  const Thread *at = &s->threads[thread];
  RspPoint point = { at->paths, at->done };
  if (at->event != RSP_NO_EVENT && (at->flags & THREAD_DONE))
    point.done |= G_GUINT64_CONSTANT (1) << at->event;
  point.done &= ~thread_open (at);
  return rsp_threads_outlook (m->threads, thread, point);
}

const RspOutlook *thread_choices (Caches *m, const State *s, guint thread) {
  const Thread *at = &s->threads[thread];
  return rsp_threads_outlook (m->threads, thread, (RspPoint){ at->paths, at->done });
}

const RspEvent *thread_event (Caches *m, const State *s, guint thread) {
  const Thread *at = &s->threads[thread];
  return rsp_threads_event (m->threads, thread, at->paths, at->event);
}

/* A thread waits for the values that decide how it goes on, and ends when nothing is outstanding.
 * None leaves a barrier before all threads that meet at it have entered it. */
gboolean thread_can_begin (Caches *m, const State *s, guint thread, const RspOperation *operation) {
  const Thread *at = &s->threads[thread];
  if (at->n_requests
      && (operation->event == RSP_NO_EVENT
          || rsp_threads_depends (m->threads, thread, at->paths, operation->event,
                                  thread_open (at))))
    return FALSE;
  if (operation->event == RSP_NO_EVENT || operation->first->kind != RSP_EVENT_EXIT)
    return TRUE;
  for (guint t = 0; t < m->n_threads; t++) {
    const Thread *other = &s->threads[t];
    if (t != thread
        && rsp_threads_share (&m->program->threads[t], &m->program->threads[thread],
                              operation->first->meeting)
        && rsp_threads_awaits (m->threads, t, (RspPoint){ other->paths, other->done },
                               operation->first))
      return FALSE;
  }
  return TRUE;
}

void thread_begin (Caches *m, State *s, guint thread, const RspOperation *operation) {
  Thread *at = &s->threads[thread];
  at->paths = operation->paths;
  if (operation->event == RSP_NO_EVENT) {
    at->flags |= THREAD_FINISHED | (operation->end == RSP_PATH_COMPLETE ? 0 : THREAD_LEFT);
    m->truncated |= operation->end == RSP_PATH_TRUNCATED;
    if (operation->end == RSP_PATH_FAILED)
      m->failed = operation;
    return;
  }
  int code = rsp_codes_find (m->codes, m->program, operation->first);
  if (code < 0) {
    at->flags |= THREAD_FINISHED | THREAD_LEFT;
    m->missing = operation->first;
    return;
  }
  at->event = operation->event;
  at->place = operation->place;
  at->code = (guint16) code;
  at->at = 0;
}

void thread_next (State *s, guint thread) {
  s->threads[thread].at++;
  s->threads[thread].flags &= (guint8) ~(THREAD_PUT | THREAD_WAITED);
}

gboolean thread_has_markers (const Caches *m, const State *s, guint thread) {
  for (guint node = 1; node < m->n_nodes; node++)
    if (fifo_has (m, s, node, (guint8) (MARKER | thread)))
      return TRUE;
  return FALSE;
}
