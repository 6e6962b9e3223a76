/* The properties of an event of a pre-execution. */
#pragma once

#include "enumerator/paths/path.h"

static inline gboolean
rsp_event_is_access (const RspEvent *event)
{
  return event->location != RSP_NO_LOCATION;
}

static inline gboolean
rsp_event_is_read (const RspEvent *event)
{
  return event->kind == RSP_EVENT_READ || event->kind == RSP_EVENT_RMW;
}

static inline gboolean
rsp_event_is_write (const RspEvent *event)
{
  return event->kind == RSP_EVENT_WRITE || event->kind == RSP_EVENT_RMW;
}

static inline gboolean
rsp_event_is_initial (const RspEvent *event)
{
  return event->thread == RSP_NO_THREAD;
}

/* At a barrier. */
static inline gboolean
rsp_event_is_arrival (const RspEvent *event)
{
  return event->kind == RSP_EVENT_ENTRY || event->kind == RSP_EVENT_BARRIER;
}

/* Are both halves of one barrier instance (by label or place, and count)? */
static inline gboolean
rsp_event_is_same_barrier (const RspEvent *a, const RspEvent *b)
{
  return a->barrier && b->barrier && a->barrier_count == b->barrier_count
         && g_str_equal (a->barrier, b->barrier);
}
