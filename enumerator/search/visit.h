/* Visiting the combinations of paths of a program, for questions asked apart from the check. */
#ifndef RSP_VISIT_H
#define RSP_VISIT_H

#include "enumerator/search/search.h"

/* Looks at one path per thread. Ends the visit with rsp_budget_end (budget, RSP_STOP_FOUND). */
typedef void (*RspVisit) (gpointer data, const RspPath *const *paths, RspBudget *budget);

/* Calls visit with each combination that a check under these options would search, those that
 * symmetry spares it too, one after the other in a fixed order; until the time is up. */
void rsp_visit_combinations (const RspProgram *program, const RspModel *model,
                             const RspCheckOptions *options, RspVisit visit, gpointer data);

#endif
