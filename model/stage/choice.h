#ifndef RSP_MODEL_STAGE_CHOICE_H
#define RSP_MODEL_STAGE_CHOICE_H

#include "model/stage/stage.h"

/* `with pattern from value`. */
gboolean stage_with (Stage *stage, const RspCatStatement *statement, const StageValue *value,
                     const StageEnv **env);
/* At the end of a replay: what ties chosen orders of all writes to the search's co. */
void stage_tie_orders (Stage *stage);

/* The index-th chosen order: the one that is given, or the search's. */
RspNodeId stage_chosen_order (Stage *stage, guint index);

#endif
