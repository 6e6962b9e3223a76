/* The combinations of paths of a program (one path per thread), for questions other than the check.
 */
#ifndef RSP_COMBINATIONS_H
#define RSP_COMBINATIONS_H

#include "enumerator/search/check.h"

typedef struct RspCombinations RspCombinations;

/* Those that a check under these options would search, in its order, and those that symmetry spares
 * it; without those on which a path goes wrong. Which ones there are is not known beyond the budget
 * (its state: rsp_combinations_budget). */
RspCombinations *rsp_combinations_new (const RspProgram *program, const RspModel *model,
                                       const RspCheckOptions *options);
void rsp_combinations_free (RspCombinations *combinations);
guint rsp_combinations_n (const RspCombinations *combinations);
/* One path per thread; they live as long as the combinations. */
const RspPath *const *rsp_combinations_paths (const RspCombinations *combinations, guint i);
/* What the options' time and memory leave, with the clock running since rsp_combinations_new. */
RspBudget rsp_combinations_budget (const RspCombinations *combinations);

#endif
