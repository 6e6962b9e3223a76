/* Explains why a model allows or forbids an outcome, or leaves a program undefined. */
#pragma once

#include "enumerator/search/check.h"
#include "explain/explanation.h"

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
