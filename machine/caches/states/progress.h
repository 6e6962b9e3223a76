/* The progress of a state. */
#pragma once

#include "machine/caches/state.h"

/* A number that every step increases, except the arbitrary fetches and evictions of the full
 * search. data: Caches. */
guint64 caches_progress (gpointer data, RspBytes state);
