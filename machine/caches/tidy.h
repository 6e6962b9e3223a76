/* The canonical form of a state. */
#ifndef RSP_MACHINE_CACHES_TIDY_H
#define RSP_MACHINE_CACHES_TIDY_H

#include "machine/caches/state.h"

/* Drops what can no longer matter, and renumbers the values. */
void caches_tidy (Caches *m, State *s);

#endif
