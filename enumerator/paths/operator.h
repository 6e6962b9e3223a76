#pragma once

#include "enumerator/paths/executor.h"

/* The element of an address (parser/program.h) that stands for all whose numbers do not fit. */
#define RSP_FAR_ELEMENT G_MININT32

/* operator.c */
const RspTerm *term_to_type (RspExecutor *x, const RspTerm *term, const RspType *type);
/* Gives up if a value has become too large to compute with. */
void executor_check_term (RspExecutor *x, const RspTerm *term, RspSpan span);
/* state->value becomes a op b, after C's promotions and conversions and in the resulting type. If a
 * division or shift may fail, a failed state goes to `failed`; NULL if it can only fail. Takes the
 * state. */
RspState *operate (RspExecutor *x, RspState *state, RspOperator op, RspPathValue a, RspPathValue b,
                   RspSpan span, RspStates *failed);
/* Does the binary expression compare or subtract pointers, which must point into one object? */
gboolean operator_needs_one_object (const RspExpr *expr);
/* As operate, for such an expression: if the objects may differ, a failed state goes to
 * `failed`. */
RspState *operate_on_pointers (RspExecutor *x, RspState *state, const RspExpr *expr, RspPathValue a,
                               RspPathValue b, RspStates *failed);
/* Of an address that was stepped: an address far outside of its object instead, if it looks like
 * that of another one. */
const RspTerm *operator_stay_in_object (RspExecutor *x, const RspTerm *address,
                                        const RspTerm *stepped);
/* As operate, for an operator of one operand. */
void operate_unary (RspExecutor *x, RspState *state, RspOperator op, RspPathValue a, RspSpan span);
