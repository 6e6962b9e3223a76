/* What a thread has issued and what has not taken effect: accesses and write-backs. */
#pragma once

#include "machine/caches/state.h"

void request_remove (State *s, guint thread, guint i);
/* May it take effect before the others? Accesses of local memory keep their order; a CLEAN comes
 * after the accesses of global memory that were issued before it. */
gboolean request_is_first (const Caches *m, const State *s, guint thread, guint i);
/* Is anything outstanding that the WAIT waits for? */
gboolean request_is_awaited (const Caches *m, const State *s, guint thread,
                             const RspInstruction *wait);
/* Issues the thread's next instruction, a CLEAN. FALSE if too much is outstanding. */
gboolean request_issue_write_back (Caches *m, State *s, guint thread);
/* Does the CLEAN find nothing to write? */
gboolean request_is_idle (Caches *m, State *s, guint thread, guint i);
void request_write_back (Caches *m, State *s, guint thread, guint i);
