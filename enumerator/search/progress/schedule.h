/* What an execution that never ends looks like: who waits where, and in which order its events may
 * happen. */
#pragma once

#include "enumerator/search/progress/hang.h"

/* Fills hang->threads and the schedule from its execution. fates: per thread. */
void schedule_describe (RspHang *hang, const RspFate *fates, RspArena *arena);
