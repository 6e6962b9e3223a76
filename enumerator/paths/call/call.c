/* Symbolic execution of atomic operations and fences. Arguments are unsequenced against each other
 * and all sequenced before the operation (C11 6.5.2.2); inside it, events follow one another. */
#include "enumerator/paths/call/call.h"
#include "enumerator/paths/call/compare.h"
#include "enumerator/paths/access.h"
#include "enumerator/paths/expression.h"
#include "enumerator/paths/operator.h"
#include "enumerator/paths/state.h"
#include "enumerator/terms/condition.h"
#include "enumerator/terms/simplify.h"

/* ---- Operations; each takes a state whose place is the object's ---- */

static void load (const Call *c, RspState *state) {
  if (state->place.is_register) {
    access_read (c->x, state, c->object.sources, c->expr->span);
    call_finish (c, state, state->value.term, state->value.sources);
    return;
  }
  RspEvent event = call_event (c, RSP_EVENT_READ, c->call->order, state);
  event.read = call_next_read (c, state);
  guint number = state->n_events;
  call_emit (c, state, &event, NULL);
  call_finish (c, state, access_value (c->x, state->place, event.read),
               event_set_with (c->x, NULL, number));
}

/* atomic_init is a plain write. */
static void store (const Call *c, RspState *state) {
  if (state->place.is_register || c->call->kind == RSP_CALL_INIT) {
    guint number = access_write (c->x, state, c->object.sources, c->operand, c->expr->span);
    if (number != G_MAXUINT)
      state->before = event_set_with (c->x, state->before, number);
  } else {
    RspEvent event = call_event (c, RSP_EVENT_WRITE, c->call->order, state);
    event.written = call_to_place (c, state, c->operand.term);
    call_emit (c, state, &event, c->operand.sources);
  }
  call_finish_constant (c, state, 0, NULL);
}

/* What an RMW writes over `old`. */
static const RspTerm *new_value (const Call *c, const RspState *state, const RspTerm *old) {
  const RspTerm *operand = call_to_place (c, state, c->operand.term);
  if (c->call->kind == RSP_CALL_FLAG_TEST_AND_SET)
    return operand;
  const RspTerm *term = rsp_term_binary (c->x->terms, c->call->op, old, operand);
  executor_check_term (c->x, term, c->expr->span);
  return call_to_place (c, state, term);
}

static void finish_fetch (const Call *c, RspState *state, const RspTerm *old,
                          const RspEventSet *sources) {
  if (c->call->kind == RSP_CALL_FLAG_TEST_AND_SET)
    old = rsp_term_condition (c->x->terms, old);
  call_finish (c, state, old, sources);
}

static void fetch_in_halves (const Call *c, RspState *state) {
  const RspTerm *old = call_next_read (c, state);
  const RspEventSet *read = event_set_with (c->x, NULL, state->n_events);
  gboolean uses_old = c->call->kind == RSP_CALL_FETCH && c->call->op != RSP_OP_EXCHANGE;
  call_emit_halves (c, state, old, new_value (c, state, old),
                    event_set_union (c->x, c->operand.sources, uses_old ? read : NULL));
  finish_fetch (c, state, old, read);
}

static void fetch (const Call *c, RspState *state) {
  if (c->x->program->language->rmw == RSP_RMW_TWO_EVENTS && !state->place.is_register) {
    fetch_in_halves (c, state);
    return;
  }
  if (state->place.is_register) {
    access_read (c->x, state, c->object.sources, c->expr->span);
    RspPathValue old = state->value, value = c->operand;
    value.term = new_value (c, state, old.term);
    value.sources = event_set_union (c->x, value.sources, old.sources);
    access_write (c->x, state, c->object.sources, value, c->expr->span);
    finish_fetch (c, state, old.term, old.sources);
    return;
  }
  RspEvent event = call_event (c, RSP_EVENT_RMW, c->call->order, state);
  event.read = call_next_read (c, state);
  const RspTerm *old = access_value (c->x, state->place, event.read);
  event.written = new_value (c, state, old);
  guint number = state->n_events;
  call_emit (c, state, &event, c->operand.sources);
  finish_fetch (c, state, old, event_set_with (c->x, NULL, number));
}

/* ---- The call ---- */

static void access_object (const Call *call, RspState *state) {
  Call here = *call;
  const Call *c = &here;
  if (c->call->kind == RSP_CALL_CAS) {
    call_compare_exchange (c, state);
    return;
  }
  here.sequence = call_sequence (c, state);
  translated_before (c->x, state, c->sequence, c->expr->span);
  switch (c->call->kind) {
  case RSP_CALL_LOAD:
    load (c, state);
    return;
  case RSP_CALL_FETCH:
  case RSP_CALL_REDUCE:
  case RSP_CALL_FLAG_TEST_AND_SET:
    fetch (c, state);
    return;
  case RSP_CALL_STORE:
  case RSP_CALL_FLAG_CLEAR:
  case RSP_CALL_INIT:
    store (c, state);
    return;
  case RSP_CALL_SWAP:
    call_compare_and_swap (c, state);
    return;
  case RSP_CALL_CAS:
  case RSP_CALL_FENCE:
    break; /* handled elsewhere */
  }
  g_assert_not_reached ();
}

static void fence (const Call *call, RspState *state) {
  Call here = *call;
  const Call *c = &here;
  here.sequence = call_sequence (c, state);
  translated_before (c->x, state, c->sequence, c->expr->span);
  if (c->sequence) {
    call_finish_constant (c, state, 0, NULL);
    return;
  }
  RspEvent event = call_event (c, RSP_EVENT_FENCE, c->call->order, state);
  call_emit (c, state, &event, NULL);
  call_finish_constant (c, state, 0, NULL);
}

/* All arguments have been evaluated. */
static void perform (const Call *c, RspState *state) {
  const RspCall *call = c->call;
  state->before = event_set_with_range (c->x, c->before, c->first, state->n_events);
  if (call->kind == RSP_CALL_FENCE) {
    fence (c, state);
    return;
  }
  gboolean compares = call->kind == RSP_CALL_CAS;
  RspStates places = { 0 };
  access_resolve (c->x, state, compares ? c->expected.term : c->object.term,
                  compares ? call->expected->span : call->object->span, &places);
  while ((state = states_take (&places)))
    if (state->status == RSP_STATE_RUNNING)
      access_object (c, state);
    else
      call_abandon (c, state);
}

/* Evaluates argument number `index` of object, expected and operand, then the rest, then
 * performs. */
static void evaluate_arguments (const Call *c, guint index, RspState *state) {
  const RspExpr *const arguments[] = { c->call->object, c->call->expected, c->call->value };
  while (index < G_N_ELEMENTS (arguments) && !arguments[index])
    index++;
  if (index == G_N_ELEMENTS (arguments)) {
    perform (c, state);
    return;
  }
  RspStates results = { 0 };
  expression_evaluate (c->x, arguments[index], state, &results);
  while ((state = states_take (&results))) {
    Call next = *c;
    RspPathValue *const values[] = { &next.object, &next.expected, &next.operand };
    *values[index] = state->value;
    if (state->status == RSP_STATE_RUNNING)
      evaluate_arguments (&next, index + 1, state);
    else
      call_abandon (c, state);
  }
}

void call_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out) {
  Call c = { .x = x,
             .expr = expr,
             .call = expr->u.call,
             .out = out,
             .first = state->n_events,
             .before = state->before };
  RspCallKind kind = c.call->kind;
  if (kind == RSP_CALL_FLAG_TEST_AND_SET || kind == RSP_CALL_FLAG_CLEAR)
    c.operand.term = rsp_term_constant (x->terms, kind == RSP_CALL_FLAG_TEST_AND_SET, 32, TRUE);
  evaluate_arguments (&c, 0, state);
}
