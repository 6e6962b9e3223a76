#pragma once

#include "parser/kernel/lower/lower.h"

/* Lays out the objects of the entry's parameters and of the file's variables, and binds the latter.
 */
void kernel_lay_out_objects (KernelLowerer *l);
/* A new object of n cells, of which those of its type repeat: the number of its first location.
 * open: it grows as executions need. */
guint kernel_add_object (KernelLowerer *l, const char *name, const KernelType *type,
                         gboolean is_array, guint n, RspSpace space, gboolean open, RspSpan span);
KernelPlace kernel_memory_place (KernelLowerer *l, const KernelType *type, guint object,
                                 RspSpan span);
/* A parameter's value: the address of its object, or the number that -arg gives. */
KernelValue rsp_kernel_argument (KernelLowerer *l, const KernelVariable *parameter);
/* The object of a pointer parameter in memory; FALSE: it has none. */
gboolean kernel_parameter_object (KernelLowerer *l, const KernelVariable *parameter,
                                  KernelPlace *place);
/* The object of a variable in local memory that belongs to the thread's work-group. */
KernelPlace rsp_kernel_local_object (KernelLowerer *l, const KernelVariable *variable);
