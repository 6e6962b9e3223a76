/* Final states: a literal for each value that an observable may have in the end. */
#pragma once

#include "enumerator/search/sat/values/values.h"

/* Per observable of the program. */
typedef struct SatStates {
  SatValuation *valuation;
  SatValues *observed;
} SatStates;

SatStates *sat_states_new (SatValuation *valuation);

/* Holds of the final state. */
Lit sat_states_holds (const SatStates *states, const RspProp *prop);

/* After SAT_YES: fills in the value of each observable. */
void sat_states_read (const SatStates *states, RspValue *state);
/* The state, as far as states show it: its literals are added. */
void sat_states_describe (const SatStates *states, const RspValue *state, GArray *lits);
