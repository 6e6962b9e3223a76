#pragma once

#include "model/stage/stage.h"

/* The clause that fits the value; env is extended with what it binds. NULL after an error. */
const RspCatClause *stage_choose_clause (Stage *stage, RspSpan span, const StageValue *value,
                                         const RspCatClause *clauses, const StageEnv **env);
gboolean stage_condition (Stage *stage, const RspCatCondition *condition, const StageEnv *env,
                          gboolean *truth);
