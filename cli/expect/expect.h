/* The comparison of a run with its expected results: the report under -expect. */
#pragma once

#include "cli/expect/expectations.h"
#include "report/record.h"

typedef struct CliComparison CliComparison;

/* expectations must outlive it. */
CliComparison *cli_comparison_new (CliExpectations *expectations);
void cli_comparison_free (CliComparison *comparison);

/* Compares a result. */
void cli_comparison_take (CliComparison *comparison, const RspRecord *record);
/* After the last test: finds rows whose test is gone. */
void cli_comparison_end (CliComparison *comparison);

/* Appends the differences as a diff, then what did not finish. */
void cli_comparison_format (CliComparison *comparison, gboolean colour, GString *out);
/* If there are no expectations yet, a note describes how to write them. */
void cli_comparison_note_promote (const CliComparison *comparison, RspDiagnostics *diagnostics);
/* Rewrites the expectations. FALSE if some could not be rewritten, which is reported in
 * diagnostics. */
gboolean cli_comparison_promote (CliComparison *comparison, RspDiagnostics *diagnostics);
/* Appends the last line: "12 passed, 3 failed", or "12 passed, 3 promoted". */
void cli_comparison_format_counts (const CliComparison *comparison, gboolean promoted,
                                   GString *out);
/* Is some result not as expected? Unfinished tests do not count. */
gboolean cli_comparison_differs (const CliComparison *comparison);
