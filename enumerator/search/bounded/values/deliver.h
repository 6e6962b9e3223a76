#pragma once

#include "enumerator/search/bounded/searcher.h"
#include "enumerator/search/bounded/values/observe.h"

/* Records a node's results as states of the program. undefined, flags: known of all of them. */
void deliver (Searcher *s, const Observed *observed, const RspResults *results, gboolean undefined,
              guint32 flags);
