/* Candidate executions to step through. Those with the same final state and the same failed axioms
 * form a group, which is counted, and some of each group are kept. */
#pragma once

#include "enumerator/search/check.h"
#include "explain/explanation.h"

/* Examines the test's candidates, up to a fixed number, and keeps at most `most` of each state: one
 * from each group before a second one from any. Lives in arena. NULL if there are none, or the
 * budget is exhausted. */
RspCandidateViews *rsp_candidates_find (const RspProgram *program, const RspModel *model,
                                        const RspCheckOptions *options, guint most, RspArena *arena,
                                        RspDiagnostics *diagnostics);
