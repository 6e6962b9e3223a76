/* Conditions that are not known yet, as relations: all pairs where the condition holds, none where it
 * does not. So `if a subset b then x else y` is one expression over what the search decides,
 *
 *   (when & x) | (y \ when)      when = unv \ (unv * (a \ b) ; (a \ b) * unv)
 *
 * and the model need not look into an execution. */
#ifndef RSP_MODEL_STAGE_UNDECIDED_H
#define RSP_MODEL_STAGE_UNDECIDED_H

#include "model/stage/stage.h"

/* The value of an `if` whose condition is not known, both sides of which are evaluated. NULL for sides
 * that are not sets or relations of one kind, or that fail: the status is then STAGE_NEEDS_EXECUTION. */
const StageValue *stage_undecided_if (Stage *stage, const RspCatExpr *expr, const StageEnv *env);

#endif
