/* Candidate executions to step through: those with the same final state and the same failed axioms
 * are counted, and some of each are kept to look at. */
#ifndef RSP_EXPLAIN_CANDIDATES_H
#define RSP_EXPLAIN_CANDIDATES_H

#include "enumerator/search/check.h"
#include "explain/explanation.h"

/* Looks at the test's candidates, up to a fixed number of them, and keeps at most `most` of each
 * state: of each group one before of any a second. Lives in arena. NULL when there are none, or the
 * budget is exhausted. */
RspCandidateViews *rsp_candidates_find (const RspProgram *program, const RspModel *model,
                                        const RspCheckOptions *options, guint most, RspArena *arena,
                                        RspDiagnostics *diagnostics);

#endif
