#pragma once

#include "model/stage/stage.h"

/* `with pattern from value`. */
gboolean stage_with (Stage *stage, const RspCatStatement *statement, const StageValue *value,
                     const StageEnv **env);
/* Requires that the chosen order and a relation together have no cycle. */
void stage_require_agreement (Stage *stage, RspSpan span, RspNodeId order, RspNodeId relation);

/* The next scripted choice among n > 0 values. */
void stage_choose (Stage *stage, guint n, guint *chosen);
/* Notes in the script whether a choice was taken in one way or another, which may depend on what is
 * known; where the script is given, returns what it says. */
gboolean stage_note_choice (Stage *stage, gboolean way);

/* A chosen order that no `with` of the model makes, as the base determines it. */
RspStagedOrder rsp_stage_predefined_order (RspChosenKind kind, const RspBase *base,
                                           RspArena *arena);
/* S as a model with `withsc` sees it, on the seq_cst events. */
RspNodeId rsp_stage_sc_order (RspDag *dag, const RspBase *base);
/* sync_fence, which is an order of the model from its first use on. */
RspNodeId rsp_stage_sync_fence (Stage *stage);

/* The index-th chosen order: the given one, or the search's. */
RspNodeId rsp_stage_chosen_order (Stage *stage, guint index);
