#ifndef RSP_MODEL_BOUNDS_FIX_H
#define RSP_MODEL_BOUNDS_FIX_H

#include "model/bounds/state.h"

/* model/bounds/fix.c: the definitions of a group that is inside no other, on one side, from its
 * inputs' bounds; bounds_group_value has them then. */
void bounds_iterate_group (RspBounds *b, const Group *group, int side);
const RspMatrix *bounds_group_value (const RspBounds *b, const Group *group, guint member);

#endif
