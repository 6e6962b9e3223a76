/* Logs that live models are compared with, or with each other: each is a column. */
#pragma once

#include "cli/columns/column.h"
#include "cli/select/selection.h"
#include "report/record.h"

typedef struct CliCompared CliCompared;

/* Reads the logs. What cannot be read is reported in diagnostics and left out; so are tests that
 * are not selected. columns are those of live models: no log's column has the same heading. */
CliCompared *cli_compared_new (const CliOptions *options, const CliColumns *columns,
                               CliSelection *selection, RspDiagnostics *diagnostics);
void cli_compared_free (CliCompared *compared);

/* May the row of this record be compared? Logs identify tests by name, so if there are logs, a
 * second test with the same name is skipped with a warning. */
gboolean cli_compared_admits (CliCompared *compared, const RspRecord *live,
                              RspDiagnostics *diagnostics);
/* The records of the logs for the test of a record, in their order: an array of RspRecord, which it
 * owns. Warns if a log has a different text, condition or list of locations. Each record is
 * returned once. */
GPtrArray *cli_compared_with (CliCompared *compared, const RspRecord *live,
                              RspDiagnostics *diagnostics);
/* Warns about tests of the logs that were never returned. */
void cli_compared_report_left (const CliCompared *compared, RspDiagnostics *diagnostics);

/* Without live tests: the number of tests in all logs, by name, and the records of one of them. */
guint cli_compared_n_tests (const CliCompared *compared);
GPtrArray *cli_compared_row (CliCompared *compared, guint i, RspDiagnostics *diagnostics);
