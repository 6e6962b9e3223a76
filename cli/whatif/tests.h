/* -diff of two tests: how the programs differ, and how that changes the answer. */
#pragma once

#include "cli/options/options.h"

/* Is it -diff of two tests, under one model? Else -diff compares models. */
gboolean cli_tests_are_compared (const CliOptions *options);
/* An exit status. */
int cli_tests_compare (CliOptions *options, RspDiagnostics *diagnostics);
