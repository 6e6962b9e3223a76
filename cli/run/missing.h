/* The parts of a run that are missing in its saved records. */
#pragma once

#include "base/diagnostic.h"
#include "report/record.h"

/* Errors for tests without a record, with their shares if the records are of shares, and for tests
 * without a record under one of the models. records: of RspRecord, in the order of tests. TRUE if a
 * test is missing. */
gboolean cli_missing_report (const GPtrArray *records, RspDiagnostics *diagnostics);
