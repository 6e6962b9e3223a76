/* The canonical form of a state. */
#pragma once

#include "machine/caches/state.h"

/* Drops what can no longer matter, and renumbers the values. */
void caches_tidy (Caches *m, State *s);
