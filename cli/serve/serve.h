/* -serve: the workbench on this machine's loopback address (docs/live.md). */
#ifndef RSP_CLI_SERVE_SERVE_H
#define RSP_CLI_SERVE_SERVE_H

#include "cli/options/options.h"

/* Serves until it is interrupted. The exit status. */
int cli_serve_run (const CliOptions *options, RspDiagnostics *diagnostics);

#endif
