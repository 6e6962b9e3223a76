#pragma once

#include "model/bounds/state.h"

/* Computes one side of the definitions of an outermost group from its inputs' bounds;
 * bounds_group_value returns the results. */
void bounds_iterate_group (RspBounds *b, const Group *group, int side);
const RspMatrix *bounds_group_value (const RspBounds *b, const Group *group, guint member);
