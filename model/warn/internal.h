#pragma once

#include "model/matrix.h"
#include "model/warn/warn.h"

/* ---- Event types ---------------------------------------------------------------------------- */

/* Event types: the combinations of base sets that an event can be in. */

/* One bit per base set (1 << RspBaseSet): those that an event of the type is in. */
__extension__ typedef unsigned __int128 RspEventType;

/* ---- Possible ------------------------------------------------------------------------------- */

/* The events or pairs that a set or relation may have in any test: an over-approximation on event
 * types.
 *
 *   SET       events whose type is in `from`; exact: all of them
 *   RELATION  pairs from an event of a type in `from` to one of a type in `to`; exact: all of them;
 *             identity: of events with themselves only (then from and to are the same, and exact
 *             means each with itself); irreflexive: never of an event with itself
 *   ANY       nothing is known: a function, a set of sets, a name that the search decides, … */

typedef enum PossibleKind { POSSIBLE_ANY, POSSIBLE_SET, POSSIBLE_RELATION } PossibleKind;

typedef struct Possible {
  PossibleKind kind;
  gboolean exact, identity, irreflexive;
  const RspMatrix *from, *to; /* sets of event types */
} Possible;

/* The event types, and an arena for the values. */
typedef struct PossibleTypes {
  const RspModel *model;
  GArray *types; /* of RspEventType */
  RspArena *arena;
  GHashTable *named;                  /* name -> Possible: earlier results */
  RspMatrix *in_set[RSP_N_BASE_SETS]; /* the types that are in it */
} PossibleTypes;

void possible_types_init (PossibleTypes *types, const RspModel *model);
void possible_types_clear (PossibleTypes *types);

/* A base set, and the value of a base or derived relation, by its name; ANY for other names. An
 * alias has the value of the name that it stands for. */
Possible possible_named (const PossibleTypes *types, const char *name, gboolean rmw_is_relation);

/* ---- Private -------------------------------------------------------------------------------- */

/* The parts of the warnings; private to model/warn/. */

/* Is the span in the model's own file, which includes the others? */
static inline gboolean warn_is_own (const RspModel *model, RspSpan span) {
  return model->sources->len && span.source == model->sources->pdata[0];
}

void warn_of_empty (const RspModel *model, RspDiagnostics *diagnostics);
