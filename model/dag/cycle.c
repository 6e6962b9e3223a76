#include "model/dag/cycle.h"

enum {
  FIRST_KEPT = 8 /* rounds: most definitions settle earlier, so that nothing is copied for them */
};

static gboolean equals_kept (const RspCycle *cycle, RspMatrix *const *values, guint n) {
  for (guint i = 0; i < n; i++)
    if (!rsp_matrix_equal (cycle->kept[i], values[i]))
      return FALSE;
  return TRUE;
}

static void keep (RspCycle *cycle, RspMatrix *const *values, guint n) {
  if (!cycle->arena) {
    cycle->arena = rsp_arena_new ();
    cycle->kept = rsp_arena_new0 (cycle->arena, RspMatrix *, n);
    for (guint i = 0; i < n; i++)
      cycle->kept[i] = rsp_matrix_copy (cycle->arena, values[i]);
  }
  for (guint i = 0; i < n; i++)
    rsp_matrix_assign (cycle->kept[i], values[i]);
}

gboolean rsp_cycle_closes (RspCycle *cycle, RspMatrix *const *values, guint n) {
  cycle->round++;
  if (cycle->arena && equals_kept (cycle, values, n))
    return TRUE;
  if (cycle->round == MAX (cycle->next, FIRST_KEPT)) {
    keep (cycle, values, n);
    cycle->next = 2 * cycle->round;
  }
  return FALSE;
}

void rsp_cycle_clear (RspCycle *cycle) {
  rsp_arena_free (cycle->arena);
  *cycle = (RspCycle){ 0 };
}
