#pragma once

#include "model/stage/stage.h"

/* Turns linearisations and products of choices into sets of values; returns other values unchanged.
 * NULL after an error or STAGE_NEEDS_EXECUTION. */
const StageValue *stage_spell_out (Stage *stage, RspSpan span, const StageValue *value);
