#include "model/warn/warn.h"
#include "model/warn/private.h"

const char *const rsp_model_warning_names[RSP_N_MODEL_WARNINGS + 1]
    = { [RSP_WARN_UNCHECKED] = "unchecked",
        [RSP_WARN_SAME_NAME] = "same-name",
        [RSP_WARN_UNUSED] = "unused",
        [RSP_WARN_EMPTY] = "empty" };

void
rsp_model_warn (const RspModel *model, guint off, const char *const *shown,
                RspDiagnostics *diagnostics)
{
  /* A model without axioms uses nothing: it is meant to be included. */
  gboolean checks = warn_of_checks (model, off, diagnostics);
  if (checks && !(off & 1u << RSP_WARN_UNUSED))
    warn_of_unused (model, shown, diagnostics);
  if (!(off & 1u << RSP_WARN_EMPTY))
    warn_of_empty (model, diagnostics);
}
