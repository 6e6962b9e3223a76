/* -repair and -relax: questions whose answers are versions of given tests. */
#ifndef RSP_CLI_SYNTH_REPAIR_H
#define RSP_CLI_SYNTH_REPAIR_H

#include "cli/options/options.h"

gboolean cli_repair_is_requested (const CliOptions *options);
/* Answers for each test under each model; an exit status. */
int cli_repair_run (CliOptions *options, RspDiagnostics *diagnostics);

#endif
