#ifndef RSP_ENUMERATOR_PATHS_CALL_CALL_H
#define RSP_ENUMERATOR_PATHS_CALL_CALL_H

#include "enumerator/paths/executor.h"

/* call.c */
void call_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);

#endif
