#pragma once

#include "parser/kernel/lower/lower.h"

/* The innermost binding of the name; NULL: none. */
const KernelBinding *rsp_kernel_find_name (const KernelLowerer *l, const char *name);
void rsp_kernel_bind (KernelLowerer *l, const char *name, KernelPlace place, gboolean by_value);

/* The object that an expression denotes; FALSE, after an error, if it is none. */
gboolean rsp_kernel_place (KernelLowerer *l, const KernelExpr *expr, KernelPlace *place);
/* Does the expression denote an object, rather than a value alone? */
gboolean kernel_denotes_object (const KernelLowerer *l, const KernelExpr *expr);
/* The value of an object; of an array, the address of its first element. */
KernelValue rsp_kernel_load (KernelLowerer *l, KernelPlace place, RspSpan span);
/* Is the object an integer whose cell has the same type? */
gboolean kernel_is_plain (KernelLowerer *l, KernelPlace place);
/* The address of an object. */
RspExpr *rsp_kernel_address (KernelLowerer *l, KernelPlace place, RspSpan span);
/* The program's expression for a cell of an object; after rsp_kernel_reuse, for several cells. */
RspExpr *kernel_cell (KernelLowerer *l, KernelPlace place, guint cell, RspSpan span);
KernelPlace rsp_kernel_reuse (KernelLowerer *l, KernelPlace place);
KernelPlace rsp_kernel_registers (const KernelType *type, guint first);
/* The lanes that the name of a vector's component means, and how many; 0: none. */
guint kernel_lanes (const KernelType *vector, const char *name, guint8 *lanes);
/* Statements that assign a value of the place's type. */
void rsp_kernel_store (KernelLowerer *l, KernelPlace place, KernelValue value, RspSpan span);
