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

gboolean
rsp_atom_holds (const RspProp *atom, RspValue left, RspValue right)
{
  if (left.unknown || right.unknown)
    return atom->op != RSP_OP_LT && rsp_value_equal (left, right) == (atom->op == RSP_OP_EQ);
  return rsp_compare (atom->op, converted (left, &atom->compared),
                      converted (right, &atom->compared));
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
  return rsp_truth (
      rsp_atom_holds (atom, operand_value (&atom->left, view), operand_value (&atom->right, view)));
}

gboolean
rsp_prop_holds_in (const RspProp *prop,
                   RspValue (*value_of) (gconstpointer state, guint observable),
                   gconstpointer state)
{
  View view = { value_of, state };
  return rsp_prop_truth (prop, atom_truth, &view) == RSP_HOLDS;
}

static RspValue
value_at (gconstpointer state, guint observable)
{
  return ((const RspValue *) state)[observable];
}

gboolean
rsp_prop_holds (const RspProp *prop, const RspValue *state)
{
  return rsp_prop_holds_in (prop, value_at, state);
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
