#include "model/condition.h"

gboolean rsp_model_has_variant (const RspModel *model, const char *variant) {
  return g_strv_contains ((const char *const *) model->variants, variant);
}

RspTruth model_condition (const RspModel *model, const RspCatCondition *condition,
                          ModelCompare *compare, gpointer data) {
  RspTruth c;
  switch (condition->kind) {
  case RSP_CAT_COND_VARIANT:
    return rsp_truth (rsp_model_has_variant (model, condition->variant));
  case RSP_CAT_COND_NOT:
    return rsp_truth_not (model_condition (model, condition->c, compare, data));
  case RSP_CAT_COND_AND:
    c = model_condition (model, condition->c, compare, data);
    return c == RSP_FAILS ? c
                          : rsp_truth_and (c, model_condition (model, condition->d, compare, data));
  case RSP_CAT_COND_OR:
    c = model_condition (model, condition->c, compare, data);
    return c == RSP_HOLDS ? c
                          : rsp_truth_or (c, model_condition (model, condition->d, compare, data));
  default:
    return compare ? compare (condition, data) : RSP_OPEN;
  }
}
