/* A run: every test under every model, and a report of them. */
#ifndef RSP_CLI_RUN_RUN_H
#define RSP_CLI_RUN_RUN_H

#include "cli/options/options.h"

/* Runs the tests as the options demand, and returns the exit status. Takes and empties
 * diagnostics. */
int cli_run (CliOptions *options, RspDiagnostics *diagnostics);

#endif
