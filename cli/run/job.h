/* Jobs: what a worker does, one test under all its models. */
#ifndef RSP_CLI_RUN_JOB_H
#define RSP_CLI_RUN_JOB_H

#include "cli/expect/expectations.h"
#include "cli/machine/machines.h"
#include "cli/columns/models.h"
#include "cli/run/records/resume.h"
#include "cli/select/selection.h"
#include "report/record.h"

/* What all jobs of a run share; nothing in it changes while they run, but for what guards
 * itself. */
typedef struct CliJobs
{
  const CliOptions *options;
  CliModels *models;
  CliSelection *selection;
  const GPtrArray *paths; /* of all tests */
  CliColumns *columns;
  CliResume *resume;             /* of -resume; else NULL */
  CliExpectations *expectations; /* NULL without -expect */
  CliMachines *machines;         /* NULL without -machine */
} CliJobs;

/* One model's part. */
typedef struct CliCell
{
  CliModel *model; /* not owned; NULL when the test cannot be read */
  RspDiagnostics *diagnostics;
  RspRecord *record; /* never NULL, until it is taken */
  CliStale stale;    /* the record of -resume that this one takes the place of */
} CliCell;

typedef struct CliResult
{
  RspDiagnostics *diagnostics; /* while the test was read */
  gboolean selected;           /* FALSE: not among -names */
  CliCell *cells;              /* one per model; none for a test that is not selected */
  guint n_cells;
  gboolean left_out; /* the run's machine or models are not for such tests: no cells */
} CliResult;

/* Reads the test of that path, with the selection's question for it. NULL, with result->diagnostics
 * and result->selected set, when it cannot be read or is not selected. */
RspProgram *cli_job_read (const CliJobs *jobs, const char *path, CliResult *result);
/* Checks the program, test number i of paths, under the models of columns (CliColumn). */
void cli_job_check (const CliJobs *jobs, guint i, const RspProgram *program,
                    const GPtrArray *columns, CliResult *result);
/* The record of test i and column k so far: an error for that reason, until there is an outcome. */
RspRecord *cli_job_begin_record (const CliJobs *jobs, guint i, guint k, const char *test,
                                 const GPtrArray *columns, const char *reason);
/* Puts into the cell what an earlier run of -resume found for the question that its record holds. FALSE if there
 * is nothing, or things have changed since. */
gboolean cli_job_take_over (const CliJobs *jobs, CliCell *cell);
/* Makes a cell, still empty, for each column. */
void cli_result_begin (CliResult *result, const GPtrArray *columns);
/* Does test number i of paths. Never NULL; for any thread. */
CliResult *cli_job_run (const CliJobs *jobs, guint i);
/* What is reported of test number i of paths when a failed assertion ended cli_job_run. Never NULL. */
CliResult *cli_job_fail (const CliJobs *jobs, guint i);
void cli_result_free (CliResult *result);

#endif
