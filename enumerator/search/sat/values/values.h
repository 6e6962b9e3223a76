/* What events read and write, as literals: one for each value that may be.
 *
 * Values come from constants by way of reads, so the values that may be are found by iteration, as
 * many rounds as an execution has reads that it writes something from. Values that would justify
 * each other cyclically (thin air) have no such order. They are one more value, "of a circle",
 * about which nothing is known but where it comes from; if no execution has one, there are none of
 * them, and the encoding is exact. */
#pragma once

#include "enumerator/search/sat/choices.h"

/* The values that something may have, ascending, and a literal for each. */
typedef struct SatValues {
  guint n;
  gint64 *values;
  Lit *lits;
} SatValues;

typedef struct SatValuation {
  const SatFold *fold;
  const SatChoices *choices;
  SatValues *read, *written; /* per event */
  Lit *circle;               /* per event: does it read a value of a circle? LIT_FALSE: never */
  const char *refusal;       /* why the values cannot be encoded; NULL: they can */
} SatValuation;

SatValuation *rsp_sat_values_new (const SatFold *fold, const SatChoices *choices);

/* Holds if some event reads a value of a circle. */
Lit rsp_sat_values_circle (const SatValuation *valuation);

/* Holds if it reads, or writes, this value. */
Lit sat_values_is (const SatValues *values, gint64 value);
