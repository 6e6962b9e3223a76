#pragma once

#include "enumerator/paths/executor.h"

/* Fills x->live, x->escapes and x->observed. */
void executor_find_live (RspExecutor *x);

/* Where do rounds of a loop begin and end: at the body (TRUE), or at the condition, because that
 * reads? */
gboolean executor_begins_with_body (const RspStatement *loop);
/* Per register: may its value where a round begins still be read? In the executor's scratch arena.
 */
const guint8 *executor_live_at_head (RspExecutor *x, const RspStatement *loop);
/* The same at a statement of code with jumps. */
const guint8 *executor_live_before (RspExecutor *x, const RspStatement *statement);
