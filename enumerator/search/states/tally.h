/* Tally: final states and how many executions lead to each. */
#pragma once

#include "enumerator/search/check.h"

typedef struct RspTally RspTally;

/* The observables that states show are those not named by the filter alone. */
RspTally *rsp_tally_new (const RspProgram *program);
void rsp_tally_free (RspTally *tally);

/* Adds executions (n_undefined of them violate a requirement) that end in a state: a value for
 * every observable of the program. FALSE if the program's filter drops them, so that nothing is
 * added. `reads` is the text of -outcomereads or NULL; it is copied. */
gboolean rsp_tally_add (RspTally *tally, const RspValue *state, const char *reads,
                        RspCount executions, RspCount n_undefined);

/* The same for a state as numbers of its values, one for every observable. differs: is it known
 * that no state added so far has the same values? */
gboolean tally_add_numbered (RspTally *tally, const guint32 *state, RspCount executions,
                             RspCount n_undefined, gboolean differs);
guint32 rsp_tally_number (RspTally *tally, RspValue value);

/* Is it empty, and does it show all observables, so that states which differ do so here? */
gboolean rsp_tally_takes_all (const RspTally *tally);

/* Would tally_add keep it? */
gboolean tally_keeps (const RspTally *tally, const RspValue *state);

/* Adds all of *from to *to. The contents of *from are unspecified afterwards: an empty *to is
 * exchanged with it. */
void tally_take (RspTally **to, RspTally **from);

/* Merges; observable i of a state of `to` gets the value of observable where[i] in `from`. Only for
 * programs without a filter, whose states have all observables. */
void tally_add_renamed (RspTally *to, const RspTally *from, const guint *where);

RspCount tally_executions (const RspTally *tally);
/* Is there an execution in which the condition's proposition holds (fails), or may hold (fail),
 * depending on undetermined values? */
gboolean tally_may_hold (const RspTally *tally);
gboolean tally_may_fail (const RspTally *tally);
/* The approximate size of the states in bytes. */
gsize tally_size (const RspTally *tally);

/* Fills the outcome's printed, states, positive, negative, undetermined and n_undefined, and
 * transfers the arena that has them; the tally is unusable afterwards. If the budget is exhausted,
 * also while states are sorted, large numbers of states are left out, but the counts stay. */
void rsp_tally_finish (RspTally *tally, RspBudget *budget, RspOutcome *outcome);
