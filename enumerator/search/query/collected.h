/* The combinations of paths of a program, one path per thread, for other questions than a check's.
 */
#pragma once

#include "enumerator/search/combinations.h"

typedef struct RspCombinations RspCombinations;

/* The combinations that a check under these options would search, in its order, and those that it
 * would omit because of symmetry, except those on which a path fails. Incomplete if the budget is
 * exhausted (see combinations_budget). */
RspCombinations *combinations_new (const RspProgram *program, const RspModel *model,
                                   const RspCheckOptions *options);
/* The same with the paths only, until combinations_list. */
RspCombinations *rsp_combinations_open (const RspProgram *program, const RspModel *model,
                                        const RspCheckOptions *options);
void combinations_list (RspCombinations *combinations);
/* The product of the numbers of paths of all threads; G_MAXUINT64 if it is greater. */
guint64 combinations_most (const RspCombinations *combinations);
/* Per thread: of RspPath. */
GPtrArray *const *rsp_combinations_all_paths (const RspCombinations *combinations);
RspTerms *combinations_terms (const RspCombinations *combinations);
/* One only, of paths that the caller owns, with a copy of a budget. */
RspCombinations *combinations_of (const RspProgram *program, const RspModel *model,
                                  const RspCheckOptions *options, const RspPath *const *paths,
                                  const RspBudget *budget);
void rsp_combinations_free (RspCombinations *combinations);
guint combinations_n (const RspCombinations *combinations);
/* One path per thread; they live as long as the combinations. */
const RspPath *const *combinations_paths (const RspCombinations *combinations, guint i);
/* What the searches of all of them may share, with a memo of this many bytes; NULL if they cannot.
 * The caller owns it; it refers to the combinations. */
RspCommon *combinations_common (const RspCombinations *combinations, gsize max_size);
/* The rest of the options' time and memory; the clock has been running since
 * combinations_new. */
RspBudget combinations_budget (const RspCombinations *combinations);
