/* The values of a staged model's nodes, as literals: is an event in the set, a pair in the
 * relation? They are made on demand, one by one. */
#pragma once

#include "enumerator/search/sat/choices.h"

typedef struct SatRelations {
  const SatFold *fold;
  const SatChoices *choices;
  const RspDag *dag;
  guint n;             /* events */
  RspMatrix **may;     /* per node: what it may have in some execution; NULL: no axiom needs it */
  Lit **lits;          /* per node: n or n × n; NULL while there are none */
  gboolean *acyclic;   /* per node: is it known to be acyclic? See rsp_sat_relations_trust */
  const char *refusal; /* what cannot be encoded; NULL: nothing so far */

  /* Private to recursive.c and relations.c. */
  gboolean *depends; /* per node: does it depend on variables of recursive definitions? */
  struct SatClosure **closures;   /* per node: its closure; NULL: not needed so far */
  struct SatVariable **variables; /* per VARIABLE; the same */
  Lit ***ranks;                   /* per VARIABLE, per event or pair; NULL: none */
  guint rank_bits;
  const Lit *justified;         /* the rank of the pair that is being justified */
  GHashTable *while_justifying; /* SatPlace → literal + 1, of nodes that depend on variables; NULL:
                                 * nothing is being justified */
} SatRelations;

typedef struct SatPlace {
  RspNodeId id;
  guint a, b;
} SatPlace;

typedef struct SatVariable {
  SatRelations *relations;
  RspNodeId id;
  Lit *lits; /* n or n × n; 0: not made yet */
} SatVariable;

enum {
  LIT_NONE = G_MAXUINT32 /* not made yet */
};

/* model: evaluated with everything open (RspBase.generic). */
SatRelations *rsp_sat_relations_new (const SatFold *fold, const SatChoices *choices,
                                     const RspStagedModel *model);

/* Nothing breaks the axiom: closures that a plain one keeps acyclic need fewer clauses from now on.
 */
void rsp_sat_relations_trust (SatRelations *relations, const RspStagedAxiom *axiom);

/* Of a set, b is 0. */
Lit rsp_sat_relations_get (SatRelations *relations, RspNodeId node, guint a, guint b);
