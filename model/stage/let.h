#ifndef RSP_MODEL_STAGE_LET_H
#define RSP_MODEL_STAGE_LET_H

#include "model/stage/stage.h"

gboolean stage_let (Stage *stage, const RspCatBinding *bindings, gboolean recursive,
                    const StageEnv **env);

#endif
