#ifndef EXPLAIN_STEPS_WEIGHT_H
#define EXPLAIN_STEPS_WEIGHT_H

#include <glib.h>

/* How firmly the program fixes a base set or relation, by its name or another spelling of it: 0 means
 * not at all; G_MAXUINT: no change of a word, a place or an execution produces a pair. */
guint base_weight (const char *name);

#endif
