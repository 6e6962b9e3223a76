#pragma once

#include "cli/extra.h"

typedef struct EditOptions {
  int repair, relax, vary;
  guint edits; /* -edits; 0: the default */
  char *costs; /* -edit-cost, or NULL */
} EditOptions;

/* -vary: each order, scope and form (remote or not) of each operation, one at a time, for each test
 * under each model; an exit status. */
int edits_vary (CliOptions *options, RspDiagnostics *diagnostics);

/* Is it -diff of two tests, under one model? Else -diff compares models. */
gboolean edits_compares_tests (const CliOptions *options);

/* How the two programs differ, and how that changes the answer; an exit status. */
int edits_compare_tests (CliOptions *options, RspDiagnostics *diagnostics);
