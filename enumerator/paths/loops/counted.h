#pragma once

#include "enumerator/paths/executor.h"

/* Do registers that every round changes alike decide how many rounds the loop has, whatever is read
 * in it? `for (i = 0; i < n; i++)`: the loop then ends by itself if their values are known. */
gboolean loop_is_counted (RspExecutor *x, const RspStatement *loop);

/* Does it have a `break` that only registers decide, of which a round changes some? */
gboolean loop_counts_to_break (RspExecutor *x, const RspStatement *loop);
