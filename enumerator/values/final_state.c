/* Final states, and propositions about them. */
#include "enumerator/pre_execution.h"

/* A number that no value of the execution bears. */
static guint
fresh_unknown (const RspPreExecution *pre, const RspValue *values, const RspValue *written,
               const RspValue *state, guint n_state)
{
  guint last = 0;
  for (guint e = 0; e < pre->n; e++)
    {
      if (pre->events[e]->read)
        last = MAX (last, values[e].unknown);
      if (pre->events[e]->written)
        last = MAX (last, written[e].unknown);
    }
  for (guint i = 0; i < n_state; i++)
    last = MAX (last, state[i].unknown);
  return last + 1;
}

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
rsp_final_state (const RspPreExecution *pre, const RspValue *values, const RspValue *written,
                 const guint *last, RspValue *state)
{
  const RspProgram *program = pre->program;
  for (guint i = 0; i < program->n_observables; i++)
    {
      const RspObservable *observable = &program->observables[i];
      if (!observable->is_register)
        {
          state[i] = final_location (pre, observable->location, written, last);
          continue;
        }
      const RspTerm *term = pre->paths[observable->thread]->finals[observable->reg];
      gboolean opaque = FALSE;
      /* A register that divides by zero belongs to a path that has failed before. */
      rsp_term_evaluate (term, values + pre->first[observable->thread], &state[i], &opaque);
      if (opaque)
        state[i] = (RspValue){ .unknown = fresh_unknown (pre, values, written, state, i) };
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
