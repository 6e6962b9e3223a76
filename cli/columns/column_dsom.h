/* Columns of programs of commands: the machine dsom under one strategy and readings. */
#pragma once

#include "cli/columns/column.h"

/* From `dsom`, `dsom -strategy S -reading NAME=VALUE…`: as cli_column_new. */
CliColumn *cli_column_new_dsom (const char *text, RspSpan at, RspDiagnostics *diagnostics);
gboolean cli_column_is_dsom (const char *text);

/* Adds the columns of the command line: one for each -strategy, or for the default one. */
void cli_columns_add_dsom (const CliOptions *options, GPtrArray *columns,
                           RspDiagnostics *diagnostics);
