/* Views: executions as plain data, with the model's relations on them. */
#pragma once

#include "enumerator/execution.h"
#include "explain/explanation.h"
#include "model/trace/trace.h"

/* "a", "b", … in the order of events; "i0", … of initial writes. */
const char *view_event_id (const RspPreExecution *pre, guint event, RspArena *arena);

/* The final state: name, value, name, value, …; NULL. */
const char **view_state (const RspExecution *execution, RspArena *arena);

/* trace: of the model on the execution. mentioned: name → term, or NULL. Lives in arena, and refers
 * to nothing else. */
RspExecutionView *view_new (const RspExecution *execution, const RspTrace *trace,
                            GHashTable *mentioned, RspArena *arena);
