/* The successors of a state. */
#ifndef RSP_MACHINE_CACHES_STEPS_STEP_H
#define RSP_MACHINE_CACHES_STEPS_STEP_H

#include "machine/caches/state.h"

RspEnd caches_expand (gpointer data, RspBytes bytes, RspSuccessors *successors);

#endif
