/* Operations of single caches. */
#pragma once

#include "machine/caches/state.h"

/* Lets each clean copy also hold the values one level out, which it may have fetched. */
void cache_refresh (const Caches *m, State *s);
/* Writes a new value at a node; it is dirty unless the node is memory. */
void cache_write (Caches *m, State *s, guint node, guint place, gint64 value);
/* Moves an entry of a FIFO, a dirty address, one level out. */
void cache_drain (Caches *m, State *s, guint node, guint i);
void cache_pop (const Caches *m, State *s, guint node, guint i);
/* How many entries of its FIFO may be drained next: the head only, or each. */
guint cache_n_drainable (const Caches *m, const State *s, guint node);
void cache_invalidate (const Caches *m, State *s, guint node);
/* Would cache_invalidate change anything observable? */
gboolean cache_invalidate_matters (const Caches *m, const State *s, guint node);
/* The node where a read at `node` finds its value: buffers without the address pass it on. */
guint cache_reader (const Caches *m, const State *s, guint node, guint place);
/* Records that a read at a node returned value number `value`: none older can be read there
 * again. */
void cache_pick (const Caches *m, State *s, guint node, guint place, guint value);
/* Fetches the line from the next outer node, and from further out if necessary, as a load that
 * misses does. FALSE if that is impossible now. */
gboolean cache_fetch (Caches *m, State *s, guint node, guint place);
/* Can the clean address at the head of the node's FIFO be removed at once? */
gboolean cache_head_is_settled (Caches *m, const State *s, guint node);
