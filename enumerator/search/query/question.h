/* Questions about a staged model: what they demand of its axioms, and whether an execution answers
 * them. */
#pragma once

#include "enumerator/search/query/query.h"
#include "model/dag/valuation.h"

typedef enum Demand { DEMAND_NOTHING, DEMAND_HOLDS, DEMAND_FAILS } Demand;

/* What a question demands of an axiom, by its id; parts of a choice have no id and always hold.
 * through: the query's. */
Demand rsp_question_demand (const RspQuestion *question, RspcheckThrough through,
                            const RspStagedAxiom *axiom);

/* May a plain axiom fail under -through? */
gboolean axiom_goes_through (const RspStagedAxiom *axiom, RspcheckThrough through);

/* May executions of this pre-execution answer? Staging leaves out axioms that hold in all of them:
 * such an axiom cannot be required to fail. */
gboolean question_may_be_answered (const RspQuestion *question, const RspStagedModel *model);

/* The plain axioms (of RspStagedAxiom) for the engine; to be freed. *exact: do they express all
 * that the question demands? */
GArray *question_axioms (const RspQuestion *question, RspcheckThrough through,
                         const RspStagedModel *model, gboolean *exact);

/* Evaluates the model's axioms and names on an execution. */
RspValuation *question_valuation (const RspStagedModel *model);

/* Sets failed and raised (to be freed by judgement_clear) and n_derived of an execution. FALSE,
 * with nothing to clear, if the execution makes a choice that the model does not. */
gboolean judge_execution (const RspStagedModel *model, RspValuation *valuation,
                          RspExecution *execution);
void judgement_clear (RspExecution *execution);

/* Does a judged execution answer the question? If not, *broken is an axiom that must hold but
 * fails, if there is one. */
gboolean question_is_answered (const RspQuestion *question, RspcheckThrough through,
                               const RspStagedModel *model, const RspExecution *execution,
                               const RspStagedAxiom **broken);
