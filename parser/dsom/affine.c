#include "parser/dsom/affine.h"
#include "parser/arithmetic.h"

gint64 rsp_linear_at (const RspLinear *linear, guint n, const gint64 *x) {
  gint64 value = linear->constant;
  for (guint i = 0; i < n; i++)
    value += linear->coefficients[i] * x[i];
  return value;
}

gboolean rsp_affine_allows (const RspAffine *affine, const gint64 *x) {
  for (guint i = 0; i < affine->n_constraints; i++)
    if (!rsp_compare (affine->constraints[i].op,
                      rsp_linear_at (&affine->constraints[i].linear, affine->n, x), 0))
      return FALSE;
  return TRUE;
}
