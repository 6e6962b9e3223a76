#pragma once

#include "enumerator/shapes/code/grid.h"

/* All irreflexive partial orders of the events of a set, in a fixed order. Of Grid; free with
 * g_array_unref. There are 219 of four events, 4,231 of five. */
GArray *shape_partial_orders (guint set);
/* Does the order relate any two events of `related`, one way or the other? */
gboolean shape_relates (Grid order, Grid related);
