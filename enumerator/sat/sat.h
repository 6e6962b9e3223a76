#pragma once

#include "base/base.h"
#include "enumerator/execution.h"
#include "enumerator/query/query.h"
#include "enumerator/search/search.h"

/* ---- Solver --------------------------------------------------------------------------------- */

/* The SAT solver: CaDiCaL, through its C interface. The library is optional. */

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

/* All further calls together give up, with SAT_UNKNOWN, after so many steps of the solver's own. */
void sat_solver_allow (SatSolver *solver, guint n);
SatAnswer sat_solver_solve (SatSolver *solver);

/* After SAT_YES, until a clause is added. */
gboolean sat_solver_value (SatSolver *solver, int literal);

/* ---- Oracle --------------------------------------------------------------------------------- */

/* The oracle asks the SAT solver about all combinations of a program's paths at once: does an
 * execution answer a question (query.h)? */

typedef struct SatOracle SatOracle;

/* The arguments must outlive the oracle. paths: per thread, of RspPath. NULL if the program or the
 * model cannot be encoded exactly, apart from values that justify each other. */
SatOracle *rsp_sat_oracle_new (const RspProgram *program, const RspModel *model,
                               const RspCheckOptions *options, GPtrArray *const *paths,
                               RspTerms *terms, RspBudget *budget);
void rsp_sat_oracle_free (SatOracle *oracle);

/* Executions with failing paths do not count. After SAT_YES, what was found must still be judged:
 * it answers for certain only if the question demands all axioms. SAT_UNKNOWN: the budget or a
 * limit is exhausted, or only executions with values that justify each other may answer. */
SatAnswer rsp_sat_oracle_ask (SatOracle *oracle, const RspQuestion *question);

/* After SAT_YES, the execution that was found: per thread the number of its path, and, in arena,
 * reads-from, coherence and the model's orders on the events of its pre-execution. */
void rsp_sat_oracle_paths (const SatOracle *oracle, guint *numbers);
void rsp_sat_oracle_read (const SatOracle *oracle, const RspPreExecution *pre, RspArena *arena,
                          RspExecution *execution);

/* ---- Flags ---------------------------------------------------------------------------------- */

/* Is it certain, whatever reads return, that no execution of these paths (paths[t]: of RspPath)
 * raises a flag or violates a requirement that is not in `raised` (of RspFlag; NULL: none)? With a
 * question: that none raises its flag by a pair that counts? FALSE is not certain. */
gboolean sat_rules_out_flags (const RspProgram *program, const RspModel *model,
                              const RspCheckOptions *options, GPtrArray *const *paths,
                              RspTerms *terms, const GArray *raised, const RspQuestion *question,
                              RspBudget *budget);

/* ---- Hangs ---------------------------------------------------------------------------------- */

/* Can a program hang at all (enumerator/search/hang.h)? */

/* All ways of all threads (paths[t]: of RspPath) to end or not as one problem. */
typedef struct RspSatHangs RspSatHangs;

RspSatHangs *rsp_sat_hangs_new (const RspProgram *program, const RspModel *model,
                                const RspCheckOptions *options, GPtrArray *const *paths,
                                RspTerms *terms, RspBudget *budget);
void rsp_sat_hangs_free (RspSatHangs *hangs);

/* Is the solver sure that no execution of these paths hangs under these promises? FALSE is not
 * certain. */
gboolean rsp_sat_hangs_ruled_out (RspSatHangs *hangs, const RspProgress *progress);

/* ---- Rounds --------------------------------------------------------------------------------- */

/* May rounds that only wait be left out (enumerator/search/search.h)? Asked of the solver for all
 * combinations of paths at once. */

/* TRUE: of every accepted execution in which a thread waits once or twice, and each other one at
 * most once, what is left without the thread's round (of several in a row, the first) is accepted,
 * ends in the same state and has all flags of the whole. FALSE is not certain. */
gboolean sat_rounds_may_go (const RspSpin *spin);

/* ---- Sat ------------------------------------------------------------------------------------ */

/* The engine `sat`: verdicts by a SAT solver. One problem for all paths: which each thread takes,
 * reads-from, coherence, the model's orders and all values are literals, and the model's axioms
 * clauses. Final states and flags are queries. Each state counts as one execution. */

/* Another way to search, for about as long as the solver has been at it; TRUE: it has answered
 * everything, in the check. */
typedef gboolean (*SatAlternative) (Check *check);

/* Searches all combinations of the check's paths at once, into its tally, flags and failures.
 * Nothing is approximated: what cannot be encoded is an error under -engine sat; under the others
 * the result is then FALSE, as for programs that may have fewer than two events, and nothing has
 * changed. alternative (or NULL) is tried now and then if a question takes long. */
gboolean sat_search (Check *check, SatAlternative alternative);
