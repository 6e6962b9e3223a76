/* Steps that need no choice. */
#pragma once

#include "machine/caches/state.h"

/* Takes all steps that need no choice, then tidies. */
void caches_settle (Caches *m, State *s);
