/* A run: every test under every model, and a report of them. */
#pragma once

#include "cli/options/options.h"

/* Runs the tests as the options demand, and returns the exit status. Takes and empties
 * diagnostics. */
int cli_run (CliOptions *options, RspDiagnostics *diagnostics);
