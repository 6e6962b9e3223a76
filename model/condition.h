/* Conditions of `if` in models, as far as the variants decide them. */
#ifndef RSP_MODEL_CONDITION_H
#define RSP_MODEL_CONDITION_H

#include "model/model.h"
#include "model/type/type.h"

/* TYPE_MAYBE: the test decides. */
TypeTruth rsp_model_decide (const RspModel *model, const RspCatCondition *condition);

#endif
