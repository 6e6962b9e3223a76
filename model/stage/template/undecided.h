/* Conditions that are not known yet, as relations: all pairs if the condition holds, none
 * otherwise. So `if a subset b then x else y` is one expression over what the search decides,
 *
 *   (when & x) | (y \ when)      when = unv \ (unv * (a \ b) ; (a \ b) * unv)
 *
 * and the model need not inspect an execution. */
#pragma once

#include "model/stage/stage.h"

/* The value of an `if` whose condition is not known; both sides are evaluated. NULL, with the
 * status STAGE_NEEDS_EXECUTION, if the sides are not both sets or both relations, or if one
 * fails. */
const StageValue *stage_undecided_if (Stage *stage, const RspCatExpr *expr, const StageEnv *env);
