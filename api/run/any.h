/* Arguments that may have any value (`-arg n=any`): values that stand for all others. */
#pragma once

#include "api/run/kernel.h"

/* Values of each of the parameters options->unknown, as many as the kernel can tell apart: with any
 * values that their types have, the kernel behaves as with some of these, but that it copies the
 * values, and what it calculates with them, to memory. loop: only with values with which no loop
 * needs more rounds than the check unrolls. Owned arrays of "n=4"; NULL after an error: the kernel
 * does something else with a value. A single one of at most 8 bits may have all values of its type
 * then. */
GPtrArray *rsp_kernel_representatives (const char *path, RspKernelOptions *options,
                                       const RspCheckOptions *check, gboolean *loop,
                                       RspDiagnostics *diagnostics);
