/* Final states, and propositions about them. */
#include "enumerator/values/final_state.h"
#include "parser/proposition.h"

static RspValue
final_location (const RspPreExecution *pre, guint location, const RspValue *written,
                const guint *last)
{
  if (last[location] != G_MAXUINT)
    return written[last[location]];
  return (RspValue){ .bits = pre->program->locations[location].initial };
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

typedef struct FinalWrites
{
  const RspPreExecution *pre;
  const RspMatrix *co;
  guint *last;
  void (*visit) (gpointer data);
  gpointer data;
} FinalWrites;

gboolean
rsp_location_is_shown (const RspProgram *program, guint location)
{
  for (guint i = 0; i < program->n_observables; i++)
    if (!program->observables[i].is_register && program->observables[i].location == location)
      return TRUE;
  return FALSE;
}

static gboolean
is_final (const FinalWrites *f, guint location, guint event)
{
  return f->pre->events[event]->location == location
         && rsp_set_has (f->pre->base->sets[RSP_BASE_SET_W], event)
         && rsp_next_bit (rsp_matrix_row (f->co, event), f->co->words, 0) == G_MAXUINT;
}

static void
choose_final (const FinalWrites *f, guint location)
{
  if (location == f->pre->program->n_locations)
    {
      f->visit (f->data);
      return;
    }
  f->last[location] = G_MAXUINT;
  gboolean shown = rsp_location_is_shown (f->pre->program, location);
  for (guint event = 0; event < f->pre->n; event++)
    if (is_final (f, location, event) && (shown || f->last[location] == G_MAXUINT))
      {
        f->last[location] = event;
        choose_final (f, location + 1);
      }
  if (f->last[location] == G_MAXUINT)
    choose_final (f, location + 1);
}

void
rsp_final_writes_each (const RspPreExecution *pre, const RspMatrix *co, guint *last,
                       void (*visit) (gpointer data), gpointer data)
{
  FinalWrites f = { .pre = pre, .co = co, .last = last, .visit = visit, .data = data };
  choose_final (&f, 0);
}

static RspWide
converted (RspValue value, const RspType *type)
{
  const gint64 bits = (gint64) value.bits;
  return type->bits
             ? rsp_widen (rsp_wrap (bits, type->bits, type->is_signed), type->bits, type->is_signed)
             : bits;
}

/* The numbers that a side of an atom may be. */
typedef struct Range
{
  RspWide low, high;
} Range;

static Range
range_of (const RspOperand *operand, RspValue value, const RspType *compared)
{
  const RspType *type = value.unknown && operand->type.bits ? &operand->type : NULL;
  RspWide number = converted (value, compared);
  if (!value.unknown)
    return (Range){ number, number };
  if (!type || (compared->bits && (type->bits > compared->bits || type->is_signed != compared->is_signed)))
    return (Range){ -((RspWide) 1 << 64), (RspWide) 1 << 64 };
  return (Range){ rsp_type_low (type->bits, type->is_signed),
                  rsp_type_high (type->bits, type->is_signed) };
}

/* Do all values that both sides may have decide the comparison alike? */
static RspTruth
range_truth (const RspProp *atom, Range left, Range right)
{
  gboolean less = left.high < right.low, greater = left.low > right.high;
  if (atom->op == RSP_OP_LT)
    return less ? RSP_HOLDS : left.low >= right.high ? RSP_FAILS : RSP_OPEN;
  return less || greater ? rsp_truth (atom->op == RSP_OP_NE) : RSP_OPEN;
}

RspTruth
rsp_atom_truth (const RspProp *atom, RspValue left, RspValue right)
{
  if (!left.unknown && !right.unknown)
    return rsp_truth (rsp_compare (atom->op, converted (left, &atom->compared),
                                   converted (right, &atom->compared)));
  if (rsp_value_equal (left, right))
    return rsp_truth (atom->op == RSP_OP_EQ);
  if (left.unknown == right.unknown && atom->op != RSP_OP_LT)
    return rsp_truth (atom->op == RSP_OP_NE);
  return range_truth (atom, range_of (&atom->left, left, &atom->compared),
                      range_of (&atom->right, right, &atom->compared));
}

/* A state in any form. */
typedef struct View
{
  RspValue (*value_of) (gconstpointer state, guint observable);
  gconstpointer state;
} View;

static RspValue
operand_value (const RspOperand *operand, const View *view)
{
  return operand->is_observable ? view->value_of (view->state, operand->observable)
                                : (RspValue){ .bits = operand->constant };
}

static RspTruth
atom_truth (const RspProp *atom, gpointer view)
{
  return rsp_atom_truth (atom, operand_value (&atom->left, view),
                         operand_value (&atom->right, view));
}

RspTruth
rsp_state_truth_in (const RspProp *prop,
                    RspValue (*value_of) (gconstpointer state, guint observable),
                    gconstpointer state)
{
  View view = { value_of, state };
  return rsp_prop_truth (prop, atom_truth, &view);
}

static RspValue
value_at (gconstpointer state, guint observable)
{
  return ((const RspValue *) state)[observable];
}

RspTruth
rsp_state_truth (const RspProp *prop, const RspValue *state)
{
  return rsp_state_truth_in (prop, value_at, state);
}

void
rsp_program_hide_registers (RspProgram *program)
{
  while (program->n_observables && program->observables->is_register)
    {
      program->observables++;
      program->n_observables--;
    }
  program->condition = program->filter = NULL;
  program->filter_only = NULL;
}
