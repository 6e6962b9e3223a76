/* Can a waiting round be left out of a combination of paths? */
#ifndef RSP_ENUMERATOR_SEARCH_SPIN_ROUND_H
#define RSP_ENUMERATOR_SEARCH_SPIN_ROUND_H

#include "enumerator/search/spin.h"

/* For `path` of `thread`, which has a waiting round, and the others' paths as chosen: does the
 * model's verdict on each execution carry over to the execution without the round
 * (model/bounds/remove.h)? FALSE is not certain. chosen is restored afterwards. */
gboolean round_may_go (const RspSpin *spin, guint thread, const RspPath *path,
                       const RspPath **chosen);

/* The same, separately for each choice of what the round and the next one read from, which proves
 * more. */
gboolean round_may_go_by_cases (const RspSpin *spin, guint thread, const RspPath *path,
                                const RspPath **chosen);

#endif
