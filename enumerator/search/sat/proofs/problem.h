/* Executions of a program as a problem: some of each thread's paths, with a model that accepts
 * them. */
#pragma once

#include "enumerator/search/sat/relations/relations.h"
#include "enumerator/search/sat/values/values.h"
#include "enumerator/options.h"

typedef struct SatProblem {
  RspArena *arena;
  SatSolver *solver;
  Circuit *circuit;
  const RspStagedModel *model; /* with everything open */
  SatFold *fold;
  SatChoices *choices;
  SatValuation *values;
  SatRelations *relations;
  guint *class; /* per thread: the first one that it may be exchanged with */
} SatProblem;

/* What holds of all executions of these paths that the model accepts is required, if they have two
 * events; values that justify each other, which no execution may have, are not excluded. FALSE if
 * it cannot be encoded exactly but for that. To be cleared in any case. */
gboolean sat_problem_open (SatProblem *problem, const RspProgram *program, const RspModel *model,
                           const RspCheckOptions *options, GPtrArray *const *paths, RspTerms *terms,
                           RspBudget *budget);
/* The same, but no axiom is required: of all executions of these paths. */
gboolean sat_problem_encode (SatProblem *problem, const RspProgram *program, const RspModel *model,
                             const RspCheckOptions *options, GPtrArray *const *paths,
                             RspTerms *terms, RspBudget *budget);
void sat_problem_clear (SatProblem *problem);

/* No such execution can have that. FALSE if one can, or the budget is exhausted. */
gboolean sat_problem_rules_out (const SatProblem *problem, Lit lit);

/* Which threads may not be exchanged although they are alike. */
typedef enum SatFixed {
  SAT_FIXED_NONE,
  SAT_FIXED_SHOWN,   /* those whose registers the states show */
  SAT_FIXED_BY_PLACE /* those at places of the tree that differ (enumerator/search/places.h) */
} SatFixed;

/* Holds in one arrangement at least of threads that may be exchanged, of all but this one. */
Lit sat_problem_in_order (const SatProblem *problem, SatFixed fixed, guint except);
