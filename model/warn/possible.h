/* The events or pairs that a set or relation may have in any test: an over-approximation on event
 * types.
 *
 *   SET       events whose type is in `from`; exact: all of them
 *   RELATION  pairs from an event of a type in `from` to one of a type in `to`; exact: all of them;
 *             identity: of events with themselves only (then from and to are the same);
 * irreflexive: never of an event with itself
 *   ANY       nothing is known: a function, a set of sets, a name that the search decides, … */
#pragma once

#include "model/base.h"
#include "model/matrix.h"
#include "model/warn/event_types.h"

typedef enum PossibleKind { POSSIBLE_ANY, POSSIBLE_SET, POSSIBLE_RELATION } PossibleKind;

typedef struct Possible {
  PossibleKind kind;
  gboolean exact, identity, irreflexive;
  const RspMatrix *from, *to; /* sets of event types */
} Possible;

/* The event types, and an arena for the values. */
typedef struct PossibleTypes {
  GArray *types; /* of RspEventType */
  RspArena *arena;
  GHashTable *named;                  /* name -> Possible: earlier results */
  RspMatrix *in_set[RSP_N_BASE_SETS]; /* the types that are in it */
} PossibleTypes;

void possible_types_init (PossibleTypes *types);
void possible_types_clear (PossibleTypes *types);

extern const Possible possible_any;

/* A base set, and the value of a base or derived relation, by its name; ANY for other names. An
 * alias has the value of the name that it stands for. */
Possible possible_named (const PossibleTypes *types, const char *name, gboolean rmw_is_relation);
/* All events. */
Possible possible_all (const PossibleTypes *types);

gboolean possible_is_empty (const Possible *a);
/* Does one relate events to themselves only, and the other never? */
gboolean possible_are_disjoint (const Possible *a, const Possible *b);

Possible possible_union (const PossibleTypes *types, const Possible *a, const Possible *b);
Possible possible_intersection (const PossibleTypes *types, const Possible *a, const Possible *b);
Possible possible_difference (const PossibleTypes *types, const Possible *a, const Possible *b);
Possible possible_sequence (const PossibleTypes *types, const Possible *a, const Possible *b);
Possible possible_product (const Possible *a, const Possible *b);
Possible possible_complement (const PossibleTypes *types, const Possible *a);
Possible possible_inverse (const Possible *a);
Possible possible_identity (const Possible *set);
Possible possible_closure (const Possible *a);
Possible possible_domain (const Possible *a);
