/* Checking one program under one model: paths, pre-executions, staging, search, and the outcome. */
#pragma once

#include "enumerator/options.h"
#include "enumerator/outcome.h"
#include "enumerator/pre_execution.h"
#include "model/model.h"

/* Never NULL. Diagnostics receive warnings (truncated loops) and errors (RSPCHECK_STOP_ERROR,
 * failed paths). */
RspOutcome *rsp_check (const RspProgram *program, const RspModel *model,
                       const RspCheckOptions *options, RspDiagnostics *diagnostics);
