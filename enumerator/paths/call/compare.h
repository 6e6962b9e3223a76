#pragma once

#include "enumerator/paths/call/events.h"

/* A compare-exchange of a state whose place is that of the expected value. */
void call_compare_exchange (const Call *c, RspState *state);
/* One that returns the old value; its state's place is the object's. A failing one writes back what
 * it read. */
void call_compare_and_swap (const Call *c, RspState *state);
