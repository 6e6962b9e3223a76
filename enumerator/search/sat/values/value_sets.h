#ifndef RSP_ENUMERATOR_SEARCH_SAT_VALUES_VALUE_SETS_H
#define RSP_ENUMERATOR_SEARCH_SAT_VALUES_VALUE_SETS_H

#include "enumerator/search/sat/values/values.h"

/* Finds the values that each event may read and write, and which reads may have a value of a circle (these
 * get a literal). terms: per event, of SatTerm; NULL: it writes nothing. FALSE, with a refusal, if there are
 * too many values. */
gboolean value_sets_find (SatValuation *valuation, GArray *const *terms);

#endif
