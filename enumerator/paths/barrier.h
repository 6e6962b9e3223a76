#ifndef RSP_ENUMERATOR_PATHS_BARRIER_H
#define RSP_ENUMERATOR_PATHS_BARRIER_H

#include "enumerator/paths/executor.h"

/* A statement of kind RSP_STATEMENT_BARRIER. */
void barrier_run (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out);

#endif
