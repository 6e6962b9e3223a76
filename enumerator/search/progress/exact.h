/* Do loops need more rounds than they were unrolled for? */
#pragma once

#include "enumerator/paths/path.h"
#include "enumerator/search/check.h"

/* Is it certain that no execution has a path that is truncated? paths, truncated: per thread, its
 * paths. steps: that may be made.
 *
 * Of an execution that has one, there is the moment at which the first thread has made all rounds
 * that it may. If the model is stepwise (model/bounds/stepwise.h), what has happened until then is
 * an execution too: of one path that is truncated, and beginnings of others. So it is enough that
 * there is none of that kind. */
gboolean exact_unrolling (const RspProgram *program, const RspModel *model,
                          const RspCheckOptions *options, GPtrArray *const *paths,
                          GPtrArray *const *truncated, guint steps, RspBudget *budget);
