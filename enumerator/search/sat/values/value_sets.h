#pragma once

#include "enumerator/search/sat/values/values.h"

/* Finds the values that each event may read and write. terms: per event, of SatTerm; NULL: it
 * writes nothing. FALSE, with a refusal, if there are too many values. */
gboolean value_sets_find (SatValuation *valuation, GArray *const *terms);
