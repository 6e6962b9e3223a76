/* The places that addresses denote, and plain accesses to them. */
#include "enumerator/paths/access.h"
#include "enumerator/paths/operator.h"
#include "enumerator/paths/state.h"
#include "enumerator/terms/condition.h"
#include "enumerator/terms/simplify.h"

#include <string.h>

/* Registers are objects after all locations, numbered through all threads. */
static guint
first_register_object (const RspExecutor *x)
{
  guint object = x->program->n_locations;
  for (guint i = 0; i < x->thread_index; i++)
    object += x->program->threads[i].n_registers;
  return object;
}

gint64
register_address (const RspExecutor *x, guint reg)
{
  return rsp_address (first_register_object (x) + reg, 0);
}

const RspType *
place_type (const RspExecutor *x, RspPlace place)
{
  return place.is_register ? &x->thread->registers[place.index].type
                           : &x->program->locations[place.index].type;
}

static gint64
location_address (const RspExecutor *x, guint location)
{
  guint object = x->program->locations[location].object;
  return rsp_address (object, (gint32) (location - object));
}

/* The place of a constant address; FALSE if it is in no object that this thread can access. */
static gboolean
find_place (const RspExecutor *x, gint64 address, RspPlace *place)
{
  if (!rsp_is_address (address))
    return FALSE;
  guint object = rsp_address_object (address), n = x->program->n_locations;
  gint32 element = rsp_address_element (address);
  if (object < n)
    {
      const RspLocation *location = &x->program->locations[object];
      *place = (RspPlace){ .index = object + (guint) element };
      return location->object == object && element >= 0 && (guint) element < location->n_elements;
    }
  guint first = first_register_object (x);
  *place = (RspPlace){ .is_register = TRUE, .index = object - first };
  return object >= first && object - first < x->thread->n_registers && element == 0;
}

/* Why a constant address denotes no place. */
static const char *
explain (const RspExecutor *x, gint64 address)
{
  if (address == 0)
    return "access through a null pointer";
  guint object = rsp_address_object (address);
  if (!rsp_is_address (address))
    return rsp_arena_printf (
        x->arena, "access through %" G_GINT64_FORMAT ", which is not an address", address);
  if (object >= x->program->n_locations)
    return "access to a register of another thread";
  const RspLocation *location = &x->program->locations[object];
  return rsp_arena_printf (x->arena, "access to element %d of '%.*s', which has %u",
                           rsp_address_element (address), (int) strcspn (location->name, "["),
                           location->name, location->n_elements);
}

/* Is the address computed from that of the object? */
static gboolean
mentions_object (const RspTerm *address, guint object)
{
  if (address->kind == RSP_TERM_CONSTANT)
    return rsp_is_address (address->constant) && rsp_address_object (address->constant) == object;
  return (address->a && mentions_object (address->a, object))
         || (address->b && mentions_object (address->b, object));
}

static void
append_at (RspState *state, RspPlace place, RspStates *out)
{
  state->place = place;
  states_append (out, state);
}

/* One more possibility for an address: a state in which it is `candidate` goes to out, and *state
 * is the state in which it is not, or NULL if none is left. `known` is what was assumed before the
 * first. */
static void
try_candidate (RspExecutor *x, RspState **state, const RspConstraintNode *known,
               const RspTerm *address, gint64 candidate, RspPlace place, RspSpan span,
               RspStates *out)
{
  const RspTerm *equal = rsp_term_binary (x->terms, RSP_OP_EQ, address,
                                          rsp_term_constant (x->terms, candidate, 64, FALSE));
  if (!*state || (equal->kind == RSP_TERM_CONSTANT && !equal->constant))
    return;
  RspState *here = state_fork (x, *state);
  here->constraints = known; /* the address differs from all the others */
  if (state_assume (x, here, equal, span))
    append_at (here, place, out);
  else
    state_drop (x, here);
  if (!state_assume (x, *state, rsp_term_negate_condition (x->terms, equal), span))
    {
      state_drop (x, *state);
      *state = NULL;
    }
}

void
access_resolve (RspExecutor *x, RspState *state, const RspTerm *address, RspSpan span,
                RspStates *out)
{
  RspPlace place;
  address = rsp_term_cast (x->terms, address, 64, FALSE);
  if (address->kind == RSP_TERM_CONSTANT)
    {
      if (!find_place (x, address->constant, &place))
        state_fail (state, span, explain (x, address->constant));
      append_at (state, place, out);
      return;
    }
  const RspConstraintNode *known = state->constraints;
  gboolean possible = FALSE;
  for (guint i = 0; i < x->program->n_locations && !x->gave_up; i++)
    {
      guint object = x->program->locations[i].object;
      if (object == i)
        possible = x->escaping_objects[object] || mentions_object (address, object);
      if (!possible)
        continue;
      place = (RspPlace){ .index = i };
      try_candidate (x, &state, known, address, location_address (x, i), place, span, out);
    }
  for (guint i = 0; i < x->thread->n_registers && !x->gave_up; i++)
    if (x->escapes[i])
      {
        place = (RspPlace){ .is_register = TRUE, .index = i };
        try_candidate (x, &state, known, address, register_address (x, i), place, span, out);
      }
  if (!state)
    return;
  state_fail (state, span, "access through an address that is in no object");
  states_append (out, state);
}

/* ---- Plain accesses ---- */

void
access_read (RspExecutor *x, RspState *state, const RspEventSet *addr, RspSpan span)
{
  if (state->place.is_register)
    {
      const RspRegisterValue *reg = &state->registers[state->place.index];
      state->value = (RspPathValue){ .term = reg->term,
                                     .sources = event_set_union (x, reg->sources, addr),
                                     .after = state->before };
      return;
    }
  const RspType *type = place_type (x, state->place);
  RspEvent event = { .kind = RSP_EVENT_READ,
                     .location = state->place.index,
                     .order = RSP_ORDER_NA,
                     .scope = RSP_SCOPE_WORK_ITEM,
                     .read = rsp_term_read (x->terms, state->n_events, rsp_type_bits (type),
                                            rsp_type_is_signed (type)),
                     .span = span };
  guint number = state_emit (x, state, &event, addr, NULL);
  state->value = (RspPathValue){ .term = event.read,
                                 .sources = event_set_with (x, NULL, number),
                                 .after = event_set_with (x, state->before, number) };
}

guint
access_write (RspExecutor *x, RspState *state, const RspEventSet *addr, RspPathValue value,
              RspSpan span)
{
  const RspTerm *term = term_to_type (x, value.term, place_type (x, state->place));
  if (state->place.is_register)
    {
      state->registers[state->place.index]
          = (RspRegisterValue){ .term = term, .sources = event_set_union (x, value.sources, addr) };
      return G_MAXUINT;
    }
  RspEvent event = { .kind = RSP_EVENT_WRITE,
                     .location = state->place.index,
                     .order = RSP_ORDER_NA,
                     .scope = RSP_SCOPE_WORK_ITEM,
                     .written = term,
                     .span = span };
  return state_emit (x, state, &event, addr, value.sources);
}
