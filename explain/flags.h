/* Flags: why an execution raises one. */
#pragma once

#include "explain/scene.h"

/* FALSE if no execution raises the flag, or the budget is exhausted. */
gboolean flag_explain (Explaining *explaining, const char *flag, RspFlagReason *reason);

/* Why the scene's execution raises the flag; FALSE if it does not. The caller sets the reason's
 * execution. */
gboolean reason_of_flag (Scene *scene, Explaining *explaining, const char *flag,
                         RspFlagReason *reason);
