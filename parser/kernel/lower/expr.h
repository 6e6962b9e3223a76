#pragma once

#include "parser/kernel/lower/lower.h"

/* The value of an expression. Statements that must be executed before it is evaluated are emitted.
 */
KernelValue rsp_kernel_value (KernelLowerer *l, const KernelExpr *expr);
/* The value of a scalar expression, after an error 0. */
RspExpr *rsp_kernel_scalar_value (KernelLowerer *l, const KernelExpr *expr,
                                  const KernelType **type);
/* The type of an expression, which is not evaluated; an array stays one. */
const KernelType *rsp_kernel_type_of (KernelLowerer *l, const KernelExpr *expr);
/* A scalar's value as a condition; the statements before it, if any, are part of the result. */
RspExpr *rsp_kernel_condition (KernelLowerer *l, const KernelExpr *expr);
/* Executes an expression for its effects. */
void rsp_kernel_effect (KernelLowerer *l, const KernelExpr *expr);
/* The same as an expression of the program; NULL: it has no effect. */
RspExpr *kernel_effect_expr (KernelLowerer *l, const KernelExpr *expr);
/* initialise.c: initialises an object. */
void rsp_kernel_initialise (KernelLowerer *l, KernelPlace place, const KernelExpr *initial);
/* The variable's type; an array without a size has that of its initialiser. */
const KernelType *rsp_kernel_completed (KernelLowerer *l, const KernelVariable *variable);

/* constant.c: the value of a name that is no variable; FALSE: it has none. */
gboolean kernel_named_constant (KernelLowerer *l, const KernelExpr *expr, KernelValue *value);
/* The memory order or scope with the number that OpenCL implementations' headers give it; FALSE:
 * none. */
gboolean rsp_kernel_order_of (gint64 number, RspOrder *order);
gboolean rsp_kernel_scope_of (gint64 number, RspScope *scope);
/* The same of flags: RSP_FENCE_… bits. */
guint rsp_kernel_flags_of (gint64 number);

/* assign.c: a = b, a op= b; ++a, a-- */
KernelValue kernel_assign (KernelLowerer *l, const KernelExpr *expr);
KernelValue kernel_step_value (KernelLowerer *l, const KernelExpr *expr);

/* cast.c: (type) a, or a vector of (a, b, …) */
KernelValue kernel_cast (KernelLowerer *l, const KernelExpr *expr);
/* The bytes of a value as one of another type (as_uint (f)). FALSE: they are not calculated. */
gboolean rsp_kernel_reinterpret (KernelLowerer *l, RspSpan span, KernelValue from,
                                 const KernelType *type, KernelValue *value);

/* operator.c */
KernelValue rsp_kernel_binary (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a,
                               KernelValue b);
KernelValue kernel_unary (KernelLowerer *l, RspSpan span, RspOperator op, KernelValue a);
/* Is one of the operands a function call, and does the other one access memory too? Calls are
 * sequenced with everything else in an expression, in one order or the other (C11, 6.5.2.2). */
gboolean kernel_must_be_sequenced (const KernelExpr *a, const KernelExpr *b);
/* pointer + index or pointer - index, by whole elements. */
KernelValue rsp_kernel_offset (KernelLowerer *l, RspSpan span, KernelValue pointer,
                               KernelValue index, RspOperator op);

/* statement.c */
/* The function's result for the arguments, which are as many as its parameters. */
KernelValue rsp_kernel_inline (KernelLowerer *l, const KernelExpr *expr,
                               const KernelFunction *function, const KernelValue *arguments);
KernelValue kernel_call (KernelLowerer *l, const KernelExpr *expr, const KernelFunction *function);

/* builtin.c; FALSE: it is no built-in function. */
gboolean rsp_kernel_builtin (KernelLowerer *l, const KernelExpr *expr, KernelValue *value);
