/* Accesses that bypass caches. Without them, it cannot be observed whether the only cache of a
 * level or the memory behind it has a value, nor when a line that is used only inside a cache is
 * drained. */
#include "machine/caches/bypass.h"

typedef struct Pass {
  const Caches *m;
  guint levels; /* found so far */
} Pass;

/* Does a write further out wait for dirty lines inside, and invalidate copies? */
static gboolean writes_with_care (const RspReadings *readings) {
  return readings->rmw_waits != RMW_NONE && readings->rmw_invalidates != RMW_NONE;
}

/* How far out the instruction acts. A plain ST under LOCK rmw may act in memory (locked-store). */
static guint level_of (const Caches *m, const RspInstruction *instruction, gboolean locked) {
  gboolean outer = instruction->kind == RSP_MAP_ST && instruction->bare && locked;
  return outer ? m->codes->n_levels : instruction->level;
}

static void look_at (gpointer user, const RspEvent *event) {
  Pass *pass = user;
  const Caches *m = pass->m;
  gboolean locked = FALSE;
  int number = rsp_codes_find (m->codes, m->program, event);
  for (guint i = 0; number >= RSP_CODE_FIRST && i < rsp_code (m->codes, (guint) number)->n; i++) {
    const RspInstruction *instruction = &rsp_code (m->codes, (guint) number)->instructions[i];
    gboolean careful
        = (instruction->kind != RSP_MAP_LD || m->counted) && writes_with_care (&m->readings);
    if (instruction->kind <= RSP_MAP_READ_WRITE && !careful)
      pass->levels = MAX (pass->levels, level_of (m, instruction, locked));
    locked |= instruction->kind == RSP_MAP_LOCK && (instruction->locks & RSP_MAP_RMWS);
    locked &= instruction->kind != RSP_MAP_UNLOCK;
  }
}

guint caches_bypassed (const Caches *m) {
  Pass pass = { m, 0 };
  rsp_threads_each_event (m->threads, look_at, &pass);
  return pass.levels;
}
