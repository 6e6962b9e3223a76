/* Columns: what a test is run under, a model with options of its own. */
#pragma once

#include "cli/options/options.h"
#include "enumerator/progress.h"
#include "machine/dsom/plan/config.h"

typedef struct CliColumn {
  char *file;  /* the model, as given */
  char *label; /* the column's heading: "hrf_rsp", "hrf_rsp -variant subset" */
  /* Names, those of the command line first; they end with NULL, so that pdata is a list too. */
  GPtrArray *variants, *skipped;
  RspCheckOptions check;
  GArray *progress; /* of RspProgress */
  char *described;  /* the options in words: see rsp_run_options_format */
  gboolean is_dsom; /* no model: the machine dsom, for programs of commands */
  RspDsomConfig dsom;
} CliColumn;

/* From `MODEL` or `MODEL -OPTION VALUE…`, as `-model` takes it and expected.tsv names it, in
 * addition to the command line's options. The options are -variant, -skipcheck, -unroll, -progress
 * and -through, which are part of the label, and -engine and -timeout, which are not, because they
 * do not change results. `dsom` is the machine of that name, whose options are -strategy and
 * -reading. NULL after an error, reported in diagnostics at `at`. */
CliColumn *cli_column_new (const CliOptions *options, const char *text, RspSpan at,
                           RspDiagnostics *diagnostics);
void cli_column_free (CliColumn *column);

/* ---- Those of a run ---- */

typedef struct CliColumns {
  GPtrArray *given;                     /* of CliColumn: one for each -model */
  GPtrArray *defaults[RSP_N_LANGUAGES]; /* one each */
  GPtrArray *dsom;                      /* for programs of commands: one for each -strategy */
} CliColumns;

/* NULL after an error. Where several models have one file name, the labels are their paths. */
CliColumns *cli_columns_new (const CliOptions *options, RspDiagnostics *diagnostics);
void cli_columns_free (CliColumns *columns);

/* The columns under which a test is run unless expectations name others. */
const GPtrArray *cli_columns_for (const CliColumns *columns, RspLanguageId language);

/* Is there a column of that label in the list? */
gboolean cli_columns_have (const GPtrArray *columns, const char *label);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliColumns, cli_columns_free)
