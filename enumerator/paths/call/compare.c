/* Compare-exchange, and compare-and-swap of two events. */
#include "enumerator/paths/call/compare.h"
#include "enumerator/paths/access.h"
#include "enumerator/paths/state.h"
#include "enumerator/terms/condition.h"
#include "enumerator/terms/simplify.h"

/* A compare-exchange whose expected value has been read, at `expected_place`. */
typedef struct Comparison {
  const Call *c;
  RspPathValue expected;
  RspPlace expected_place;
} Comparison;

static void succeed (const Comparison *comparison, RspState *state) {
  const Call *c = comparison->c;
  const RspEventSet *sources = comparison->expected.sources;
  if (state->place.is_register) {
    access_write (c->x, state, c->object.sources, c->operand, c->expr->span);
    call_finish_constant (c, state, 1, sources);
    return;
  }
  const RspTerm *old = call_next_read (c, state),
                *written = call_to_place (c, state, c->operand.term);
  const RspEventSet *data = event_set_union (c->x, c->operand.sources, sources);
  const RspEventSet *result = event_set_with (c->x, sources, state->n_events);
  if (c->x->program->language->rmw == RSP_RMW_TWO_EVENTS)
    call_emit_halves (c, state, old, written, event_set_union (c->x, data, result));
  else {
    RspEvent event = call_event (c, RSP_EVENT_RMW, c->call->order, state);
    event.read = old;
    event.written = written;
    call_emit (c, state, &event, data);
  }
  call_finish_constant (c, state, 1, result);
}

/* Writes the value found to *expected, as in C11 (7.17.7.4), unlike in the published OpenCL
 * tests. */
static void write_expected (const Comparison *comparison, RspState *state, RspPathValue found) {
  const Call *c = comparison->c;
  if (!c->x->options->cas_writeback)
    return;
  RspPlace object = state->place;
  state->place = comparison->expected_place;
  guint number = access_write_back (c->x, state, c->expected.sources, found,
                                    comparison->expected.term, c->expr->span);
  if (number != G_MAXUINT)
    state->before = event_set_with (c->x, state->before, number);
  state->place = object;
}

/* Where a read-modify-write is two events, a failing one writes back what it read, as a swap. */
static void emit_failure (const Call *c, RspState *state, RspPathValue found, gboolean spurious) {
  if (c->x->program->language->rmw == RSP_RMW_TWO_EVENTS) {
    call_emit_halves (c, state, found.term, found.term, found.sources);
    return;
  }
  RspEvent event = call_event (c, RSP_EVENT_READ, c->call->failure, state);
  event.read = found.term;
  event.failed_rmw = TRUE;
  event.spurious = spurious && c->x->options->cycles;
  call_emit (c, state, &event, NULL);
}

static void fail (const Comparison *comparison, RspState *state, gboolean spurious) {
  const Call *c = comparison->c;
  RspPathValue found = { 0 };
  if (state->place.is_register) {
    access_read (c->x, state, c->object.sources, c->expr->span);
    found = state->value;
  } else {
    found = (RspPathValue){ .term = call_next_read (c, state),
                            .sources = event_set_with (c->x, NULL, state->n_events) };
    emit_failure (c, state, found, spurious);
    found.term = access_value (c->x, state->place, found.term);
  }
  write_expected (comparison, state, found);
  call_finish_constant (c, state, 0,
                        event_set_union (c->x, found.sources, comparison->expected.sources));
}

/* The possible outcomes: success, failure, and for a weak one also failure although the values
 * agree. */
static void compare (const Comparison *comparison, RspState *state) {
  const Call *c = comparison->c;
  RspExecutor *x = c->x;
  RspSpan span = c->expr->span;
  translated_before (x, state, c->sequence, span);
  const RspTerm *old = state->place.is_register
                           ? state->registers[state->place.index].term
                           : access_value (x, state->place, call_next_read (c, state));
  const RspTerm *equal = rsp_term_binary (x->terms, RSP_OP_EQ, old,
                                          call_to_place (c, state, comparison->expected.term));
  RspState *failing = state_fork (x, state);
  RspState *spurious = c->call->weak && !c->sequence ? state_fork (x, state) : NULL;
  if (state_assume (x, state, equal, span))
    succeed (comparison, state);
  else
    state_drop (x, state);
  if (state_assume (x, failing, rsp_term_negate_condition (x->terms, equal), span))
    fail (comparison, failing, FALSE);
  else
    state_drop (x, failing);
  if (spurious && state_assume (x, spurious, equal, span))
    fail (comparison, spurious, TRUE);
  else if (spurious)
    state_drop (x, spurious);
}

void call_compare_exchange (const Call *c, RspState *state) {
  Comparison comparison = { .c = c, .expected_place = state->place };
  RspStates objects = { 0 };
  access_read (c->x, state, c->expected.sources, c->expr->span);
  comparison.expected = state->value;
  state->before = comparison.expected.after;
  access_resolve (c->x, state, c->object.term, c->call->object->span, &objects);
  while ((state = states_take (&objects)))
    if (state->status == RSP_STATE_RUNNING) {
      Call here = *c;
      here.sequence = call_sequence (c, state);
      comparison.c = &here;
      compare (&comparison, state);
    } else
      call_abandon (c, state);
}

/* ---- Compare-and-swap of two events ---- */

/* One outcome: what is written depends on the comparison either way. */
static void swap_to (const Call *c, RspState *state, const RspTerm *old, const RspTerm *written) {
  const RspEventSet *read = event_set_with (c->x, NULL, state->n_events);
  const RspEventSet *sources = event_set_union (c->x, c->operand.sources, c->expected.sources);
  call_emit_halves (c, state, old, written, event_set_union (c->x, sources, read));
  call_finish (c, state, old, read);
}

void call_compare_and_swap (const Call *c, RspState *state) {
  RspSpan span = c->expr->span;
  if (state->place.is_register) {
    state_fail (state, span, "a read-modify-write of a register");
    states_append (c->out, state);
    return;
  }
  const RspTerm *old = call_next_read (c, state);
  const RspTerm *equal
      = rsp_term_binary (c->x->terms, RSP_OP_EQ, old, call_to_place (c, state, c->expected.term));
  RspState *failing = state_fork (c->x, state);
  if (state_assume (c->x, state, equal, span))
    swap_to (c, state, old, call_to_place (c, state, c->operand.term));
  else
    state_drop (c->x, state);
  if (state_assume (c->x, failing, rsp_term_negate_condition (c->x->terms, equal), span))
    swap_to (c, failing, old, old);
  else
    state_drop (c->x, failing);
}
