/* Models: finding them and keeping them loaded. */
#ifndef CLI_MODELS_H
#define CLI_MODELS_H

#include "cli/options.h"

typedef struct CliModels CliModels;

/* options must outlive it. */
CliModels *cli_models_new (const CliOptions *options);
void cli_models_free (CliModels *models);

/* The model of that name for a test: looked for as given, in -I directories, beside the test, in
 * $RSPCHECK_LIB and among the models that came with the program. Owned by models; NULL when it
 * cannot be read. What there is to say about a model is added to diagnostics once. */
const RspModel *cli_models_get (CliModels *models, const char *name, const char *test,
                                RspDiagnostics *diagnostics);

/* Warns about names of -skipcheck and -variant that no model loaded so far knows. */
void cli_models_report_unknown (const CliModels *models, RspDiagnostics *diagnostics);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliModels, cli_models_free)

#endif
