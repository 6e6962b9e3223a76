#ifndef RSP_ENUMERATOR_PATHS_CODE_H
#define RSP_ENUMERATOR_PATHS_CODE_H

#include "enumerator/paths/executor.h"

/* Runs a statement of kind RSP_STATEMENT_CODE. Takes the state. */
void code_run (RspExecutor *x, const RspStatement *code, RspState *state, RspStates *out);

#endif
