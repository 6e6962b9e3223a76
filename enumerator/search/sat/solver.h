/* The SAT solver: CaDiCaL, by its C interface. Built without it (the library is optional), there is
 * none. */
#pragma once

#include "base/budget.h"

typedef struct SatSolver SatSolver;

typedef enum SatAnswer {
  SAT_NO,
  SAT_YES,
  SAT_UNKNOWN /* the budget is exhausted, or a limit reached */
} SatAnswer;

/* NULL if rspcheck was built without CaDiCaL. */
SatSolver *sat_solver_new (RspBudget *budget);
void sat_solver_free (SatSolver *solver);

/* Literals are numbers of variables, from 1, or their negatives. A clause is added literal by
 * literal; 0 ends it. */
int sat_solver_variable (SatSolver *solver);
void sat_solver_add (SatSolver *solver, int literal);
/* Assumes a literal in the next call of sat_solver_solve only. */
void sat_solver_assume (SatSolver *solver, int literal);
/* The next call gives up, with SAT_UNKNOWN, after so many conflicts. */
void sat_solver_limit (SatSolver *solver, int n);
SatAnswer sat_solver_solve (SatSolver *solver);
/* After SAT_YES, until a clause is added. */
gboolean sat_solver_value (SatSolver *solver, int literal);
/* After SAT_NO, until a clause is added: did the proof use this literal, which was assumed? */
gboolean sat_solver_failed (SatSolver *solver, int literal);
