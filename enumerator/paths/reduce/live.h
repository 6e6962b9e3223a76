#ifndef RSP_ENUMERATOR_PATHS_REDUCE_LIVE_H
#define RSP_ENUMERATOR_PATHS_REDUCE_LIVE_H

#include "enumerator/paths/executor.h"

/* Fills x->live, x->escapes and x->observed. */
void executor_find_live (RspExecutor *x);

/* Per register: may its value at a loop's head still be read? In the executor's scratch arena. */
const guint8 *executor_live_at_head (RspExecutor *x, const RspStatement *loop);

#endif
