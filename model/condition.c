#include "model/condition.h"

gboolean
rsp_model_has_variant (const RspModel *model, const char *variant)
{
  return g_strv_contains ((const char *const *) model->variants, variant);
}

TypeTruth
model_decide (const RspModel *model, const RspCatCondition *condition)
{
  TypeTruth c, d;
  switch (condition->kind)
    {
    case RSP_CAT_COND_VARIANT:
      return rsp_model_has_variant (model, condition->variant) ? TYPE_YES : TYPE_NO;
    case RSP_CAT_COND_NOT:
      c = model_decide (model, condition->c);
      return c == TYPE_MAYBE ? TYPE_MAYBE : c == TYPE_YES ? TYPE_NO : TYPE_YES;
    case RSP_CAT_COND_AND:
      c = model_decide (model, condition->c);
      d = model_decide (model, condition->d);
      return c == TYPE_NO || d == TYPE_NO ? TYPE_NO : c == TYPE_YES ? d : TYPE_MAYBE;
    case RSP_CAT_COND_OR:
      c = model_decide (model, condition->c);
      d = model_decide (model, condition->d);
      return c == TYPE_YES || d == TYPE_YES ? TYPE_YES : c == TYPE_NO ? d : TYPE_MAYBE;
    default:
      return TYPE_MAYBE;
    }
}
