/* A question about all programs, as the command line asks it. Private to cli/synth. */
#pragma once

#include "cli/columns/column.h"
#include "cli/columns/models.h"
#include "cli/machine/machines.h"
#include "cli/run/signals.h"
#include "synth/result.h"
#include "synth/search.h"

typedef struct Run {
  CliOptions *options;
  RspDiagnostics *diagnostics;
  const SynthQuestion *question;
  RspModel *models[2];
  const char *labels[2];
  guint n_models;
  CliMachines *mapping; /* of -compile or -machine, or NULL */
  RspExploreOptions machine;
  SynthTarget target; /* the mapping's */
  SynthSpace space;
  SynthSearch search;
  CliSignals signals;
  gint stop;
  gint64 deadline;     /* of -timeout, for the whole run */
  gboolean shown;      /* the progress line */
  GHashTable *written; /* of -o: names and texts; those of names to how many tests have it */
} Run;

/* Searches the space, with run->target if there is one. FALSE after an error. */
gboolean synth_run_search (Run *run, const RspStageOptions *stage);
/* Reports that the search did not finish, if so. */
void synth_run_report_incomplete (Run *run);
/* Writes a test into the folder of -o. A test of the name of another one is NAME.2, NAME.3, …:
 * minimal tests may differ in their outcomes alone. */
gboolean synth_run_write (Run *run, const char *name, const char *source);
