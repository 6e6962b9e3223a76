/* Flags: why an execution raises one. */
#ifndef EXPLAIN_FLAGS_H
#define EXPLAIN_FLAGS_H

#include "explain/scene.h"

/* FALSE when no execution raises the flag, or the budget is exhausted. */
gboolean flag_explain (Explaining *explaining, const char *flag, RspFlagReason *reason);

/* Why the scene's execution raises the flag; the reason's execution is for the caller to set. FALSE
 * when it does not. */
gboolean reason_of_flag (Scene *scene, Explaining *explaining, const char *flag,
                         RspFlagReason *reason);

#endif
