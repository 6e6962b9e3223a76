/* -repair and -relax: questions whose answers are versions of given tests. */
#pragma once

#include "cli/options/options.h"
#include "synth/edits/task.h"

gboolean cli_repair_is_requested (const CliOptions *options);
/* What the kinds of edits cost; FALSE after an error. */
gboolean cli_repair_costs (const CliOptions *options, guint *costs, RspDiagnostics *diagnostics);
/* Prints the versions that were found, and writes them to files if -o says so. */
gboolean cli_repair_report (const CliOptions *options, const SynthTask *task, const char *path,
                            const char *label);
/* Answers for each test under each model; an exit status. */
int cli_repair_run (CliOptions *options, RspDiagnostics *diagnostics);
