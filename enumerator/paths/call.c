/* Symbolic execution of atomic operations and fences. Arguments are unsequenced against each other
 * and all sequenced before the operation (C11 6.5.2.2); inside it, events follow one another. */
#include "enumerator/paths/call.h"
#include "enumerator/paths/access.h"
#include "enumerator/paths/expression.h"
#include "enumerator/paths/operator.h"
#include "enumerator/paths/state.h"
#include "enumerator/terms/condition.h"
#include "enumerator/terms/simplify.h"

/* A call that is being executed. */
typedef struct Call
{
  RspExecutor *x;
  const RspExpr *expr;
  const RspCall *call;
  RspStates *out;
  guint first;               /* number of the first event of its arguments */
  const RspEventSet *before; /* events before the whole expression */
  RspPathValue object, expected, operand;
} Call;

/* ---- Events ---- */

static RspEvent
make_event (const Call *c, RspEventKind kind, RspOrder order, const RspState *state)
{
  gboolean fence = kind == RSP_EVENT_FENCE;
  return (RspEvent){ .kind = kind,
                     .location = fence ? RSP_NO_LOCATION : state->place.index,
                     .order = order,
                     .scope = c->call->scope,
                     .flags = fence ? c->call->flags : 0,
                     .is_atomic = !fence,
                     .remote = c->call->remote,
                     .span = c->expr->span };
}

/* Appends an event of the call; the call's later events come after it. */
static void
emit (const Call *c, RspState *state, const RspEvent *event, const RspEventSet *data)
{
  guint number = state_emit (c->x, state, event, c->object.sources, data);
  state->before = event_set_with (c->x, state->before, number);
}

/* Ends the call; its value depends on `sources`. */
static void
finish (const Call *c, RspState *state, const RspTerm *term, const RspEventSet *sources)
{
  state->value = (RspPathValue){ .term = term_to_type (c->x, term, &c->expr->type),
                                 .sources = sources,
                                 .after = state->before };
  state->before = c->before;
  states_append (c->out, state);
}

static void
finish_constant (const Call *c, RspState *state, gint64 value, const RspEventSet *sources)
{
  finish (c, state, rsp_term_constant (c->x->terms, value, 32, TRUE), sources);
}

/* The value that the next event, at the state's place, returns. */
static const RspTerm *
next_read (const Call *c, const RspState *state)
{
  const RspType *type = place_type (c->x, state->place);
  return rsp_term_read (c->x->terms, state->n_events, rsp_type_bits (type),
                        rsp_type_is_signed (type));
}

static const RspTerm *
to_place (const Call *c, const RspState *state, const RspTerm *term)
{
  return term_to_type (c->x, term, place_type (c->x, state->place));
}

/* ---- Operations; each takes a state whose place is the object's ---- */

static void
load (const Call *c, RspState *state)
{
  if (state->place.is_register)
    {
      access_read (c->x, state, c->object.sources, c->expr->span);
      finish (c, state, state->value.term, state->value.sources);
      return;
    }
  RspEvent event = make_event (c, RSP_EVENT_READ, c->call->order, state);
  event.read = next_read (c, state);
  guint number = state->n_events;
  emit (c, state, &event, NULL);
  finish (c, state, event.read, event_set_with (c->x, NULL, number));
}

/* atomic_init is a plain write. */
static void
store (const Call *c, RspState *state)
{
  if (state->place.is_register || c->call->kind == RSP_CALL_INIT)
    {
      guint number = access_write (c->x, state, c->object.sources, c->operand, c->expr->span);
      if (number != G_MAXUINT)
        state->before = event_set_with (c->x, state->before, number);
    }
  else
    {
      RspEvent event = make_event (c, RSP_EVENT_WRITE, c->call->order, state);
      event.written = to_place (c, state, c->operand.term);
      emit (c, state, &event, c->operand.sources);
    }
  finish_constant (c, state, 0, NULL);
}

/* What an RMW writes over `old`. */
static const RspTerm *
new_value (const Call *c, const RspState *state, const RspTerm *old)
{
  const RspTerm *operand = to_place (c, state, c->operand.term);
  if (c->call->kind == RSP_CALL_FLAG_TEST_AND_SET)
    return operand;
  const RspTerm *term = rsp_term_binary (c->x->terms, c->call->op, old, operand);
  executor_check_term (c->x, term, c->expr->span);
  return to_place (c, state, term);
}

static void
finish_fetch (const Call *c, RspState *state, const RspTerm *old, const RspEventSet *sources)
{
  if (c->call->kind == RSP_CALL_FLAG_TEST_AND_SET)
    old = rsp_term_condition (c->x->terms, old);
  finish (c, state, old, sources);
}

static void
fetch (const Call *c, RspState *state)
{
  if (state->place.is_register)
    {
      access_read (c->x, state, c->object.sources, c->expr->span);
      RspPathValue old = state->value, value = c->operand;
      value.term = new_value (c, state, old.term);
      value.sources = event_set_union (c->x, value.sources, old.sources);
      access_write (c->x, state, c->object.sources, value, c->expr->span);
      finish_fetch (c, state, old.term, old.sources);
      return;
    }
  RspEvent event = make_event (c, RSP_EVENT_RMW, c->call->order, state);
  event.read = next_read (c, state);
  event.written = new_value (c, state, event.read);
  guint number = state->n_events;
  emit (c, state, &event, c->operand.sources);
  finish_fetch (c, state, event.read, event_set_with (c->x, NULL, number));
}

/* ---- Compare-exchange ---- */

/* A compare-exchange whose expected value has been read, at `expected_place`. */
typedef struct Comparison
{
  const Call *c;
  RspPathValue expected;
  RspPlace expected_place;
} Comparison;

static void
succeed (const Comparison *comparison, RspState *state)
{
  const Call *c = comparison->c;
  const RspEventSet *sources = comparison->expected.sources;
  if (state->place.is_register)
    {
      access_write (c->x, state, c->object.sources, c->operand, c->expr->span);
      finish_constant (c, state, 1, sources);
      return;
    }
  RspEvent event = make_event (c, RSP_EVENT_RMW, c->call->order, state);
  event.read = next_read (c, state);
  event.written = to_place (c, state, c->operand.term);
  guint number = state->n_events;
  emit (c, state, &event, event_set_union (c->x, c->operand.sources, sources));
  finish_constant (c, state, 1, event_set_with (c->x, sources, number));
}

/* Writes the value found to *expected, as in C11 (7.17.7.4), unlike in the published OpenCL
 * tests. */
static void
write_expected (const Comparison *comparison, RspState *state, RspPathValue found)
{
  const Call *c = comparison->c;
  if (!c->x->options->cas_writeback)
    return;
  RspPlace object = state->place;
  state->place = comparison->expected_place;
  guint number = access_write (c->x, state, c->expected.sources, found, c->expr->span);
  if (number != G_MAXUINT)
    state->before = event_set_with (c->x, state->before, number);
  state->place = object;
}

static void
fail (const Comparison *comparison, RspState *state)
{
  const Call *c = comparison->c;
  RspPathValue found = { 0 };
  if (state->place.is_register)
    {
      access_read (c->x, state, c->object.sources, c->expr->span);
      found = state->value;
    }
  else
    {
      RspEvent event = make_event (c, RSP_EVENT_READ, c->call->failure, state);
      event.read = next_read (c, state);
      event.failed_rmw = TRUE;
      found = (RspPathValue){ .term = event.read,
                              .sources = event_set_with (c->x, NULL, state->n_events) };
      emit (c, state, &event, NULL);
    }
  write_expected (comparison, state, found);
  finish_constant (c, state, 0,
                   event_set_union (c->x, found.sources, comparison->expected.sources));
}

/* The possible outcomes: success, failure, and for a weak one also failure although the values
 * agree. */
static void
compare (const Comparison *comparison, RspState *state)
{
  const Call *c = comparison->c;
  RspExecutor *x = c->x;
  RspSpan span = c->expr->span;
  const RspTerm *old
      = state->place.is_register ? state->registers[state->place.index].term : next_read (c, state);
  const RspTerm *equal
      = rsp_term_binary (x->terms, RSP_OP_EQ, old, to_place (c, state, comparison->expected.term));
  RspState *failing = state_fork (x, state);
  RspState *spurious = c->call->weak ? state_fork (x, state) : NULL;
  if (state_assume (x, state, equal, span))
    succeed (comparison, state);
  else
    state_drop (x, state);
  if (state_assume (x, failing, rsp_term_negate_condition (x->terms, equal), span))
    fail (comparison, failing);
  else
    state_drop (x, failing);
  if (spurious && state_assume (x, spurious, equal, span))
    fail (comparison, spurious);
  else if (spurious)
    state_drop (x, spurious);
}

/* A path that failed before reaching the operation. */
static void
abandon (const Call *c, RspState *state)
{
  state->before = c->before;
  states_append (c->out, state);
}

/* state->place is that of the expected value. */
static void
read_expected (const Call *c, RspState *state)
{
  Comparison comparison = { .c = c, .expected_place = state->place };
  RspStates objects = { 0 };
  access_read (c->x, state, c->expected.sources, c->expr->span);
  comparison.expected = state->value;
  state->before = comparison.expected.after;
  access_resolve (c->x, state, c->object.term, c->call->object->span, &objects);
  while ((state = states_take (&objects)))
    if (state->status == RSP_STATE_RUNNING)
      compare (&comparison, state);
    else
      abandon (c, state);
}

/* ---- The call ---- */

static void
access_object (const Call *c, RspState *state)
{
  switch (c->call->kind)
    {
    case RSP_CALL_LOAD:
      load (c, state);
      return;
    case RSP_CALL_FETCH:
    case RSP_CALL_FLAG_TEST_AND_SET:
      fetch (c, state);
      return;
    case RSP_CALL_CAS:
      read_expected (c, state);
      return;
    case RSP_CALL_STORE:
    case RSP_CALL_FLAG_CLEAR:
    case RSP_CALL_INIT:
      store (c, state);
      return;
    case RSP_CALL_FENCE:
      break; /* no object */
    }
  g_assert_not_reached ();
}

static void
fence (const Call *c, RspState *state)
{
  RspEvent event = make_event (c, RSP_EVENT_FENCE, c->call->order, state);
  emit (c, state, &event, NULL);
  finish_constant (c, state, 0, NULL);
}

/* All arguments have been evaluated. */
static void
perform (const Call *c, RspState *state)
{
  const RspCall *call = c->call;
  state->before = event_set_with_range (c->x, c->before, c->first, state->n_events);
  if (call->kind == RSP_CALL_FENCE)
    {
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
      abandon (c, state);
}

/* Evaluates argument number `index` of object, expected and operand, then the rest, then
 * performs. */
static void
evaluate_arguments (const Call *c, guint index, RspState *state)
{
  const RspExpr *const arguments[] = { c->call->object, c->call->expected, c->call->value };
  while (index < G_N_ELEMENTS (arguments) && !arguments[index])
    index++;
  if (index == G_N_ELEMENTS (arguments))
    {
      perform (c, state);
      return;
    }
  RspStates results = { 0 };
  expression_evaluate (c->x, arguments[index], state, &results);
  while ((state = states_take (&results)))
    {
      Call next = *c;
      RspPathValue *const values[] = { &next.object, &next.expected, &next.operand };
      *values[index] = state->value;
      if (state->status == RSP_STATE_RUNNING)
        evaluate_arguments (&next, index + 1, state);
      else
        abandon (c, state);
    }
}

void
call_evaluate (RspExecutor *x, const RspExpr *expr, RspState *state, RspStates *out)
{
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
