/* Steps of threads alone. */
#pragma once

#include "machine/caches/state.h"

const RspInstruction *thread_instruction (const Caches *m, const State *s, guint thread);
/* What lies ahead of what has taken effect, and what of the operations that have begun. */
const RspOutlook *thread_outlook (Caches *m, const State *s, guint thread);
const RspOutlook *thread_choices (Caches *m, const State *s, guint thread);
/* The events whose accesses are outstanding. */
guint64 thread_open (const Thread *thread);
const RspEvent *thread_event (Caches *m, const State *s, guint thread);
/* May the thread continue with this operation now? */
gboolean thread_can_begin (Caches *m, const State *s, guint thread, const RspOperation *operation);
void thread_begin (Caches *m, State *s, guint thread, const RspOperation *operation);
gboolean thread_has_markers (const Caches *m, const State *s, guint thread);
/* Completes the instruction. */
void thread_next (State *s, guint thread);
