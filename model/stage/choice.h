#ifndef RSP_MODEL_STAGE_CHOICE_H
#define RSP_MODEL_STAGE_CHOICE_H

#include "model/stage/stage.h"

/* `with pattern from value`. */
gboolean stage_with (Stage *stage, const RspCatStatement *statement, const StageValue *value,
                     const StageEnv **env);
/* At the end of a replay: adds the axioms that tie chosen orders of all writes to the search's
 * co. */
void stage_tie_orders (Stage *stage);

/* For a model with `withsc`: its initial chosen order S (an array of one), on the seq_cst events
 * or, if they are open, on all events that may be seq_cst; and S as the model sees it, on the
 * seq_cst events. */
RspStagedOrder *stage_sc_orders (const RspBase *base, RspArena *arena);
RspNodeId stage_sc_order (RspDag *dag, const RspBase *base);

/* The index-th chosen order: the given one, or the search's. */
RspNodeId stage_chosen_order (Stage *stage, guint index);

#endif
