#pragma once

#include "cli/options/options.h"
#include "enumerator/search/check.h"
#include "parser/kernel/kernel.h"

/* Searches for the fewest edits of the kernel's text after which there are no findings, and prints
 * them as patches. FALSE if the search did not finish, or after an error. */
gboolean cli_kernel_repair (const CliOptions *options, const RspKernel *kernel,
                            const RspKernelOptions *kernel_options, const RspModel *model,
                            const RspCheckOptions *check, const char *label,
                            RspDiagnostics *diagnostics);
