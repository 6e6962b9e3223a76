/* -run and -emit: tests as programs for a device, their results, and models' judgements of
 * these. */
#pragma once

#include "cli/run/job.h"
#include "cli/sinks/compared.h"
#include "cli/sinks/report.h"

/* Do the options ask for either? */
gboolean cli_device_is_requested (const CliOptions *options);
/* FALSE, with an error in diagnostics, if they cannot be combined. */
gboolean cli_device_check (const CliOptions *options, RspDiagnostics *diagnostics);
/* Runs or emits the tests of jobs whose numbers are in share, and returns the exit status. */
int cli_device_run (const CliJobs *jobs, const GArray *share, CliReport *report,
                    CliCompared *compared, RspDiagnostics *diagnostics);
