#pragma once

#include "enumerator/search/search.h"
#include "report/explanation.h"

/* ---- Candidates ----------------------------------------------------------------------------- */

/* Candidate executions to step through. Those with the same final state and the same failed axioms
 * form a group, which is counted, and some of each group are kept. */

/* Examines the test's candidates, up to a fixed number, and keeps at most `most` of each state: one
 * from each group before a second one from any. Lives in arena. NULL if there are none, or the
 * budget is exhausted. */
RspCandidateViews *rsp_candidates_find (const RspProgram *program, const RspModel *model,
                                        const RspCheckOptions *options, guint most, RspArena *arena,
                                        RspDiagnostics *diagnostics);

/* ---- Show ----------------------------------------------------------------------------------- */

/* Executions to look at. */

/* Adds to views (of const RspExecutionView *, in arena) up to `most` executions, in a fixed order.
 */
void rsp_show (const RspProgram *program, const RspModel *model, const RspCheckOptions *options,
               RspcheckShow show, guint most, RspArena *arena, GPtrArray *views,
               RspDiagnostics *diagnostics);

/* ---- Explain -------------------------------------------------------------------------------- */

/* Explains why a model allows or forbids an outcome, or leaves a program undefined. */

/* Appends to `all` the explanation of the program's condition (of its proposition, whatever the
 * quantifier; for `forall` also of its negation), then that of each flag that some execution
 * raises. options are those of the check, and checked is its result; if that is NULL, nothing is
 * known, and no flags are explained. If the budget is exhausted, the explanations found until then.
 * Diagnostics receive errors of the model on this test. */
void rsp_explain (RspExplanations *all, const RspProgram *program, const RspModel *model,
                  const RspCheckOptions *options, const RspOutcome *checked,
                  RspDiagnostics *diagnostics);

/* Appends the explanations of flags alone, for explanations of other outcomes than the condition's.
 */
void rsp_explain_flags (RspExplanations *all, const RspProgram *program, const RspModel *model,
                        const RspCheckOptions *options, const RspOutcome *checked,
                        RspDiagnostics *diagnostics);
