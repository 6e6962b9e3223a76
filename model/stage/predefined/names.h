#pragma once

#include "model/stage/stage.h"

/* NULL if there is none of that name. */
const StageValue *rsp_stage_predefined (Stage *stage, const char *name);
/* The search's coherence, for what does not make it a choice of the model's executions. */
RspNodeId rsp_stage_coherence (Stage *stage);
/* Can the name be applied as a filter although it is not a function: `WW`, `RM`, `ext`? */
gboolean stage_is_filter (const char *name);
const StageValue *stage_filter (Stage *stage, RspSpan span, const char *name,
                                const StageValue *argument);
