/* Executions as text. */
#pragma once

#include "explain/explanation.h"

/* An execution as aligned columns, one per thread, with its reads-from and coherence below. */
void rsp_view_format (const RspExecutionView *view, GString *out);

/* The relation of this name, or NULL. */
const RspViewRelation *view_relation (const RspExecutionView *view, const char *name);
