/* LD, ST and RMW. */
#ifndef RSP_MACHINE_CACHES_STEPS_ACCESS_H
#define RSP_MACHINE_CACHES_STEPS_ACCESS_H

#include "machine/caches/state.h"

/* Calls `then` with each state to which the access may lead, after the instruction. */
typedef void (*Then) (Caches *m, State *s, guint thread);
void access_expand (Caches *m, const State *s, guint thread, Then then);
/* Is it a load whose value nothing can change any more, so that it can come first? */
gboolean access_is_settled (Caches *m, const State *s, guint thread);
/* Does it wait for others' dirty copies of its line? */
gboolean access_waits (Caches *m, const State *s, guint thread);

#endif
