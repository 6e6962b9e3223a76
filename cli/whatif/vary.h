/* -vary: how a test's answer changes with one operation. */
#pragma once

#include "cli/options/options.h"

/* Each order, scope and form (remote or not) of each operation, one at a time, for each test under
 * each model; an exit status. */
int cli_vary_run (CliOptions *options, RspDiagnostics *diagnostics);
