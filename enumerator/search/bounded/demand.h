#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_DEMAND_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_DEMAND_H

#include "enumerator/search/bounded/searcher.h"

/* After the root is propagated: allocates s->demand where there is something to gain. */
void demand_open (Bounded *s);
/* Finds which values matter at this node. */
void demand_find (Bounded *s, const Observed *observed);

/* An open read on whose value, computed by some thread, an open observable depends by way of decided ones:
 * that with the fewest candidates, or G_MAXUINT. */
guint demand_next_read (Bounded *s, const Observed *observed);

/* Does it matter what the event reads; what it writes? */
static inline gboolean
demand_has_read (const Bounded *s, guint event)
{
  return !s->demand || s->all_in_demand || s->demand[2 * event];
}

static inline gboolean
demand_has_written (const Bounded *s, guint event)
{
  return !s->demand || s->all_in_demand || s->demand[2 * event + 1];
}

#endif
