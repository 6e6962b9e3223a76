/* Jobs: the work units of workers, one test under all its models. */
#pragma once

#include "cli/expect/expectations.h"
#include "cli/machine/machines.h"
#include "cli/columns/models.h"
#include "cli/run/records/resume.h"
#include "cli/select/selection.h"
#include "report/record.h"

/* Shared by all jobs of a run. Nothing in it changes while they run, except parts with locks of
 * their own. */
typedef struct CliJobs {
  const CliOptions *options;
  CliModels *models;
  CliSelection *selection;
  const GPtrArray *paths; /* of all tests */
  CliColumns *columns;
  CliResume *resume;             /* of -resume; else NULL */
  CliExpectations *expectations; /* NULL without -expect */
  CliMachines *machines;         /* NULL without -machine and -compile */
} CliJobs;

/* One model's part. */
typedef struct CliCell {
  CliModel *model;  /* not owned; NULL if the test cannot be read */
  CliModel *target; /* not owned; the target's model under -compile, else NULL */
  RspDiagnostics *diagnostics;
  RspRecord *record; /* never NULL, until it is taken */
  CliStale stale;    /* the record of -resume that this one replaces */
} CliCell;

typedef struct CliResult {
  RspDiagnostics *diagnostics; /* while the test was read */
  gboolean selected;           /* FALSE: not among -names */
  CliCell *cells;              /* one per model; none for a test that is not selected */
  guint n_cells;
  RspPathCache *path_cache; /* of the test, for the next model; or NULL */
  gboolean left_out; /* has no cells because the run's machine or models are not for such tests */
} CliResult;

/* Reads the test of that path, with the selection's question for it. NULL, with result->diagnostics
 * and result->selected set, if it cannot be read or is not selected. */
RspProgram *cli_job_read (const CliJobs *jobs, const char *path, CliResult *result);
/* Checks the program, test number i of paths, under the models of columns (CliColumn). */
void cli_job_check (const CliJobs *jobs, guint i, const RspProgram *program,
                    const GPtrArray *columns, CliResult *result);
/* Runs test number i of paths. Never NULL; any thread may call it. */
CliResult *cli_job_run (const CliJobs *jobs, guint i);
/* The result of test number i of paths if a failed assertion ended cli_job_run. Never NULL. */
CliResult *cli_job_fail (const CliJobs *jobs, guint i);
void cli_result_free (CliResult *result);
