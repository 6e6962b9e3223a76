/* Circuits of conjunctions and negations, and their clauses.
 *
 * Gates are hash-consed: equal ones are one. A gate becomes clauses only once something demands it,
 * and only in the directions that are demanded (Plaisted and Greenbaum, "A structure-preserving
 * clause form translation", 1986): `gate -> what it is` where clauses make it true, the converse
 * where they make it false. Which assignments to the inputs can be completed does not depend on
 * that. */
#pragma once

#include "enumerator/search/sat/solver.h"

/* Twice the number of a gate, plus 1 if it is negated. */
typedef guint32 Lit;

enum { LIT_FALSE = 0, LIT_TRUE = 1 };

typedef struct Circuit Circuit;

/* Adds the clauses of one direction of a gate with a definition of its own: of `lit -> …`, or of
 * the converse. */
typedef void (*CircuitDefine) (gpointer data, guint i, guint j, Lit lit, gboolean forward);

/* The solver must outlive it. */
Circuit *circuit_new (SatSolver *solver, RspBudget *budget);
void circuit_free (Circuit *circuit);

static inline Lit lit_not (Lit a) { return a ^ 1; }

Lit circuit_input (Circuit *circuit);
/* data, i and j are handed to define, at most once for each direction, when that is demanded. */
Lit circuit_defined (Circuit *circuit, CircuitDefine define, gpointer data, guint i, guint j);
Lit circuit_and (Circuit *circuit, Lit a, Lit b);
Lit circuit_or (Circuit *circuit, Lit a, Lit b);
/* Of n literals, which are put into another order. */
Lit circuit_and_all (Circuit *circuit, Lit *lits, guint n);
Lit circuit_or_all (Circuit *circuit, Lit *lits, guint n);

/* One of the literals must hold. */
void circuit_clause (Circuit *circuit, const Lit *lits, guint n);
void circuit_require (Circuit *circuit, Lit lit);
void circuit_imply (Circuit *circuit, Lit condition, Lit lit);
/* If all of n conditions hold, lit does. */
void circuit_imply_from (Circuit *circuit, const Lit *conditions, guint n, Lit lit);
void circuit_at_most_one (Circuit *circuit, const Lit *lits, guint n);

/* Can everything that is required hold together with the literals that are assumed? */
SatAnswer circuit_solve (Circuit *circuit, const Lit *assumed, guint n);
/* After SAT_YES, until anything is required: the value of an input (or its negation) that some
 * clause names; FALSE of all others. */
gboolean circuit_value (const Circuit *circuit, Lit lit);
/* After SAT_NO, until anything is required: is this literal, which was assumed, one of some that
 * suffice? */
gboolean circuit_failed (Circuit *circuit, Lit lit);
