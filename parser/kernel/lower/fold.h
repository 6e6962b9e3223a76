#pragma once

#include "parser/kernel/lower/lower.h"

/* The value of an operator whose operands are constants, as a constant of the type that C gives it;
 * NULL: they are not, or it has none (a division by zero, an operator on pointers). b NULL: a unary
 * one. */
RspExpr *kernel_folded (KernelLowerer *l, RspSpan span, RspOperator op, const RspExpr *a,
                        const RspExpr *b);

/* The number as one of the integer type. */
gint64 rsp_kernel_wrap (gint64 value, const KernelType *type);
/* What sizeof or vec_step gives. */
gint64 kernel_measured (KernelLowerer *l, const KernelExpr *expr);
/* The value of a constant expression; FALSE, silently, if it is none. */
gboolean rsp_kernel_evaluate (KernelLowerer *l, const KernelExpr *expr, gint64 *value);
/* The value of an expression that is constant where it stands, and needs no statements; FALSE: it
 * is not. */
gboolean rsp_kernel_constant_value (KernelLowerer *l, const KernelExpr *expr, gint64 *value);
/* `_Static_assert (e, "…")`: an error, unless e is a constant that is not 0. */
void rsp_kernel_static_assert (KernelLowerer *l, const KernelExpr *expr, RspSpan span);
/* Binds the enumerator's name to its value. */
void rsp_kernel_bind_enumerator (KernelLowerer *l, const KernelVariable *enumerator);
