#pragma once

#include "model/stage/stage.h"

/* The order that a relation imposes on a set: its paths between events of the set, including those
 * through other events. */
RspNodeId rsp_stage_order_within (Stage *stage, RspNodeId relation, RspNodeId set);
/* The predefined function of a name, or NULL. */
const StageFunction *stage_function (const char *name);
const StageValue *stage_call_builtin (Stage *stage, RspSpan span, const StageValue *function,
                                      const StageValue *argument);
