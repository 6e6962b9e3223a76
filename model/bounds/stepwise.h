/* Models under which an execution happens step by step. */
#pragma once

#include "model/model.h"

/* What is known about all accesses of a program, initial writes aside: the sets that all are in,
 * and the relations that all pairs of different ones are in. */
typedef struct RspUniform {
  gboolean sets[RSP_N_BASE_SETS], relations[RSP_N_BASE_RELATIONS];
} RspUniform;

/* Does an execution of the program under the model happen step by step? Then there is no cycle of
 * po and rf, and every beginning of it (events, with all that come before them) is an execution,
 * too. FALSE is not certain. */
gboolean rsp_model_is_stepwise (const RspModel *model, const RspLanguage *language,
                                const RspUniform *uniform, const RspStageOptions *options);
