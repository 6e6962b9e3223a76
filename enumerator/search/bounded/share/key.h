#pragma once

#include "base/hash.h"
#include "enumerator/search/bounded/searcher.h"
#include "enumerator/search/bounded/values/observe.h"

void key_open (Searcher *s);

/* The key of a node's residual problem. undefined: every completion is known to break a
 * requirement. */
RspHash key_of_node (Searcher *s, const Observed *observed, gboolean undefined);
