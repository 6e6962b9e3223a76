#pragma once

#include "enumerator/paths/executor.h"

/* Merges states that differ only in a condition and its negation. live: per register, does its
 * value still matter? NULL at the end of the path, where only observed registers matter, and
 * dependencies of later events do not. */
void states_merge (RspExecutor *x, RspStates *states, const guint8 *live);
