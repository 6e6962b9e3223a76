/* Can a program hang at all (enumerator/search/progress/hang.h)? */
#pragma once

#include "enumerator/progress.h"
#include "enumerator/search/check.h"

/* All ways of all threads (paths[t]: of RspPath) to end or not as one problem. */
typedef struct RspSatHangs RspSatHangs;

RspSatHangs *rsp_sat_hangs_new (const RspProgram *program, const RspModel *model,
                                const RspCheckOptions *options, GPtrArray *const *paths,
                                RspTerms *terms, RspBudget *budget);
void rsp_sat_hangs_free (RspSatHangs *hangs);

/* Is the solver sure that no execution of these paths hangs under these promises? FALSE is not
 * certain. */
gboolean rsp_sat_hangs_ruled_out (RspSatHangs *hangs, const RspProgress *progress);
