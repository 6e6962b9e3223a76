#pragma once

#include "model/bounds/bounds.h"

/* Finds the node of each axiom's pairs, all nodes that it depends on, and its truth with nothing
 * decided. Call when all nodes have their bounds. */
void bounds_prepare_axioms (RspBounds *b);

/* Brings the truth of open axioms up to date with the bounds. FALSE if a plain one fails:
 * b->broken. */
gboolean bounds_settle_axioms (RspBounds *b);

/* Takes back what was found and dropped since the trail of axioms had this length. */
void bounds_undo_axioms (RspBounds *b, guint to);
