#ifndef RSP_MODEL_STAGE_PREDEFINED_FUNCTIONS_H
#define RSP_MODEL_STAGE_PREDEFINED_FUNCTIONS_H

#include "model/stage/stage.h"

/* The predefined function of a name, or NULL. */
const StageFunction *stage_function (const char *name);
const StageValue *stage_call_builtin (Stage *stage, RspSpan span, const StageValue *function,
                                      const StageValue *argument);

#endif
