#pragma once

#include "base/diagnostic.h"
#include "model/model.h"

/* The predefined name of which `name` is another spelling, or else itself. */
const char *rsp_base_name (const char *name);

/* The languages that have a predefined name, as bits 1 << RspLanguageId. */
guint model_languages_of (const char *name);

/* May the model judge tests of a language? FALSE, with an error for each, if it uses names that the
 * language does not have. */
/* The span of RspModel.processor. */
RspSpan model_processor (const RspCatFile *file);

gboolean model_fits (const RspModel *model, const RspLanguage *language,
                     RspDiagnostics *diagnostics);

/* The languages that have all names that the model uses, as bits 1 << RspLanguageId. */
guint rsp_model_languages (const RspModel *model);

/* Does the model use names of a language whose events have tags? */
gboolean model_uses_tags (const RspModel *model);
