/* -spin last: loops that wait keep their last round only.
 *
 * Paths come in three sorts (RspPathOptions.spin_last): without a round that only waits, with one, and
 * ending in one. The first are what is searched. The second tell whether the model bears that the
 * others are left out; the third, whether a wait may be for ever. */
#ifndef RSP_ENUMERATOR_SEARCH_SPIN_H
#define RSP_ENUMERATOR_SEARCH_SPIN_H

#include "enumerator/search/check.h"

typedef struct RspSpin
{
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  RspBudget *budget;
  GPtrArray **paths;  /* per thread: of RspPath, without waiting rounds */
  GPtrArray **waited; /* per thread: with one */
  GPtrArray **stuck;  /* per thread: ending in one */
} RspSpin;

/* Moves paths that wait from spin->paths to the lists of their sort, which it makes. */
void spin_sort_paths (RspSpin *spin);
void spin_free_lists (RspSpin *spin);

/* Is the answer about the paths without waiting rounds one about all? No, where the model may see
 * such a round (model/bounds/remove.h); so it is also when that cannot be told. */
gboolean spin_is_whole (const RspSpin *spin);

/* Looks for an execution that never ends, though every thread is run ever again: some threads are in
 * a round that only waits, whose reads return the co-last writes, and all others have ended. Tells
 * the first of its states in diagnostics, at the loop. */
gboolean spin_may_never_end (const RspSpin *spin, RspDiagnostics *diagnostics);

#define RSP_SPIN_FLAG "never_ends"

#endif
