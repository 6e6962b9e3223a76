#ifndef RSP_ENUMERATOR_BASE_SETS_H
#define RSP_ENUMERATOR_BASE_SETS_H

#include "enumerator/pre_execution.h"

/* Fills base->sets of a pre-execution whose events are numbered. */
void build_base_sets (RspPreExecution *pre);

#endif
