#pragma once

#include "enumerator/paths/executor.h"

/* Runs a statement of kind RSP_STATEMENT_CODE. Takes the state. */
void code_run (RspExecutor *x, const RspStatement *code, RspState *state, RspStates *out);
