/* The results of -run: a device's log as records, next to those of models. */
#ifndef CLI_DEVICE_RESULTS_H
#define CLI_DEVICE_RESULTS_H

#include "cli/device/suite.h"
#include "cli/sinks/compared.h"
#include "cli/sinks/report.h"

/* Reports every test of the suite: a record for each -model, one for the device, those of -compare.
 * *violated: some device's record is a violation. FALSE when some test has no answer or something
 * cannot be written. */
gboolean cli_results_report (const CliJobs *jobs, const CliSuite *suite, const char *log,
                             CliReport *report, CliCompared *compared, gboolean *violated);

#endif
