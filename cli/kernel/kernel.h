/* -kernel: checks a kernel and prints what it finds, as compilers do. */
#ifndef RSP_CLI_KERNEL_KERNEL_H
#define RSP_CLI_KERNEL_KERNEL_H

#include "cli/options/options.h"

/* Reads diagnostics, which it prints; an exit status: CLI_STATUS_DIFFERENT if there are findings. */
int cli_kernel_run (CliOptions *options, RspDiagnostics *diagnostics);

#endif
