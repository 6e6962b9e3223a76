/* Tally: final states and how many executions lead to each. */
#ifndef RSP_ENUMERATOR_SEARCH_STATES_TALLY_H
#define RSP_ENUMERATOR_SEARCH_STATES_TALLY_H

#include "enumerator/search/check.h"

typedef struct RspTally RspTally;

/* The observables that states show are those not named by the filter alone. */
RspTally *rsp_tally_new (const RspProgram *program);
void rsp_tally_free (RspTally *tally);

/* Adds executions (n_undefined of them break a requirement) that end in a state: a value for every
 * observable of the program. Executions that the program's filter drops are not added: FALSE then.
 * `reads` is the text of -outcomereads or NULL; it is copied. */
gboolean rsp_tally_add (RspTally *tally, const RspValue *state, const char *reads,
                        RspCount executions, RspCount n_undefined);

/* Would tally_add keep it? */
gboolean tally_keeps (const RspTally *tally, const RspValue *state);

/* Adds all of *from to *to. What *from holds afterwards is not specified: an empty *to is exchanged
 * for it. */
void tally_take (RspTally **to, RspTally **from);

/* Merges, where observable i of a state of `to` has the value of observable where[i] in `from`.
 * Only for programs without a filter: all observables are in the states. */
void tally_add_renamed (RspTally *to, const RspTally *from, const guint *where);

RspCount tally_executions (const RspTally *tally);
RspCount tally_positive (const RspTally *tally);
/* Bytes the states take, roughly. */
gsize tally_size (const RspTally *tally);

/* Fills the outcome's printed, states, positive, negative and n_undefined, and gives it the arena
 * that has them; the tally is of no further use. When the budget is exhausted, now or while the
 * states are sorted, many states are left out, and the counts stay. */
void rsp_tally_finish (RspTally *tally, RspBudget *budget, RspOutcome *outcome);

#endif
