#pragma once

#include "parser/kernel/kernel.h"
#include "parser/kernel/syntax.h"

/* Completes the kernel's program, whose arena and source are set. Errors go to diagnostics. */
void kernel_resolve (RspKernel *kernel, KernelUnit *unit, const RspKernelOptions *options,
                     RspDiagnostics *diagnostics);
