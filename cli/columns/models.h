/* Models: finding them and keeping them loaded. */
#pragma once

#include "cli/columns/column.h"

typedef struct CliModels CliModels;

/* A model as it was found for the tests of one directory. */
typedef struct CliModel {
  const RspModel *model; /* NULL if it cannot be read */
  RspDiagnostics *diagnostics;
} CliModel;

/* options must outlive it. */
CliModels *cli_models_new (const CliOptions *options);
void cli_models_free (CliModels *models);

/* The model of that column for a test, searched for as given, in -I directories, in the folder of
 * the test, in $RSPCHECK_LIB and among the models that came with the program. Owned by models. May
 * be called in several threads. */
CliModel *cli_models_get (CliModels *models, const CliColumn *column, const char *test);
/* The model as a promise to programs of a language: what it flags may be undefined behaviour there.
 */
CliModel *cli_models_get_for (CliModels *models, const CliColumn *column, const char *test,
                              RspLanguageId language);
/* Moves a model's diagnostics to `diagnostics`, unless the same were reported before. The order of
 * these calls, which are made in one thread, is the order of the output. */
void cli_models_report (CliModels *models, CliModel *model, RspDiagnostics *diagnostics);

/* Warns about names of -skipcheck and -variant that no model loaded so far knows, a column's own
 * included. */
void cli_models_report_unknown (const CliModels *models, RspDiagnostics *diagnostics);

/* `-help-model`: prints what each model of the options is (without any: the default one); returns
 * the process's status. Takes and empties diagnostics. */
int cli_help_models (CliOptions *options, RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliModels, cli_models_free)
