/* The events of a call, and how it ends. */
#pragma once

#include "enumerator/paths/call/translated.h"

/* A call that is being executed. */
typedef struct Call {
  RspExecutor *x;
  const RspExpr *expr;
  const RspCall *call;
  RspStates *out;
  guint first;               /* number of the first event of its arguments */
  const RspEventSet *before; /* events before the whole expression */
  RspPathValue object, expected, operand;
  const RspSequence *sequence; /* of a translated program: what the operation becomes */
} Call;

RspEvent call_event (const Call *c, RspEventKind kind, RspOrder order, const RspState *state);
/* What the operation becomes at the state's place, if the program is translated. */
const RspSequence *call_sequence (const Call *c, const RspState *state);
/* Appends an event of the call; the call's later events come after it. */
void call_emit (const Call *c, RspState *state, const RspEvent *event, const RspEventSet *data);
/* Ends the call; its value depends on `sources`. */
void call_finish (const Call *c, RspState *state, const RspTerm *term, const RspEventSet *sources);
void call_finish_constant (const Call *c, RspState *state, gint64 value,
                           const RspEventSet *sources);
/* The value that the next event, at the state's place, returns. */
const RspTerm *call_next_read (const Call *c, const RspState *state);
const RspTerm *call_to_place (const Call *c, const RspState *state, const RspTerm *term);
/* The two events of a read-modify-write: what is written depends on the reads of `sources`. */
void call_emit_halves (const Call *c, RspState *state, const RspTerm *old, const RspTerm *written,
                       const RspEventSet *sources);
/* Of a path that failed before reaching the operation. */
void call_abandon (const Call *c, RspState *state);
