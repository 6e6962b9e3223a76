#include "parser/dsom/affine.h"

gint64
rsp_linear_at (const RspLinear *linear, guint n, const gint64 *x)
{
  gint64 value = linear->constant;
  for (guint i = 0; i < n; i++)
    value += linear->coefficients[i] * x[i];
  return value;
}

static gboolean
compare (gint64 value, RspOperator op)
{
  switch (op)
    {
    case RSP_OP_EQ:
      return value == 0;
    case RSP_OP_NE:
      return value != 0;
    case RSP_OP_LT:
      return value < 0;
    case RSP_OP_LE:
      return value <= 0;
    case RSP_OP_GT:
      return value > 0;
    default:
      return value >= 0;
    }
}

gboolean
rsp_affine_allows (const RspAffine *affine, const gint64 *x)
{
  for (guint i = 0; i < affine->n_constraints; i++)
    if (!compare (rsp_linear_at (&affine->constraints[i].linear, affine->n, x),
                  affine->constraints[i].op))
      return FALSE;
  return TRUE;
}
