/* Conditions of `if` in models, as far as the variants determine them. */
#pragma once

#include "model/model.h"
#include "model/type/type.h"

gboolean rsp_model_has_variant (const RspModel *model, const char *variant);

/* TYPE_MAYBE: it depends on the test. */
TypeTruth model_decide (const RspModel *model, const RspCatCondition *condition);
