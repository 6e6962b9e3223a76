/* Warnings about definitions in the model's own file that nothing uses. There are none if an
 * include was not read, because it may use anything. */
#include "model/warn/private.h"
#include "model/warn/uses.h"

void warn_of_unused (const RspModel *model, const char *const *shown, RspDiagnostics *diagnostics) {
  g_autoptr (RspUses) uses = rsp_uses_find (model, shown);
  for (guint i = 0; i < uses->definitions->len && !uses->unread; i++) {
    const RspDefinition *definition = uses->definitions->pdata[i];
    const char *name = definition->name;
    if (definition->is_global && !definition->used && *name != '_'
        && warn_is_own (model, definition->span))
      rsp_warning (diagnostics, definition->span, NULL, "nothing uses `%s` [-W%s]", name,
                   rsp_model_warning_names[RSP_WARN_UNUSED]);
  }
}
