/* May rounds that only wait be left out (enumerator/search/spin.h)? Asked of the solver for all
 * combinations of paths at once. */
#pragma once

#include "enumerator/search/spin.h"

/* TRUE: of every accepted execution in which a thread waits once or twice, and each other one at
 * most once, what is left without the thread's round (of several in a row, the first) is accepted,
 * ends in the same state and has all flags of the whole. FALSE is not certain. */
gboolean sat_rounds_may_go (const RspSpin *spin);
