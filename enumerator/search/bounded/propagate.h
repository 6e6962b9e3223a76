#pragma once

#include "enumerator/search/bounded/searcher.h"

/* At the root: initial writes come first in co; initial values, constants, constraints on single
 * reads. FALSE: no completion. */
gboolean propagate_begin (Searcher *s);
/* Draws all conclusions from the decisions, to a fixpoint. FALSE: no completion. */
gboolean propagate (Searcher *s);
