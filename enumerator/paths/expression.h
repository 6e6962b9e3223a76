#pragma once

#include "enumerator/paths/executor.h"

/* Each takes the state and leaves its `before` unchanged. */
void expression_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out);
/* The same for a full expression, which a sequence point follows. */
void expression_evaluate_full (RspExecutor *x, const RspExpr *expr, RspState *state,
                               RspStates *out);

/* Evaluates operands a (with a function of its own, since it may be an lvalue) and b of expr,
 * unsequenced. If b is NULL, there is only one operand, which is also state->value. */
void expression_operands (RspExecutor *x, const RspExpr *expr, RspEvaluate evaluate_a,
                          const RspExpr *a, const RspExpr *b, RspState *state, RspCombine combine,
                          RspStates *out);

/* Does evaluating the expression neither access memory, nor change anything, nor branch, nor
 * fail? */
gboolean expression_is_pure (const RspExpr *expr);
