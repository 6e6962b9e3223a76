/* The canonical form of a state. */
#ifndef RSP_MACHINE_CACHES_TIDY_H
#define RSP_MACHINE_CACHES_TIDY_H

#include "machine/caches/state.h"

/* Forgets what cannot matter any more and numbers the values anew. */
void caches_tidy (Caches *m, State *s);

#endif
