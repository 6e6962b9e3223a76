/* Executions to look at. */
#pragma once

#include "enumerator/search/check.h"
#include "explain/explanation.h"

/* Adds to views (of const RspExecutionView *, in arena) up to `most` executions, in a fixed order.
 */
void rsp_show (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
               RspcheckShow show, guint most, RspArena *arena, GPtrArray *views,
               RspDiagnostics *diagnostics);
