#pragma once

#include "enumerator/search/sat/values/values.h"

/* Finds the reads that may have a value of a circle; these get a literal. terms: per event, of
 * SatTerm; NULL: it writes nothing. */
void sat_circles_find (SatValuation *valuation, GArray *const *terms);
