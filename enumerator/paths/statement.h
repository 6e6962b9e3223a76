#ifndef RSP_ENUMERATOR_PATHS_STATEMENT_H
#define RSP_ENUMERATOR_PATHS_STATEMENT_H

#include "enumerator/paths/executor.h"

/* statement.c */
void statement_run (RspExecutor *x, const RspStatement *statement, RspState *state, RspStates *out);

#endif
