/* Steps: why an edge is in a term, or what is missing if it is not. */
#pragma once

#include "enumerator/pre_execution.h"
#include "explain/steps/costs.h"
#include "explain/explanation.h"

typedef struct Steps {
  const RspPreExecution *pre;
  RspArena *arena; /* of the steps */
  Costs *sizes, *missing;
  GHashTable *mentioned; /* name → RspTraceTerm: those of the steps, defined and base */
} Steps;

/* For terms over the events of pre, which must outlive it. */
Steps *steps_new (const RspPreExecution *pre, RspArena *arena);
void steps_free (Steps *steps);

/* Why (a, b) is in the term: a shortest derivation. For a set, only a matters. */
const RspStep *steps_derive (Steps *steps, const RspTraceTerm *term, guint a, guint b);
