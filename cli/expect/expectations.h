/* Expectations: the expected results, and so the models under which -expect runs each test. */
#pragma once

#include "cli/expect/claims.h"
#include "cli/expect/expect_table.h"
#include "cli/select/selection.h"

typedef struct CliExpectations CliExpectations;

/* The expectations for the tests of one folder. */
typedef struct CliFolder {
  CliTable *table;
  gboolean complete; /* are all tests of the folder run? */
} CliFolder;

/* Reads expected.tsv in the folder of each of the paths; errors are reported in diagnostics.
 * Everything given must outlive it. */
CliExpectations *cli_expectations_new (const CliOptions *options, const CliColumns *columns,
                                       CliSelection *selection, const GPtrArray *paths,
                                       RspDiagnostics *diagnostics);
void cli_expectations_free (CliExpectations *expectations);

/* The relevant properties of a test. */
typedef struct CliTest {
  const char *name;
  RspSource *source;
  const GPtrArray
      *defaults; /* of CliColumn: what it is run under unless expectations name other columns */
} CliTest;

/* The columns under which the test is run: each -model; else those that its expectations name; else
 * those of all other tests of its folder; else the default. A list of CliColumn, which the caller
 * unrefs. Any thread may call it. */
GPtrArray *cli_expectations_columns (CliExpectations *expectations, const char *path,
                                     const CliTest *test, RspDiagnostics *diagnostics);

/* All folders, and that of a test; NULL for standard input. */
const GPtrArray *cli_expectations_folders (const CliExpectations *expectations);
const CliFolder *cli_expectations_folder (const CliExpectations *expectations, const char *path);
/* Does the claim apply to a column with that label? A claim without a model (NULL) applies to each
 * -model, or else to the default. */
gboolean cli_expectations_about (CliExpectations *expectations, const char *model,
                                 const char *label);
const CliKind *cli_expectations_kind (const CliExpectations *expectations, const char *test);
