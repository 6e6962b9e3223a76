/* The results of -run: a device's log as records, next to those of models. */
#pragma once

#include "cli/device/suite.h"
#include "cli/sinks/compared.h"
#include "cli/sinks/report.h"

/* Reports every test of the suite: a record for each -model, one for the device, those of -compare.
 * *violated: is some device's record a violation? FALSE if some test has no answer or something
 * cannot be written. */
gboolean cli_results_report (const CliJobs *jobs, const CliSuite *suite, const char *log,
                             CliReport *report, CliCompared *compared, gboolean *violated);
