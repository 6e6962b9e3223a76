#pragma once

#include "enumerator/search/bounded/values/observe.h"

/* The values that matter at a node. */
struct Demanded {
  guint8 *events;  /* two per event: what it reads, what it writes */
  gboolean whole;  /* everything is in demand */
  guint8 *visited; /* scratch: per event */
};

/* After the root has been propagated: makes s->demand if there is something to gain. */
void demand_open (Searcher *s);
/* Finds which values matter at this node. */
void rsp_demand_find (Searcher *s, const Observed *observed);

/* Among the open reads whose values, computed by some thread, determine an open observable through
 * decided reads: the one with the fewest candidates, or G_MAXUINT. */
guint demand_next_read (Searcher *s, const Observed *observed);

/* Do all values matter because some may justify each other in a cycle? */
static inline gboolean demand_is_whole (const Searcher *s) { return s->demand && s->demand->whole; }

/* Does it matter what the event reads, or what it writes? */
static inline gboolean demand_has_read (const Searcher *s, guint event) {
  return !s->demand || s->demand->whole || s->demand->events[2 * event];
}

static inline gboolean demand_has_written (const Searcher *s, guint event) {
  return !s->demand || s->demand->whole || s->demand->events[2 * event + 1];
}
