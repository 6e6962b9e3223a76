#pragma once

#include "enumerator/paths/executor.h"

/* statement.c */
void statement_run (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out);
