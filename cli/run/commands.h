/* One program of commands, on the machine dsom. */
#ifndef RSP_CLI_RUN_COMMANDS_H
#define RSP_CLI_RUN_COMMANDS_H

#include "cli/run/job.h"

/* Runs test number i, with the text source, under each column (strategy and readings) that options
 * or expectations give. Fills result; a test meant for another machine or a model is left out. */
void cli_commands_run (const CliJobs *jobs, guint i, RspSource *source, CliResult *result);

#endif
