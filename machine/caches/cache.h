/* What single caches do. */
#ifndef RSP_MACHINE_CACHES_CACHE_H
#define RSP_MACHINE_CACHES_CACHE_H

#include "machine/caches/state.h"

/* Lets each clean copy hold what is one level out: fetches that may have happened. */
void cache_refresh (const Caches *m, State *s);
/* A new value at a node, dirty unless that is memory. */
void cache_write (Caches *m, State *s, guint node, guint place, gint64 value);
/* The head of a FIFO, an address, goes one level out. */
void cache_drain (Caches *m, State *s, guint node);
void cache_pop (const Caches *m, State *s, guint node);
void cache_invalidate (const Caches *m, State *s, guint node);
/* Would cache_invalidate change anything observable? */
gboolean cache_invalidate_matters (const Caches *m, const State *s, guint node);
/* The node where a read at `node` finds its value: buffers without the address pass it on. */
guint cache_reader (const Caches *m, const State *s, guint node, guint place);
/* A read at a node returned value number `value`: none older will be read there again. */
void cache_pick (const Caches *m, State *s, guint node, guint place, guint value);
/* The node fetches the line from the one outside it, and that from the next, if need be: what a load
 * that misses does. FALSE when it cannot now. */
gboolean cache_fetch (Caches *m, State *s, guint node, guint place);
/* May the address at the head of the node's FIFO, clean, go before something else happens? */
gboolean cache_head_is_settled (Caches *m, const State *s, guint node);
gboolean fifo_has (const Caches *m, const State *s, guint node, guint8 entry);

#endif
