#pragma once

#include "enumerator/search/sat/relations/relations.h"

/* A pair (or twice an event) that an axiom forbids, and the literal that it is there. */
typedef struct SatForbidden {
  guint a, b;
  Lit lit;
} SatForbidden;

/* Requires all plain axioms. */
void rsp_sat_axioms_require (SatRelations *relations, const RspStagedModel *model);
/* Holds if the execution fails the axiom (a flag of role FLAG: if it is raised). */
Lit sat_axioms_raised (SatRelations *relations, const RspStagedAxiom *axiom);

/* Holds if something that the axiom forbids is there. */
Lit rsp_sat_axioms_broken (SatRelations *relations, const RspStagedAxiom *axiom);
/* Of SatForbidden: all that the axiom forbids, within what its node may have. */
GArray *rsp_sat_axioms_forbidden (SatRelations *relations, const RspStagedAxiom *axiom,
                                  const RspMatrix *may);
