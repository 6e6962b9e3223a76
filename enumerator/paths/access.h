#pragma once

#include "enumerator/paths/executor.h"

/* The places that an address may denote, each in a state of its own with `place` set, and a failed
 * state if it may denote none. Takes the state. */
void access_resolve (RspExecutor *x, RspState *state, const RspTerm *address, RspSpan span,
                     RspStates *out);
/* The C type of the contents of a place. */
const RspType *place_type (const RspExecutor *x, RspPlace place);
/* access.c */
gint64 register_address (const RspExecutor *x, guint reg);
/* The value of a read, in terms: of an opaque location, nothing is known but that it is read. */
const RspTerm *access_value (RspExecutor *x, RspPlace place, const RspTerm *read);
/* A plain read or write of state->place, through an address that depends on addr. state->value
 * becomes the value read, in the place's own type, with the events that precede it. Accesses to
 * registers make no events. */
void access_read (RspExecutor *x, RspState *state, const RspEventSet *addr, RspSpan span);
/* The same, but the value may be x->unset, which access_read reports. */
void access_copy (RspExecutor *x, RspState *state, const RspEventSet *addr, RspSpan span);
/* The value of state->place is used, but it has none. */
void access_fail_unset (RspExecutor *x, RspState *state, RspSpan span);
/* Returns the number of the event, or G_MAXUINT for a register. */
guint access_write (RspExecutor *x, RspState *state, const RspEventSet *addr, RspPathValue value,
                    RspSpan span);
/* The same, of a compare-exchange that fails, to *expected: the operation does not read its own
 * write there. read: the value that it read. */
guint access_write_back (RspExecutor *x, RspState *state, const RspEventSet *addr,
                         RspPathValue value, const RspTerm *read, RspSpan span);
