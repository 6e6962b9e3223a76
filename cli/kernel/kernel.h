/* -kernel: checks a kernel and prints what it finds, as compilers do. */
#pragma once

#include "cli/options/options.h"

/* Reads diagnostics, which it prints; an exit status: CLI_STATUS_DIFFERENT if there are findings.
 */
int cli_kernel_run (CliOptions *options, RspDiagnostics *diagnostics);
