/* Conditions of `if` in models. */
#pragma once

#include "base/truth.h"
#include "model/model.h"

gboolean rsp_model_has_variant (const RspModel *model, const char *variant);

/* The truth of a comparison of values (`=`, `subset`, `in`, …). */
typedef RspTruth ModelCompare (const RspCatCondition *condition, gpointer data);

/* The truth of a condition by that of its comparisons, from the left, as far as they matter.
 * compare NULL: they are open, so only variants decide. */
RspTruth model_condition (const RspModel *model, const RspCatCondition *condition,
                          ModelCompare *compare, gpointer data);
