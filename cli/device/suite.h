/* The tests of -run and -emit: those that can be read and run on the target. */
#pragma once

#include "cli/run/job.h"

typedef struct CliSuite {
  GPtrArray *programs; /* of RspProgram */
  GPtrArray *notes;    /* of char *: notes for the log, one per program; "" for none */
  GArray *indices;     /* of guint: each program's number among all tests */
  guint n_refused;     /* tests that do not run on the target; each was reported */
  gboolean unread;     /* has a test been unreadable? It has been reported */
} CliSuite;

/* Reads the tests of jobs whose numbers are in share. */
CliSuite *cli_suite_read (const CliJobs *jobs, const GArray *share, const RspEmitOptions *emit,
                          RspDiagnostics *diagnostics);
void cli_suite_free (CliSuite *suite);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliSuite, cli_suite_free)
