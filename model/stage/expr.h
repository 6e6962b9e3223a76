#ifndef RSP_MODEL_STAGE_EXPR_H
#define RSP_MODEL_STAGE_EXPR_H

#include "model/stage/stage.h"

/* Is the budget exhausted? Then the status says so. */
gboolean stage_is_exhausted (Stage *stage);
/* Counts work done; FALSE when the budget is exhausted, and, with an error, when a model does more
 * than any sane one would. */
gboolean stage_spend (Stage *stage, RspSpan span, guint64 steps);
/* One step, with a look at the machine's stack: a recursion without end stops here. */
gboolean stage_may_go_on (Stage *stage, RspSpan span);

/* NULL if the status is no longer STAGE_OK; likewise for all functions that return values. */
const StageValue *stage_eval (Stage *stage, const RspCatExpr *expr, const StageEnv *env);
const StageValue *stage_apply (Stage *stage, RspSpan span, const StageValue *function,
                               const StageValue *argument);

#endif
