/* Waits: rounds of a loop that change nothing.
 *
 * A round goes from the loop's head to its head. It waits if all its events (at least one) are
 * reads, and read-modify-writes that write what they read, and every register that may still be
 * read keeps its value. Whatever follows such a round could have happened instead of it. With
 * RspPathOptions.spin_last, paths have no such rounds. In addition there are paths with up to
 * RSP_MAX_WAITS of them, which show what one more adds.
 *
 * With RspPathOptions.cycles, there are also paths that end in any rounds after which all registers
 * are what they were before. */
#pragma once

#include "enumerator/paths/executor.h"

/* Records that these states are at the loop's head. */
void wait_begin_rounds (RspExecutor *x, const RspStates *states);

/* At the end of a round: removes from `states` those that have waited once too often; those whose
 * rounds may repeat for ever also go to out. The others are at the loop's head again. live: per
 * register, may its value there still be read? */
void wait_end_rounds (RspExecutor *x, const RspStatement *loop, const guint8 *live,
                      RspStates *states, RspStates *out);

/* Records that these states have left the loop, and are back in the round in which they entered
 * it. */
void wait_leave (const RspStates *states, const RspRound *outer);

/* Ends states that have gone round a loop as often as they may, except those that have waited in it
 * more than extra_rounds times, which may go on as often again. The former go to out. */
void wait_truncate_rounds (const RspStatement *loop, guint extra_rounds, RspStates *states,
                           RspStates *out);
