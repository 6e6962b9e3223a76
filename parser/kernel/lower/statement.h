#pragma once

#include "parser/kernel/lower/lower.h"

/* The body of the thread that the lowerer describes. */
RspStatement *rsp_kernel_thread_body (KernelLowerer *l);
/* `assert (e)`: a register says whether it failed; or `__assume (e)`: other executions are left
 * out. */
void rsp_kernel_annotate (KernelLowerer *l, const KernelExpr *call, gboolean asserts);
