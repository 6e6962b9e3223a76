/* One program of commands, on the machine dsom. */
#ifndef RSP_CLI_RUN_COMMANDS_H
#define RSP_CLI_RUN_COMMANDS_H

#include "cli/run/job.h"

/* Runs test number i, which source is, under each column (strategy and readings) that options or
 * expectations give. Fills result; a test that another machine or a model is to judge is left out. */
void cli_commands_run (const CliJobs *jobs, guint i, RspSource *source, CliResult *result);

#endif
