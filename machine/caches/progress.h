/* How far a state has come. */
#ifndef RSP_MACHINE_CACHES_PROGRESS_H
#define RSP_MACHINE_CACHES_PROGRESS_H

#include "machine/caches/state.h"

/* A number that every step increases, but for fetches and evictions at any time, which the full search has.
 * data: Caches. */
guint64 caches_progress (gpointer data, RspBytes state);

#endif
