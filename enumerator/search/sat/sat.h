/* The engine `sat`: verdicts by a SAT solver. One problem for all paths: which each thread takes,
 * reads-from, coherence, the model's orders and all values are literals, and the model's axioms
 * clauses. Final states and flags are queries. Each state counts as one execution. */
#pragma once

#include "enumerator/search/combinations.h"

/* Another way to search, for about as long as the solver has been at it; TRUE: it has answered
 * everything, in the check. */
typedef gboolean (*SatAlternative) (Check *check);

/* Searches all combinations of the check's paths at once, into its tally, flags and failures. What
 * it cannot encode is refused with an error that says why; nothing is approximated. Under -engine
 * auto it is not an error: FALSE, and nothing has changed. If a question takes long, an
 * alternative, unless NULL, is tried now and then. */
gboolean sat_search (Check *check, SatAlternative alternative);
