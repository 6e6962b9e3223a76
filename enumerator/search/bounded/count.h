#pragma once

#include "enumerator/search/bounded/values/observe.h"

/* All axioms are settled and all reads decided: adds the completions of co and the chosen orders to
 * results. FALSE, with nothing added, if an order has too many undecided elements, or too many
 * completions are of different kinds. */
gboolean count_completions (Searcher *s, const Observed *observed, gboolean undefined,
                            RspResults *results);

/* Everything is decided, but of a partial coherence several writes may be maximal: adds one
 * execution for each choice of the final writes of the locations that are open. */
void count_final_writes (Searcher *s, const Observed *observed, gboolean undefined,
                         RspResults *results);
