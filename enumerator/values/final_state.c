/* Final states, and propositions about them. */
#include "enumerator/values/final_state.h"
#include "enumerator/terms/evaluate.h"

static RspValue
final_location (const RspPreExecution *pre, guint location, const RspValue *written,
                const guint *last)
{
  if (last[location] != G_MAXUINT)
    return written[last[location]];
  const RspLocation *where = &pre->program->locations[location];
  return (RspValue){ .bits = rsp_wrap (where->initial, rsp_type_bits (&where->type),
                                       rsp_type_is_signed (&where->type)) };
}

void
rsp_final_state (const RspPreExecution *pre, const RspValue *written, const guint *last,
                 RspValue *state)
{
  for (guint i = 0; i < pre->program->n_observables; i++)
    {
      const RspObservable *observable = &pre->program->observables[i];
      if (!observable->is_register)
        state[i] = final_location (pre, observable->location, written, last);
    }
}

static RspValue
operand_value (const RspOperand *operand, const RspValue *state)
{
  return operand->is_observable ? state[operand->observable]
                                : (RspValue){ .bits = operand->constant };
}

gboolean
rsp_prop_holds (const RspProp *prop, const RspValue *state)
{
  switch (prop->kind)
    {
    case RSP_PROP_TRUE:
      return TRUE;
    case RSP_PROP_FALSE:
      return FALSE;
    case RSP_PROP_NOT:
      return !rsp_prop_holds (prop->a, state);
    case RSP_PROP_AND:
      return rsp_prop_holds (prop->a, state) && rsp_prop_holds (prop->b, state);
    case RSP_PROP_OR:
      return rsp_prop_holds (prop->a, state) || rsp_prop_holds (prop->b, state);
    case RSP_PROP_IMPLIES:
      return !rsp_prop_holds (prop->a, state) || rsp_prop_holds (prop->b, state);
    default:
      break;
    }
  gboolean equal
      = rsp_value_equal (operand_value (&prop->left, state), operand_value (&prop->right, state));
  return equal == (prop->op == RSP_OP_EQ);
}
