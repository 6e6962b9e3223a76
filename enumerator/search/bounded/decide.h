#pragma once

#include "enumerator/search/bounded/searcher.h"

/* Decides that a comes before b in co or a chosen order, and so everything before a before
 * everything after b. FALSE if that is excluded. */
gboolean decide_order (Searcher *s, guint leaf, guint a, guint b);
/* Decides that a does not come before b: in a total order, or if they must be related, that b comes
 * before a. FALSE if that is excluded. */
gboolean exclude_order (Searcher *s, guint leaf, guint a, guint b);
/* Decides that the read reads from this write. FALSE if that is excluded. */
gboolean decide_source (Searcher *s, guint write, guint read);
