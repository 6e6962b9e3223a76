/* LD, ST and RMW. */
#pragma once

#include "machine/caches/state.h"

/* Calls `then` with each state to which the access may lead, after the instruction. */
typedef void (*Then) (Caches *m, State *s, guint thread);
void access_expand (Caches *m, const State *s, guint thread, Then then);
/* Is it a load whose value nothing can change any more, so that it can come first? */
gboolean access_is_settled (Caches *m, const State *s, guint thread);
/* Outstanding accesses (accesses=counted): may the thread's next instruction be issued; can it be
 * at once, since the time makes no difference to others? */
gboolean access_can_issue (Caches *m, const State *s, guint thread);
gboolean access_is_issued_at_once (Caches *m, const State *s, guint thread);
void access_issue (Caches *m, State *s, guint thread);
/* Like access_expand, of a request. settled: only if access_is_settled. FALSE if it cannot take
 * effect now. */
gboolean request_expand (Caches *m, const State *s, guint thread, guint i, gboolean settled,
                         Then then);
/* Does a line lock, whose holder does not wait for others' dirty copies of the line, keep this
 * cache from draining the place? */
gboolean access_stops_drain (Caches *m, const State *s, guint node, guint place);
