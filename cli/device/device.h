/* -run and -emit: tests as programs for a device, what they show, and what models say of it. */
#ifndef CLI_DEVICE_H
#define CLI_DEVICE_H

#include "cli/run/job.h"
#include "cli/sinks/compared.h"
#include "cli/sinks/report.h"

/* Do the options ask for either? */
gboolean cli_device_is_requested (const CliOptions *options);
/* FALSE, with an error in diagnostics, when they ask for what does not go together. */
gboolean cli_device_check (const CliOptions *options, RspDiagnostics *diagnostics);
/* Does it for the tests of jobs whose numbers are in share, and returns the status. */
int cli_device_run (const CliJobs *jobs, const GArray *share, CliReport *report,
                    CliCompared *compared, RspDiagnostics *diagnostics);

#endif
