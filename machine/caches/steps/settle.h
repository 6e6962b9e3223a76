/* Steps that need no choice. */
#ifndef RSP_MACHINE_CACHES_STEPS_SETTLE_H
#define RSP_MACHINE_CACHES_STEPS_SETTLE_H

#include "machine/caches/state.h"

/* Takes all steps that need no choice, then tidies. */
void caches_settle (Caches *m, State *s);

#endif
