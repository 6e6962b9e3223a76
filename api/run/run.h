/* A run: one test under one model, and everything that a report says about it. The command line and
 * the library both go through here. */
#pragma once

#include "enumerator/progress.h"
#include "explain/candidates/show.h"
#include "report/record.h"

typedef struct RspRunOptions {
  RspCheckOptions check;
  gboolean evidence; /* look for the events that show why flags are raised; takes searches of its
                        own, in what the check has left of its time */
  gboolean explain;  /* explain the answer and the flags */
  const char *const *outcomes; /* what to explain instead of the condition, NULL-terminated or NULL:
                                     "1:r0=1; x=2;" as in a state, or "1:r0=1 /\\ ~(x=2)" */
  const RspProgress *progress; /* does the test hang under these progress models? */
  guint n_progress;
  guint candidates;  /* with explain: how many candidates to keep per state, for the page; or 0 */
  RspcheckShow show; /* which executions to draw, up to most_shown */
  guint most_shown;
} RspRunOptions;

/* "unroll=2 engine=bounded … explain=true": every option that may change a record; variants are
 * those of the model, NULL-terminated. Newly allocated. */
char *rsp_run_options_format (const RspRunOptions *options, const char *const *variants);

/* A record of the test under the model that is called `label`, before it is checked: an error with
 * that reason. path is the test's file, "" when it has none. */
RspRecord *rsp_run_begin (const RspProgram *program, const char *path, const char *label,
                          const char *reason);

/* Checks the test and fills the record; why the check ended is returned. Diagnostics receive what
 * rsp_check says. */
RspcheckStop rsp_run (const RspProgram *program, const RspModel *model,
                      const RspRunOptions *options, RspRecord *record, RspDiagnostics *diagnostics);
