/* Waits: rounds of a loop that only read and change nothing.
 *
 * A round goes from the loop's head to its head. It waits if all its events are reads (at least
 * one) and every register that may still be read keeps its value. Whatever follows such a round
 * could have happened instead of it. With RspPathOptions.spin_last, paths have no such rounds. In
 * addition there are paths with up to RSP_MAX_WAITS of them, which show what one more adds, and
 * paths that end in one, which show whether it may continue for ever. */
#ifndef RSP_ENUMERATOR_PATHS_WAIT_H
#define RSP_ENUMERATOR_PATHS_WAIT_H

#include "enumerator/paths/executor.h"

/* Records that these states are at the loop's head. */
void wait_begin_rounds (RspExecutor *x, const RspStates *states);

/* At the end of a round: removes from `states` those that have waited once too often; those that
 * may wait for ever also go to out. The others are at the loop's head again. */
void wait_end_rounds (RspExecutor *x, const RspStatement *loop, RspStates *states, RspStates *out);

/* Records that these states have left the loop, and are back in the round in which they entered
 * it. */
void wait_leave (const RspStates *states, const RspRound *outer);

#endif
