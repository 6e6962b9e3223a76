/* Completion of the command line in shells, from the option table. */
#pragma once

#include <glib.h>

/* In the order of the words of -completion. */
typedef enum CliShell { CLI_SHELL_NONE, CLI_SHELL_BASH, CLI_SHELL_ZSH, CLI_SHELL_FISH } CliShell;

/* Appends the script for the shell, which must not be CLI_SHELL_NONE. */
void cli_completion_format (CliShell shell, GString *out);
