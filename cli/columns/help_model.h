#ifndef RSP_CLI_COLUMNS_HELP_MODEL_H
#define RSP_CLI_COLUMNS_HELP_MODEL_H

#include "cli/options/help.h"

/* `-help-model`: prints what each model of the options is (without any: the default one); returns
 * the process's status. Takes and empties diagnostics. */
int cli_help_models (CliOptions *options, RspDiagnostics *diagnostics);

#endif
