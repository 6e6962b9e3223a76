#pragma once

#include "parser/kernel/lower/lower.h"

/* ---- Expressions of the program ---- */

RspExpr *rsp_kernel_constant (KernelLowerer *l, RspSpan span, gint64 value, const KernelType *type);
RspExpr *kernel_register (KernelLowerer *l, RspSpan span, guint reg);
RspExpr *rsp_kernel_node (KernelLowerer *l, RspSpan span, RspExprKind kind, RspOperator op,
                          const KernelType *type, RspExpr *a, RspExpr *b);
/* pointer + cells */
RspExpr *kernel_step (KernelLowerer *l, RspSpan span, RspExpr *pointer, gint64 cells);
/* An uninterpreted function of some values: equal for equal ones, and otherwise unknown. */
RspExpr *rsp_kernel_apply (KernelLowerer *l, RspSpan span, const char *function,
                           const KernelType *type, RspExpr *const *arguments, guint n);
/* The unknown argument with this number, of an integer type. */
RspExpr *rsp_kernel_unknown (KernelLowerer *l, RspSpan span, guint number, const KernelType *type);
/* Converts a scalar. */
RspExpr *rsp_kernel_convert (KernelLowerer *l, RspExpr *expr, const KernelType *from,
                             const KernelType *to);
/* The same value, in a form that may be evaluated several times. */
RspExpr *rsp_kernel_reusable (KernelLowerer *l, RspExpr *expr, const KernelType *type);

/* ---- Statements and registers ---- */

RspStatement *rsp_kernel_emit (KernelLowerer *l, RspStatementKind kind, RspSpan span);
void rsp_kernel_emit_expr (KernelLowerer *l, RspExpr *expr);
/* The assignment of one cell of a value of type `whole`: that of a structure or vector copies parts
 * without a value. */
RspExpr *kernel_assignment (KernelLowerer *l, RspSpan span, const KernelType *whole,
                            const KernelType *leaf, RspExpr *target, RspExpr *value);
/* New registers, one per cell; the number of the first. */
guint rsp_kernel_add_registers (KernelLowerer *l, const char *name, const KernelType *type,
                                gboolean unset, RspSpan span);
/* Statements go to `code` until rsp_kernel_end, which takes what rsp_kernel_begin returned. */
KernelCode *rsp_kernel_begin (KernelLowerer *l, KernelCode *code);
/* A block of the statements. */
RspStatement *rsp_kernel_end (KernelLowerer *l, KernelCode *code, KernelCode *outer, RspSpan span);

/* ---- Values ---- */

KernelValue rsp_kernel_scalar (KernelLowerer *l, RspExpr *expr, const KernelType *type);
KernelValue rsp_kernel_cells_value (KernelLowerer *l, const KernelType *type, guint n);
KernelValue rsp_kernel_no_value (void);
/* A value of the type, whatever the program does: after an error. */
KernelValue rsp_kernel_dummy (KernelLowerer *l, RspSpan span, const KernelType *type);
/* Converts a value to a type: of a scalar, or a scalar to a vector's lanes. */
KernelValue rsp_kernel_to_type (KernelLowerer *l, KernelValue value, const KernelType *type,
                                RspSpan span);
/* The value in registers, so that nothing that follows changes it. */
KernelValue rsp_kernel_held (KernelLowerer *l, KernelValue value, RspSpan span);
