/* Barriers of one event: which paths of the threads go past them together. */
#pragma once

#include "enumerator/search/sat/fold.h"

/* As many threads come to the barrier (or meet there) as its quorum says; without a quorum, all
 * that come to it do. */
Lit sat_barrier_has_enough (const SatFold *fold, const RspEvent *barrier, gboolean meet);
/* Requires that for all barriers that paths go past. Refuses if threads may wait for each other at
 * different barriers. */
void sat_barriers_require (SatFold *fold);
