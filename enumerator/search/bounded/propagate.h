#ifndef RSP_ENUMERATOR_SEARCH_BOUNDED_PROPAGATE_H
#define RSP_ENUMERATOR_SEARCH_BOUNDED_PROPAGATE_H

#include "enumerator/search/bounded/searcher.h"

/* At the root: initial values, constants, constraints on single reads. FALSE: no
 * completion. */
gboolean bounded_start (Bounded *s);
/* Draws every conclusion from what was decided, to a fixpoint. FALSE: no completion. */
gboolean bounded_propagate (Bounded *s);
gboolean bounded_order (Bounded *s, guint leaf, guint a,
                        guint b); /* a before b in co or an order */
gboolean bounded_read_from (Bounded *s, guint write, guint read);
gboolean bounded_solve_circles (Bounded *s); /* all reads decided: values left are in circles */
void bounded_undo_values (Bounded *s, guint to);

#endif
