/* Waits: rounds of a loop that only read, and leave nothing behind.
 *
 * A round goes from the loop's head to its head. It waits if all its events are reads, one at
 * least, and every register that may still be read has the value it had. Whatever comes after such
 * a round could have come in its place. With RspPathOptions.spin_last a path has no such round. In
 * addition there are paths with exactly one of them, in one loop, and paths that end in one, which
 * show what the round adds and whether it may go on for ever. */
#ifndef RSP_ENUMERATOR_PATHS_WAIT_H
#define RSP_ENUMERATOR_PATHS_WAIT_H

#include "enumerator/paths/executor.h"

/* Notes that these states are at the loop's head. */
void wait_begin_rounds (RspExecutor *x, const RspStates *states);

/* At the end of a round: takes away states of `states` that have waited once too often; those that
 * may wait for ever go to out as well. The others are at the loop's head again. */
void wait_end_rounds (RspExecutor *x, const RspStatement *loop, RspStates *states, RspStates *out);

/* These states are outside the loop: in the round that they were in when they entered it. */
void wait_leave (const RspStates *states, const RspRound *outer);

#endif
