#include "enumerator/paths/call/events.h"
#include "enumerator/paths/access.h"
#include "enumerator/paths/operator.h"
#include "enumerator/paths/state.h"

RspEvent call_event (const Call *c, RspEventKind kind, RspOrder order, const RspState *state) {
  gboolean fence = kind == RSP_EVENT_FENCE;
  guint place = state->place.index;
  RspEvent event = { .kind = kind,
                     .location = fence ? RSP_NO_LOCATION : c->x->program->locations[place].physical,
                     .virtual_location = fence ? RSP_NO_LOCATION : place,
                     .tags = c->call->tags,
                     .reach = c->call->reach,
                     .order = order,
                     .scope = c->call->scope,
                     .flags = fence ? c->call->flags : 0,
                     .is_atomic = !fence,
                     .remote = c->call->remote,
                     .no_result = c->call->kind == RSP_CALL_REDUCE,
                     .span = c->expr->span };
  const RspTranslated *main = c->sequence ? &c->sequence->instructions[c->sequence->main] : NULL;
  if (main)
    translated_set (&event, main, main->tags);
  return event;
}

/* The tags of the half of a read-modify-write that writes. */
static guint64 write_tags (const Call *c) {
  return c->sequence ? c->sequence->instructions[c->sequence->main].write_tags
                     : c->call->write_tags;
}

const RspSequence *call_sequence (const Call *c, const RspState *state) {
  static const RspMapOperation operations[]
      = { [RSP_CALL_LOAD] = RSP_MAP_LOAD,        [RSP_CALL_STORE] = RSP_MAP_STORE,
          [RSP_CALL_FETCH] = RSP_MAP_RMW,        [RSP_CALL_CAS] = RSP_MAP_RMW,
          [RSP_CALL_FENCE] = RSP_MAP_FENCE,      [RSP_CALL_FLAG_TEST_AND_SET] = RSP_MAP_RMW,
          [RSP_CALL_FLAG_CLEAR] = RSP_MAP_STORE, [RSP_CALL_INIT] = RSP_MAP_STORE,
          [RSP_CALL_SWAP] = RSP_MAP_RMW,         [RSP_CALL_REDUCE] = RSP_MAP_RMW };
  const RspCall *call = c->call;
  gboolean is_fence = call->kind == RSP_CALL_FENCE;
  if (!c->x->program->translation || call->kind == RSP_CALL_INIT
      || (!is_fence && state->place.is_register))
    return NULL;
  const RspMapped mapped
      = { .operation = operations[call->kind],
          .order = call->order,
          .scope = call->scope,
          .remote = call->remote,
          .spelling = c->x->program->written_in->tagged ? &call->spelling : NULL,
          .reach = call->reach,
          .flags = is_fence ? call->flags
                            : rsp_mapped_flags (&c->x->program->locations[state->place.index]) };
  return translated_find (c->x, mapped, c->expr->span);
}

void call_emit (const Call *c, RspState *state, const RspEvent *event, const RspEventSet *data) {
  guint number = state_emit (c->x, state, event, c->object.sources, data);
  state->before = event_set_with (c->x, state->before, number);
}

void call_finish (const Call *c, RspState *state, const RspTerm *term, const RspEventSet *sources) {
  translated_after (c->x, state, c->sequence, c->expr->span);
  state->value = (RspPathValue){ .term = term_to_type (c->x, term, &c->expr->type),
                                 .sources = sources,
                                 .after = state->before };
  state->before = c->before;
  states_append (c->out, state);
}

void call_finish_constant (const Call *c, RspState *state, gint64 value,
                           const RspEventSet *sources) {
  call_finish (c, state, rsp_term_constant (c->x->terms, value, 32, TRUE), sources);
}

const RspTerm *call_next_read (const Call *c, const RspState *state) {
  const RspType *type = place_type (c->x, state->place);
  return rsp_term_read (c->x->terms, state->n_events, rsp_type_bits (type),
                        rsp_type_is_signed (type));
}

const RspTerm *call_to_place (const Call *c, const RspState *state, const RspTerm *term) {
  return term_to_type (c->x, term, place_type (c->x, state->place));
}

void call_emit_halves (const Call *c, RspState *state, const RspTerm *old, const RspTerm *written,
                       const RspEventSet *sources) {
  RspEvent read = call_event (c, RSP_EVENT_READ, c->call->order, state);
  read.read = old;
  read.rmw_half = TRUE;
  call_emit (c, state, &read, NULL);
  RspEvent write = call_event (c, RSP_EVENT_WRITE, c->call->order, state);
  write.written = written;
  write.tags = write_tags (c);
  write.rmw_half = TRUE;
  call_emit (c, state, &write, sources);
}

void call_abandon (const Call *c, RspState *state) {
  state->before = c->before;
  states_append (c->out, state);
}
