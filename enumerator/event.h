/* The properties of an event of a pre-execution. */
#pragma once

#include "enumerator/paths/path.h"

static inline gboolean rsp_event_is_access (const RspEvent *event) {
  return event->location != RSP_NO_LOCATION;
}

static inline gboolean rsp_event_is_read (const RspEvent *event) {
  return event->kind == RSP_EVENT_READ || event->kind == RSP_EVENT_RMW;
}

static inline gboolean rsp_event_is_write (const RspEvent *event) {
  return event->kind == RSP_EVENT_WRITE || event->kind == RSP_EVENT_RMW;
}

static inline gboolean rsp_event_is_initial (const RspEvent *event) {
  return event->thread == RSP_NO_THREAD;
}

/* Of what accesses nothing. A barrier of one event is a fence too if it has an order; a device
 * operation is none. */
static inline gboolean rsp_event_is_fence_of (RspEventKind kind, guint64 tags) {
  return !(tags & (RSP_TAG_BIT (AVDEVICE) | RSP_TAG_BIT (VISDEVICE)))
         && (kind != RSP_EVENT_BARRIER || (tags & (RSP_TAG_BIT (ACQ) | RSP_TAG_BIT (REL))) != 0);
}

/* At a barrier. */
static inline gboolean rsp_event_is_arrival (const RspEvent *event) {
  return event->kind == RSP_EVENT_ENTRY || event->kind == RSP_EVENT_BARRIER;
}

/* Are both halves of one barrier instance (by label or place, name, and count)? */
static inline gboolean rsp_event_is_same_barrier (const RspEvent *a, const RspEvent *b) {
  return a->barrier && b->barrier && a->barrier_count == b->barrier_count
         && a->barrier_name == b->barrier_name && g_str_equal (a->barrier, b->barrier);
}

/* Are they alike but for their thread, place in the program and values? */
static inline gboolean rsp_event_is_alike (const RspEvent *a, const RspEvent *b) {
  return a->kind == b->kind && a->location == b->location && a->order == b->order
         && a->scope == b->scope && a->flags == b->flags && a->is_atomic == b->is_atomic
         && a->remote == b->remote && a->failed_rmw == b->failed_rmw && a->no_result == b->no_result
         && a->rmw_half == b->rmw_half && g_strcmp0 (a->barrier, b->barrier) == 0
         && a->barrier_count == b->barrier_count && a->tags == b->tags && a->reach == b->reach
         && a->virtual_location == b->virtual_location && a->barrier_name == b->barrier_name
         && a->barrier_quorum == b->barrier_quorum && a->barrier_arrives == b->barrier_arrives
         && a->barrier_passes == b->barrier_passes && a->meeting == b->meeting;
}
