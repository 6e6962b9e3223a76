/* -spin last: loops that wait keep only their last round.
 *
 * There are three kinds of paths (RspPathOptions.spin_last): without a round that only waits, with
 * one, and ending in one. The first are searched. The second show whether the model allows waiting
 * rounds to be omitted; the third, whether a wait may last for ever. */
#ifndef RSP_ENUMERATOR_SEARCH_SPIN_H
#define RSP_ENUMERATOR_SEARCH_SPIN_H

#include "enumerator/search/check.h"

typedef struct RspSpin
{
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  RspBudget *budget;
  GPtrArray **ended;  /* per thread: of RspPath, that end and have no waiting round */
  GPtrArray **waited; /* per thread: that end, with waiting rounds */
  GPtrArray **stuck;  /* per thread: ending in one */
} RspSpin;

/* Makes the lists from each thread's paths (paths[t]: of RspPath), in which only those without a
 * waiting round remain. */
void spin_sort_paths (RspSpin *spin, GPtrArray **paths);
void spin_free_lists (RspSpin *spin);

/* Does the answer about paths without waiting rounds hold for all paths? FALSE if the model may
 * distinguish such a round (model/bounds/remove.h), or if that is not known. */
gboolean spin_is_whole (const RspSpin *spin);

/* Searches for an execution that never ends although every thread is run again and again: some
 * threads are in a round that only waits, whose reads return the co-last writes, and all others
 * have ended. Reports the first of its states in diagnostics, at the loop. If spin_is_whole is
 * FALSE, only executions without earlier waiting rounds are considered. */
gboolean spin_may_never_end (const RspSpin *spin, RspDiagnostics *diagnostics);

#define RSP_SPIN_FLAG "never_ends"

#endif
