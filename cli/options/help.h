/* What `-help` prints, and the man page, both from the table of options. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli/options/options.h"

/* Append to out. */
void cli_help_format (GString *out);
void cli_man_format (GString *out); /* in man(7) macros */

/* `-help-model`: prints what each model of the options is (without any: the default one); returns
 * the process's status. Takes and empties diagnostics. */
int cli_help_models (CliOptions *options, RspDiagnostics *diagnostics);

#endif
