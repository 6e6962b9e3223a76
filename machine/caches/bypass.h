/* Levels that accesses bypass: those inside the level where they act. */
#pragma once

#include "machine/caches/state.h"

/* The number of levels, from inside out, that some access of the program bypasses: it acts further
 * out, and neither waits for dirty lines there nor invalidates copies. */
guint caches_bypassed (const Caches *m);
