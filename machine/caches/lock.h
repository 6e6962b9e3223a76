/* Locks of lines, held by threads. */
#pragma once

#include "machine/caches/state.h"

gboolean lock_is_free (const Caches *m, const State *s, guint thread,
                       const RspInstruction *instruction);
void lock_take (const Caches *m, State *s, guint thread, const RspInstruction *instruction);
void lock_release (State *s, guint thread);
/* Does h lock the line of a cache that is not its own work-group's? */
gboolean lock_is_out (const Caches *m, const State *s, guint h, guint node, guint place);
/* Does a line lock keep this cache from fetching the place? */
gboolean lock_stops_fetch (const Caches *m, const State *s, guint node, guint place);
/* … does it keep this thread from an access at a node outside its work-group? */
gboolean lock_stops_outer (const Caches *m, const State *s, guint thread, guint node, guint place);
/* … or from an RMW inside its work-group? */
gboolean lock_stops_rmw (const Caches *m, const State *s, guint thread);
/* … or from an acquire or release there? */
gboolean lock_stops_sync (const Caches *m, const State *s, guint thread);
gboolean lock_any_line (const Caches *m, const State *s);
