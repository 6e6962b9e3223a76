/* Arguments that may have any value (`-arg n=any`): values that stand for all others. */
#pragma once

#include "api/run/kernel.h"

/* Values of the parameter options->unknown: all of a type of 8 bits, or else as many as the kernel can tell apart:
 * with each value that its type has, the kernel behaves as with one of them, but that it copies the value to memory.
 * "n=4", owned; NULL after an error: the kernel does something else with the value than to compare it with constants
 * and to copy it. */
GPtrArray *rsp_kernel_representatives (const char *path, RspKernelOptions *options,
                                       const RspCheckOptions *check, RspDiagnostics *diagnostics);
