#ifndef RSP_MODEL_STAGE_ORDERS_H
#define RSP_MODEL_STAGE_ORDERS_H

#include "model/stage/stage.h"

/* Spells out linearisations and products of choices as a set of values; other values as they are.
 * NULL after an error or STAGE_NEEDS_EXECUTION. */
const StageValue *stage_spell_out (Stage *stage, RspSpan span, const StageValue *value);

#endif
