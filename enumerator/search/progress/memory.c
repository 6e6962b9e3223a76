#include "enumerator/search/progress/memory.h"
#include "enumerator/event.h"

static gboolean is_repeated (const RspPreExecution *pre, guint event) {
  return rsp_set_has (pre->base->sets[RSP_BASE_SET_REPEATED], event);
}

/* The last write of a location before the rounds that repeat. */
static guint last_before (const RspExecution *execution, guint location) {
  const RspPreExecution *pre = execution->pre;
  guint last = pre->initial[location];
  for (guint e = 0; e < pre->n; e++)
    if (rsp_event_is_write (pre->events[e]) && pre->events[e]->location == location
        && !is_repeated (pre, e) && rsp_matrix_get (execution->co, last, e))
      last = e;
  return last;
}

gboolean memory_is_restored (const RspExecution *execution) {
  const RspPreExecution *pre = execution->pre;
  for (guint l = 0; l < pre->program->n_locations; l++)
    if (pre->initial[l] != G_MAXUINT
        && !rsp_value_equal (execution->written[last_before (execution, l)],
                             execution->written[execution->last[l]]))
      return FALSE;
  return TRUE;
}
