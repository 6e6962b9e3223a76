#pragma once

#include "model/stage/stage.h"

gboolean stage_let (Stage *stage, const RspCatBinding *bindings, gboolean recursive,
                    const StageEnv **env);
