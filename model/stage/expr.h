#pragma once

#include "model/stage/stage.h"

/* Is the budget exhausted? If so, the status is set accordingly. */
gboolean stage_is_exhausted (Stage *stage);
/* Counts work. FALSE if the budget is exhausted or, with an error, if the model does more work than
 * any sensible one. */
gboolean stage_spend (Stage *stage, RspSpan span, guint64 steps);
/* Counts one step and checks the machine's stack, which stops endless recursion. */
gboolean stage_may_go_on (Stage *stage, RspSpan span);

/* NULL if the status is no longer STAGE_OK; likewise for all functions that return values. */
const StageValue *stage_eval (Stage *stage, const RspCatExpr *expr, const StageEnv *env);
const StageValue *stage_apply (Stage *stage, RspSpan span, const StageValue *function,
                               const StageValue *argument);
