#ifndef RSP_MODEL_STAGE_CHOICE_H
#define RSP_MODEL_STAGE_CHOICE_H

#include "model/stage/stage.h"

/* `with pattern from value`. */
gboolean stage_with (Stage *stage, const RspCatStatement *statement, const StageValue *value,
                     const StageEnv **env);
/* At the end of a replay: what ties chosen orders of all writes to the search's co. */
void stage_tie_orders (Stage *stage);

/* Of a model `withsc`: its one chosen order to begin with, S, of the seq_cst events or, where they are
 * open, of all that may be one (an array of one); and S as the model sees it, on the seq_cst events. */
RspStagedOrder *stage_sc_orders (const RspBase *base, RspArena *arena);
RspNodeId stage_sc_order (RspDag *dag, const RspBase *base);

/* The index-th chosen order: the one that is given, or the search's. */
RspNodeId stage_chosen_order (Stage *stage, guint index);

#endif
