/* The text of `-help` and the man page, both made from the table of options. */
#ifndef RSP_CLI_OPTIONS_HELP_H
#define RSP_CLI_OPTIONS_HELP_H

#include "cli/options/options.h"

/* Append to out. */
void cli_help_format (GString *out);
void cli_man_format (GString *out); /* in man(7) macros */

#endif
