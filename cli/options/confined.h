/* -confined: checks whose tests, models and options come from elsewhere, as those of -serve do. */
#pragma once

#include "cli/options/options.h"

/* May the option have this value, or, if it is NULL, may this be an argument? Anything, before
 * -confined. FALSE, with an error, for what reaches out of the current folder. */
gboolean cli_option_is_allowed (const CliOptions *options, const CliOption *option,
                                const char *value, RspDiagnostics *diagnostics);

/* From now on only what lies in the current folder or is installed can be read. */
void cli_confine (void);
