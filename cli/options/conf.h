#ifndef RSP_CLI_OPTIONS_CONF_H
#define RSP_CLI_OPTIONS_CONF_H

#include "cli/options/options.h"

/* Reads a file of lines `option value` with `#` comments. FALSE after an error. */
gboolean cli_conf_read (CliOptions *options, const char *path, RspDiagnostics *diagnostics);

#endif
