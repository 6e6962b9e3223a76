#pragma once

#include "enumerator/paths/executor.h"

/* call.c */
void call_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);
