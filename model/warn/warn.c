#include "model/warn/warn.h"
#include "model/warn/private.h"

void rsp_model_warn (const RspModel *model, guint off, const char *const *shown,
                     RspDiagnostics *diagnostics) {
  /* A model without axioms uses nothing: it is meant to be included. */
  gboolean checks = warn_of_checks (model, off, diagnostics);
  if (checks && !(off & 1u << RSP_WARN_UNUSED))
    warn_of_unused (model, shown, diagnostics);
  if (!(off & 1u << RSP_WARN_PRECEDENCE))
    warn_of_precedence (model, diagnostics);
  if (!(off & 1u << RSP_WARN_EMPTY))
    warn_of_empty (model, diagnostics);
}
