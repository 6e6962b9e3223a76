/* Merging: the records of several runs' files as those of one run. */
#pragma once

#include "cli/options/options.h"
#include "report/record.h"

/* Reads the files of -merge. All records (RspRecord, which the array owns), in the order of tests
 * and models, whatever the order of the files. Every disagreement of models, options or versions is
 * reported as an error, and so are tests and models that are missing. NULL if the files cannot
 * come from one run: they differ in the number of tests, or about a test or its result. */
GPtrArray *cli_merge_read (const CliOptions *options, RspDiagnostics *diagnostics);

/* The most models that any of the tests was run under, or 0. */
guint cli_merge_count_models (const GPtrArray *records);

/* Are two records of the same check: test, condition, model, options and version? If not, sets
 * *what to what differs ("model"). */
gboolean cli_records_same_check (const RspRecord *a, const RspRecord *b, const char **what);
