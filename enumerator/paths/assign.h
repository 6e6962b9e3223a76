#pragma once

#include "enumerator/paths/executor.h"

/* The address of an lvalue. */
void expression_address (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);
/* RSP_EXPR_ASSIGN and RSP_EXPR_STEP. */
void expression_assign (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);
