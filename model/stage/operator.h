#pragma once

#include "model/stage/stage.h"

const StageValue *stage_unary (Stage *stage, RspSpan span, RspCatExprKind op, const StageValue *a);
const StageValue *stage_binary (Stage *stage, RspSpan span, RspCatExprKind op, const StageValue *a,
                                const StageValue *b);
