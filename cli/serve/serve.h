/* -serve: the workbench on this machine's loopback address (docs/live.md). */
#pragma once

#include "cli/options/options.h"

/* Serves until it is interrupted. The exit status. */
int cli_serve_run (const CliOptions *options, RspDiagnostics *diagnostics);
