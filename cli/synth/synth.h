/* -distinguish and the other questions whose answers are programs. */
#pragma once

#include "cli/options/options.h"

/* Do the options pose one of these questions? */
gboolean cli_synth_is_requested (const CliOptions *options);
/* Answers it; an exit status. */
int cli_synth_run (CliOptions *options, RspDiagnostics *diagnostics);
