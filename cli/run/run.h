/* A run: every test under every model, and a report of them. */
#ifndef RSP_CLI_RUN_RUN_H
#define RSP_CLI_RUN_RUN_H

#include "cli/options/options.h"

/* Runs what the options ask for and returns the status. Takes and empties diagnostics. */
int cli_run (CliOptions *options, RspDiagnostics *diagnostics);

#endif
