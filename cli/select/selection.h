/* Selection: which tests to run (-names), and questions that replace their own (-conds, -kinds). */
#pragma once

#include "cli/options/options.h"

typedef struct CliSelection CliSelection;

typedef struct CliKind {
  RspQuantifier quantifier;
  RspSpan span; /* of the word */
  gint met;     /* set by any thread */
} CliKind;

/* Reads the files that options name. NULL after an error, reported in diagnostics. */
CliSelection *cli_selection_new (const CliOptions *options, RspDiagnostics *diagnostics);
void cli_selection_free (CliSelection *selection);

/* Is the test to be run? Records that it has been met. */
gboolean cli_selection_includes (CliSelection *selection, const char *name);
/* The place of the replacement condition for the test of that name; without a source if there is
 * none. Valid while the selection lives. */
RspSpan cli_selection_question (const CliSelection *selection, const char *name);
/* Overrides the quantifier, if one of -kinds' files does. Under -expect, kinds are the expected
 * results and override nothing. */
void cli_selection_set_kind (const CliSelection *selection, RspProgram *program);
/* The kind of the test of that name in the files of -kinds; NULL if there is none. */
const CliKind *cli_selection_kind (const CliSelection *selection, const char *name);
/* Warns about names of -names that no test has, and reports the number of unused kinds. */
void cli_selection_report_missing (const CliSelection *selection, RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliSelection, cli_selection_free)
