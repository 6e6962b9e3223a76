/* A run: every test under every model, and a report of them. */
#ifndef RSP_CLI_RUN_RUN_H
#define RSP_CLI_RUN_RUN_H

#include "cli/options/options.h"

/* What the process exits with. */
enum
{
  CLI_STATUS_OK = 0,
  CLI_STATUS_UNFINISHED = 1, /* something could not be read, or not be checked to its end */
  CLI_STATUS_USAGE = 2,
  CLI_STATUS_DIFFERENT = 3 /* under -expect: something found is not what is expected */
};

/* Runs what the options ask for and returns the status. Takes and empties diagnostics. */
int cli_run (CliOptions *options, RspDiagnostics *diagnostics);

#endif
