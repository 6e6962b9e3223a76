#pragma once

#include "enumerator/paths/executor.h"

/* A statement of kind RSP_STATEMENT_BARRIER. */
void barrier_run (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out);
