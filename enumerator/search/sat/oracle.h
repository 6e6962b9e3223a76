/* The oracle: is there an execution that answers a question (query.h), on any combination of a
 * program's paths? By the SAT solver, at once about all combinations. */
#pragma once

#include "enumerator/execution.h"
#include "enumerator/search/query/query.h"
#include "enumerator/search/sat/solver.h"

typedef struct SatOracle SatOracle;

/* All of it must outlive the oracle. paths: per thread, of RspPath. NULL if the solver cannot take
 * the program or the model exactly, but for values that justify each other. */
SatOracle *rsp_sat_oracle_new (const RspProgram *program, const RspModel *model,
                               const RspCheckOptions *options, GPtrArray *const *paths,
                               RspTerms *terms, RspBudget *budget);
void rsp_sat_oracle_free (SatOracle *oracle);

/* Executions on which a path fails are none. After SAT_YES, what was found must still be judged: it
 * answers for certain only if the question demands all axioms. SAT_UNKNOWN: the budget or a limit
 * is exhausted, or only executions with values that justify each other may answer. */
SatAnswer rsp_sat_oracle_ask (SatOracle *oracle, const RspQuestion *question);
/* After SAT_NO: of RspStagedAxiom, those of the axioms that the question demands which suffice for
 * it. */
const GArray *rsp_sat_oracle_core (const SatOracle *oracle);
/* After SAT_YES, the execution that was found: per thread the number of its path, and, in arena,
 * reads-from, coherence and the model's orders on the events of its pre-execution. */
void rsp_sat_oracle_paths (const SatOracle *oracle, guint *numbers);
void rsp_sat_oracle_read (const SatOracle *oracle, const RspPreExecution *pre, RspArena *arena,
                          RspExecution *execution);
