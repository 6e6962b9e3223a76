#pragma once

#include "enumerator/paths/executor.h"

GHashTable *event_sets_new (void);
GHashTable *event_nodes_new (void);
const RspEventSet *event_set_union (RspExecutor *x, const RspEventSet *a, const RspEventSet *b);
const RspEventSet *event_set_with (RspExecutor *x, const RspEventSet *a, guint event);
/* a and the events begin … end - 1. */
const RspEventSet *event_set_with_range (RspExecutor *x, const RspEventSet *a, guint begin,
                                         guint end);
/* Those of the set that come before event number `end`. */
const RspEventSet *event_set_below (RspExecutor *x, const RspEventSet *a, guint end);

RspState *state_new (RspExecutor *x);
RspState *state_fork (RspExecutor *x, const RspState *state);
void state_drop (RspExecutor *x, RspState *state);
void states_append (RspStates *states, RspState *state);
RspState *states_take (RspStates *states); /* NULL if there is none */
/* Moves all of `from` to the end of `to`. */
void states_move (RspStates *to, RspStates *from);

/* Ends the path of a state. */
/* The register is read before it has a value. */
void state_fail_unset (RspExecutor *x, RspState *state, guint reg, RspSpan span);
void state_fail (RspState *state, RspSpan span, const char *message);
/* Ends the whole symbolic execution with an error, once. */
void executor_give_up (RspExecutor *x, RspSpan span, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Gives up silently if the budget is exhausted. TRUE if it has given up, now or before. */
gboolean executor_is_exhausted (RspExecutor *x);
/* Counts a step and a level of nesting. FALSE if there are too many and the execution gave up. */
gboolean executor_enter (RspExecutor *x, RspSpan span);
void executor_leave (RspExecutor *x);

/* Adds the constraint that a condition holds. FALSE if that obviously contradicts the existing
 * ones. */
gboolean state_assume (RspExecutor *x, RspState *state, const RspTerm *condition, RspSpan span);
/* Branches on whether value is nonzero: *yes and *no, each NULL if it is obviously impossible.
 * Takes the state. */
void state_branch (RspExecutor *x, RspState *state, RspPathValue value, RspSpan span,
                   RspState **yes, RspState **no);
/* Every event so far is sequenced before what comes next. */
void state_sequence_point (RspExecutor *x, RspState *state);

/* Appends an event that depends on the reads of addr and data, after all of state->before. Returns
 * its number. */
guint state_emit (RspExecutor *x, RspState *state, const RspEvent *event, const RspEventSet *addr,
                  const RspEventSet *data);
