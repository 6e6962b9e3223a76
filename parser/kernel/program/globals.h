#pragma once

#include "parser/kernel/lower/lower.h"

/* Lays out the object of a variable of the file, and binds its name. */
void kernel_lay_out_global (KernelLowerer *l, const KernelVariable *variable);
/* The array that a string is; equal ones are one. */
KernelPlace rsp_kernel_string (KernelLowerer *l, const KernelExpr *expr);
/* The object and the cell in it that an expression of the program is the address of; or a number,
 * in *cell alone. FALSE: it is neither. */
gboolean kernel_fixed_address (const RspExpr *expr, guint *object, gint64 *cell);
