/* -vary: how a test's answer changes with one operation. */
#ifndef RSP_CLI_WHATIF_VARY_H
#define RSP_CLI_WHATIF_VARY_H

#include "cli/options/options.h"

/* Each order, scope and form (remote or not) of each operation, one at a time, for each test under
 * each model; an exit status. */
int cli_vary_run (CliOptions *options, RspDiagnostics *diagnostics);

#endif
