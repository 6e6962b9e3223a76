/* The parts of the warnings; private to model/warn/. */
#pragma once

#include "model/warn/warn.h"

/* Is the span in the model's own file, which includes the others? */
static inline gboolean warn_is_own (const RspModel *model, RspSpan span) {
  return model->sources->len && span.source == model->sources->pdata[0];
}

/* FALSE if the model has no axioms. */
gboolean warn_of_checks (const RspModel *model, guint off, RspDiagnostics *diagnostics);
void warn_of_unused (const RspModel *model, const char *const *shown, RspDiagnostics *diagnostics);
void warn_of_precedence (const RspModel *model, RspDiagnostics *diagnostics);
void warn_of_empty (const RspModel *model, RspDiagnostics *diagnostics);
