#pragma once

#include "cli/options/options.h"

/* -format without a form: lays the files out; prints them, or rewrites them under -write. Returns
 * the exit status. */
int cli_layout_run (const CliOptions *options, RspDiagnostics *diagnostics);
