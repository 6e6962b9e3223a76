#pragma once

#include "model/stage/stage.h"

const StageEnv *stage_bind (Stage *stage, const StageEnv *env, const char *name,
                            const StageValue *value);
/* Binds a pattern to a value; FALSE after an error. */
gboolean stage_bind_pattern (Stage *stage, const StageEnv **env, const RspCatPattern *pattern,
                             const StageValue *value);
/* Binds every name of a pattern to a value that is unknown. */
void stage_bind_unknown (Stage *stage, const StageEnv **env, const RspCatPattern *pattern);
/* NULL if unbound. *own: is it bound by the model rather than predefined? */
const StageValue *stage_look_up (Stage *stage, const StageEnv *env, const char *name,
                                 gboolean *own);
