/* Transitive closures and recursive definitions, as literals with definitions of their own: what
 * follows from others makes them true; and what is true follows from others, without a circle. */
#pragma once

#include "enumerator/search/sat/relations/relations.h"

/* The pair is in the transitive closure of a relation that does not depend on variables. */
Lit recursive_closure (SatRelations *relations, RspNodeId of, guint a, guint b);
/* Implies that the relation has a circle; may hold if it has one. */
Lit rsp_recursive_circle (SatRelations *relations, RspNodeId of);
Lit recursive_fix (SatRelations *relations, RspNodeId variable, guint a, guint b);
/* The variable whose final value a FIX is. */
RspNodeId recursive_variable (const SatRelations *relations, const RspNode *fix);

/* Finds out which nodes depend on variables. FALSE, with the refusal, if a definition subtracts
 * from itself or contains another. */
gboolean recursive_prepare (SatRelations *relations);
/* A node that depends on variables, while one of these is justified: see relations.h. */
Lit recursive_justify_get (SatRelations *relations, RspNodeId variable, guint a, guint b);
