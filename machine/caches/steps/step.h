/* The successors of a state. */
#pragma once

#include "machine/caches/state.h"

RspEnd caches_expand (gpointer data, RspBytes bytes, RspSuccessors *successors);
