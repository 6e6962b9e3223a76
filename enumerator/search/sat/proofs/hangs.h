/* Can a program hang at all (enumerator/search/progress/hang.h)? */
#ifndef RSP_ENUMERATOR_SEARCH_SAT_HANGS_H
#define RSP_ENUMERATOR_SEARCH_SAT_HANGS_H

#include "enumerator/search/check.h"

/* Is the solver sure that no execution of these paths (per thread, of RspPath) hangs, whichever threads are
 * scheduled? FALSE is not certain. */
gboolean rsp_sat_hangs_ruled_out (const RspProgram *program, const RspModel *model,
                                  const RspCheckOptions *options, GPtrArray *const *paths,
                                  RspTerms *terms, RspBudget *budget);

#endif
