/* Expectations: what should be found, and so under what each test is run under -expect. */
#ifndef RSP_CLI_EXPECT_EXPECTATIONS_H
#define RSP_CLI_EXPECT_EXPECTATIONS_H

#include "cli/expect/claims.h"
#include "cli/expect/expect_table.h"
#include "cli/select/selection.h"

typedef struct CliExpectations CliExpectations;

/* What is expected of the tests of one folder. */
typedef struct CliFolder
{
  CliTable *table;
  gboolean complete; /* every test of the folder is run */
} CliFolder;

/* Reads expected.tsv in the folder of each of the paths; errors are reported in diagnostics.
 * Everything given must outlive it. */
CliExpectations *cli_expectations_new (const CliOptions *options, const CliColumns *columns,
                                       CliSelection *selection, const GPtrArray *paths,
                                       RspDiagnostics *diagnostics);
void cli_expectations_free (CliExpectations *expectations);

/* A test, as far as it matters here. */
typedef struct CliTest
{
  const char *name;
  RspSource *source;
  const GPtrArray
      *defaults; /* of CliColumn: what it is run under unless expectations say otherwise */
} CliTest;

/* What the test is run under: under each -model, else under what the expectations about it name,
 * else under what all other tests of its folder are, else the default. The list is for the caller
 * to unref, of CliColumn. For any thread. */
GPtrArray *cli_expectations_columns (CliExpectations *expectations, const char *path,
                                     const CliTest *test, RspDiagnostics *diagnostics);

/* All folders, and that of a test; NULL for standard input. */
const GPtrArray *cli_expectations_folders (const CliExpectations *expectations);
const CliFolder *cli_expectations_folder (const CliExpectations *expectations, const char *path);
/* Is the claim about a column of that label? A claim without a model (NULL) is about each -model,
 * else about the default. */
gboolean cli_expectations_about (CliExpectations *expectations, const char *model,
                                 const char *label);
const CliKind *cli_expectations_kind (const CliExpectations *expectations, const char *test);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliExpectations, cli_expectations_free)

#endif
