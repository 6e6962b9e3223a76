/* The places that addresses denote, and plain accesses to them. */
#include "enumerator/paths/access.h"
#include "enumerator/paths/operator.h"
#include "enumerator/paths/operator.h"
#include "enumerator/paths/reduce/escape.h"
#include "enumerator/paths/state.h"
#include "enumerator/paths/call/translated.h"
#include "enumerator/terms/condition.h"
#include "enumerator/terms/simplify.h"

#include <string.h>

/* Registers are objects after all locations, numbered through all threads. */
static guint first_register_object (const RspExecutor *x) {
  guint object = x->program->n_locations;
  for (guint i = 0; i < x->thread_index; i++)
    object += x->program->threads[i].n_registers;
  return object;
}

gint64 register_address (const RspExecutor *x, guint reg) {
  guint element = x->thread->registers[reg].element;
  return rsp_address (first_register_object (x) + reg - element, (gint32) element);
}

const RspType *place_type (const RspExecutor *x, RspPlace place) {
  return place.is_register ? &x->thread->registers[place.index].type
                           : &x->program->locations[place.index].type;
}

static gint64 location_address (const RspExecutor *x, guint location) {
  guint object = x->program->locations[location].object;
  return rsp_address (object, (gint32) (location - object));
}

/* The place of a constant address; FALSE if it is in no object that this thread can access. */
static gboolean find_place (const RspExecutor *x, gint64 address, RspPlace *place) {
  if (!rsp_is_address (address))
    return FALSE;
  guint object = rsp_address_object (address), n = x->program->n_locations;
  gint32 element = rsp_address_element (address);
  if (object < n) {
    const RspLocation *location = &x->program->locations[object];
    *place = (RspPlace){ .index = object + (guint) element };
    return location->object == object && element >= 0 && (guint) element < location->n_elements;
  }
  guint first = first_register_object (x), reg = object - first;
  if (object < first || reg >= x->thread->n_registers)
    return FALSE;
  *place = (RspPlace){ .is_register = TRUE, .index = reg + (guint) element };
  return element >= 0 && (guint) element < MAX (x->thread->registers[reg].n_elements, 1);
}

static const char *explain_element (const RspExecutor *x, gint32 element, const char *name,
                                    guint n) {
  int length = (int) strcspn (name, "[");
  if (element == RSP_FAR_ELEMENT)
    return rsp_arena_printf (x->arena, "access to an element far outside of '%.*s', which has %u",
                             length, name, n);
  return rsp_arena_printf (x->arena, "access to element %d of '%.*s', which has %u", element,
                           length, name, n);
}

/* Why a constant address denotes no place. */
static const char *explain (const RspExecutor *x, gint64 address) {
  if (address == 0)
    return "access through a null pointer";
  guint object = rsp_address_object (address);
  if (!rsp_is_address (address))
    return rsp_arena_printf (
        x->arena, "access through %" G_GINT64_FORMAT ", which is not an address", address);
  if (object >= x->program->n_locations) {
    guint reg = object - first_register_object (x);
    if (reg >= x->thread->n_registers)
      return "access to a register of another thread";
    return explain_element (x, rsp_address_element (address), x->thread->registers[reg].name,
                            MAX (x->thread->registers[reg].n_elements, 1));
  }
  const RspLocation *location = &x->program->locations[object];
  return explain_element (x, rsp_address_element (address), location->name, location->n_elements);
}

/* Is the address computed from that of the object? */
static gboolean mentions_object (const RspTerm *address, guint object) {
  if (address->kind == RSP_TERM_CONSTANT)
    return rsp_is_address (address->constant) && rsp_address_object (address->constant) == object;
  return (address->a && mentions_object (address->a, object))
         || (address->b && mentions_object (address->b, object));
}

/* A location that only this thread accesses is a register of it. */
static void append_at (const RspExecutor *x, RspState *state, RspPlace place, RspStates *out) {
  if (state->status == RSP_STATE_RUNNING && !place.is_register
      && x->program->locations[place.index].reg)
    place = (RspPlace){ .is_register = TRUE, .index = x->program->locations[place.index].reg - 1 };
  state->place = place;
  states_append (out, state);
}

/* One more possibility for an address: a state in which it is `candidate` goes to out, and *state
 * is the state in which it is not, or NULL if none is left. `known` is what was assumed before the
 * first. */
static void try_candidate (RspExecutor *x, RspState **state, const RspConstraintNode *known,
                           const RspTerm *address, gint64 candidate, RspPlace place, RspSpan span,
                           RspStates *out) {
  const RspTerm *equal = rsp_term_binary (x->terms, RSP_OP_EQ, address,
                                          rsp_term_constant (x->terms, candidate, 64, FALSE));
  if (!*state || (equal->kind == RSP_TERM_CONSTANT && !equal->constant))
    return;
  RspState *here = state_fork (x, *state);
  here->constraints = known; /* the address differs from all the others */
  if (state_assume (x, here, equal, span))
    append_at (x, here, place, out);
  else
    state_drop (x, here);
  if (!state_assume (x, *state, rsp_term_negate_condition (x->terms, equal), span)) {
    state_drop (x, *state);
    *state = NULL;
  }
}

/* The address may be that of an element after the last one of the object. That failure is separate,
 * because a larger object would avoid it. *state is then the state in which the address is none of
 * these, or NULL if none is left. */
static void fail_beyond (RspExecutor *x, RspState **state, const RspTerm *address, guint object,
                         RspSpan span, RspStates *out) {
  const RspLocation *first = &x->program->locations[object];
  const RspTerm *end
      = rsp_term_constant (x->terms, rsp_address (object, (gint32) first->n_elements), 64, FALSE);
  const RspTerm *last = rsp_term_constant (x->terms, rsp_address (object, G_MAXINT32), 64, FALSE);
  const RspTerm *beyond = rsp_term_condition (
      x->terms,
      rsp_term_binary (x->terms, RSP_OP_AND, rsp_term_binary (x->terms, RSP_OP_LE, end, address),
                       rsp_term_binary (x->terms, RSP_OP_LE, address, last)));
  RspState *failed = state_fork (x, *state);
  if (state_assume (x, failed, beyond, span)) {
    state_fail (
        failed, span,
        rsp_arena_printf (x->arena, "access to an element after the last of '%.*s', which has %u",
                          (int) strcspn (first->name, "["), first->name, first->n_elements));
    failed->end_address = rsp_address (object, 0);
    states_append (out, failed);
  } else
    state_drop (x, failed);
  if (!state_assume (x, *state, rsp_term_negate_condition (x->terms, beyond), span)) {
    state_drop (x, *state);
    *state = NULL;
  }
}

/* Is it the address of an element that the object would have if it were larger? */
static gboolean is_beyond_end (const RspExecutor *x, gint64 address) {
  return rsp_is_address (address) && rsp_address_object (address) < x->program->n_locations
         && rsp_address_element (address) >= 0;
}

void access_resolve (RspExecutor *x, RspState *state, const RspTerm *address, RspSpan span,
                     RspStates *out) {
  RspPlace place;
  address = rsp_term_cast (x->terms, address, 64, FALSE);
  if (address->is_free)
    executor_give_up (
        x, span, "an address depends on a function that is not calculated, such as one on floats");
  if (address->kind == RSP_TERM_CONSTANT) {
    gboolean found = find_place (x, address->constant, &place);
    if (!found && x->thread->spare && !is_beyond_end (x, address->constant))
      place = (RspPlace){ .is_register = TRUE, .index = x->thread->spare - 1 };
    else if (!found) {
      state_fail (state, span, explain (x, address->constant));
      state->end_address = address->constant;
    }
    append_at (x, state, place, out);
    return;
  }
  const RspConstraintNode *known = state->constraints;
  const guint8 *escaping = executor_escaping_objects (x);
  gboolean possible = FALSE;
  for (guint i = 0; i < x->program->n_locations && !x->gave_up; i++) {
    guint object = x->program->locations[i].object;
    if (object == i)
      possible = escaping[object] || mentions_object (address, object);
    if (!possible)
      continue;
    place = (RspPlace){ .index = i };
    try_candidate (x, &state, known, address, location_address (x, i), place, span, out);
  }
  for (guint i = 0; i < x->thread->n_registers && !x->gave_up; i++)
    if (x->escapes[i]) {
      place = (RspPlace){ .is_register = TRUE, .index = i };
      try_candidate (x, &state, known, address, register_address (x, i), place, span, out);
    }
  for (guint i = 0; i < x->program->n_locations && state; i++)
    if (x->program->locations[i].object == i && x->program->locations[i].grows
        && mentions_object (address, i))
      fail_beyond (x, &state, address, i, span, out);
  if (!state)
    return;
  state_fail (state, span, "access through an address that is in no object");
  states_append (out, state);
}

/* ---- Plain accesses ---- */

/* At state->place. */
static RspEvent plain_event (RspExecutor *x, const RspState *state, RspEventKind kind,
                             RspSpan span) {
  const RspLocation *location = &x->program->locations[state->place.index];
  RspEvent event = { .kind = kind,
                     .location = location->physical,
                     .virtual_location = state->place.index,
                     .reach = RSP_LEVEL_THREAD,
                     .order = RSP_ORDER_NA,
                     .scope = RSP_SCOPE_WORK_ITEM,
                     .span = span };
  const RspMapped mapped = { .operation = kind == RSP_EVENT_READ ? RSP_MAP_LOAD : RSP_MAP_STORE,
                             .flags = rsp_mapped_flags (location) };
  const RspSequence *sequence = translated_find (x, mapped, span);
  if (sequence)
    translated_set (&event, sequence->instructions, sequence->instructions->tags);
  return event;
}

const RspTerm *access_value (RspExecutor *x, RspPlace place, const RspTerm *read) {
  if (place.is_register || !x->program->locations[place.index].opaque)
    return read;
  const RspTerm *function = rsp_term_constant (x->terms, RSP_FUNCTION_READ, 64, FALSE);
  return rsp_term_cast (x->terms, rsp_term_binary (x->terms, RSP_OP_APPLY, function, read),
                        read->bits, read->is_signed);
}

void access_copy (RspExecutor *x, RspState *state, const RspEventSet *addr, RspSpan span) {
  if (state->place.is_register) {
    const RspRegisterValue *reg = &state->registers[state->place.index];
    state->value = (RspPathValue){ .term = reg->term,
                                   .sources = event_set_union (x, reg->sources, addr),
                                   .after = state->before };
    return;
  }
  const RspLocation *location = &x->program->locations[state->place.index];
  const RspType *type = place_type (x, state->place);
  if (location->fixed) {
    const RspTerm *initial = rsp_term_constant (x->terms, location->initial, rsp_type_bits (type),
                                                rsp_type_is_signed (type));
    state->value
        = (RspPathValue){ .term
                          = location->unset ? x->unset : access_value (x, state->place, initial),
                          .sources = addr,
                          .after = state->before };
    return;
  }
  RspEvent event = plain_event (x, state, RSP_EVENT_READ, span);
  event.read
      = rsp_term_read (x->terms, state->n_events, rsp_type_bits (type), rsp_type_is_signed (type));
  guint number = state_emit (x, state, &event, addr, NULL);
  state->value = (RspPathValue){ .term = access_value (x, state->place, event.read),
                                 .sources = event_set_with (x, NULL, number),
                                 .after = event_set_with (x, state->before, number) };
}

void access_fail_unset (RspExecutor *x, RspState *state, RspSpan span) {
  if (state->place.is_register)
    state_fail_unset (x, state, state->place.index, span);
  else
    state_fail (state, span,
                rsp_arena_printf (x->arena, "'%s' is read and never written",
                                  x->program->locations[state->place.index].name));
}

void access_read (RspExecutor *x, RspState *state, const RspEventSet *addr, RspSpan span) {
  access_copy (x, state, addr, span);
  if (state->value.term == x->unset)
    access_fail_unset (x, state, span);
}

/* What memory has after a part without a value is copied to it: nothing is known of that. */
static const RspTerm *unknown_value (RspExecutor *x, const RspType *type) {
  const RspTerm *function = rsp_term_constant (x->terms, RSP_FUNCTION_NOTHING, 64, FALSE);
  return term_to_type (x, rsp_term_binary (x->terms, RSP_OP_APPLY, function, function), type);
}

guint access_write (RspExecutor *x, RspState *state, const RspEventSet *addr, RspPathValue value,
                    RspSpan span) {
  return access_write_back (x, state, addr, value, NULL, span);
}

guint access_write_back (RspExecutor *x, RspState *state, const RspEventSet *addr,
                         RspPathValue value, const RspTerm *read, RspSpan span) {
  const RspType *type = place_type (x, state->place);
  const RspTerm *term = term_to_type (x, value.term, type);
  if (state->place.is_register) {
    state->registers[state->place.index]
        = (RspRegisterValue){ .term = term, .sources = event_set_union (x, value.sources, addr) };
    return G_MAXUINT;
  }
  RspEvent event = plain_event (x, state, RSP_EVENT_WRITE, span);
  event.written = term == x->unset ? unknown_value (x, type) : term;
  event.no_source = read;
  return state_emit (x, state, &event, addr, value.sources);
}
