/* -spin last: loops that wait keep only their last round.
 *
 * There are two kinds of paths (RspPathOptions.spin_last): without a round that only waits, and
 * with one. The first are searched; the second show whether the model allows waiting rounds to be
 * omitted. */
#pragma once

#include "enumerator/search/check.h"

typedef struct RspSpin {
  const RspProgram *program;
  const RspModel *model;
  const RspCheckOptions *options;
  RspBudget *budget;
  RspTerms *terms;    /* of the paths */
  GPtrArray **ended;  /* per thread: of RspPath, that end and have no waiting round */
  GPtrArray **waited; /* per thread: that end, with waiting rounds */
} RspSpin;

/* Makes the lists from each thread's paths (paths[t]: of RspPath), in which only those without a
 * waiting round remain. */
void spin_sort_paths (RspSpin *spin, GPtrArray **paths);
void spin_free_lists (RspSpin *spin);

/* Does the answer about paths without waiting rounds hold for all paths? FALSE if the model may
 * distinguish such a round (model/bounds/remove.h), or if that is not known. */
gboolean spin_is_whole (const RspSpin *spin);

#define RSP_SPIN_FLAG "never_ends"
