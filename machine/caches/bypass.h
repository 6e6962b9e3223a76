/* What accesses pass by: levels inside the one where they act. */
#ifndef RSP_MACHINE_CACHES_BYPASS_H
#define RSP_MACHINE_CACHES_BYPASS_H

#include "machine/caches/state.h"

/* How many levels, from inside out, some access of the program passes by: it acts further out, and
 * neither waits for what is dirty there nor makes copies invalid. */
guint caches_bypassed (const Caches *m);

#endif
