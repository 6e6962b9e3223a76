/* One execution in many versions of a test at once. Edits change neither values nor what may be
 * read, so that the same choices, of the same accesses, are a candidate execution of every version.
 * What edits change of it are the base sets of its events, each edit those of its own events, and
 * fences that are added. With some edits allowed, to be made or not, each base set is known at
 * least and at most, and so, perhaps, is the model's verdict. */
#pragma once

#include "enumerator/pre_execution.h"
#include "enumerator/search/query/collected.h"
#include "model/model.h"

/* One edit alone: a site at another level. */
typedef struct SynthEdit {
  guint site, level;
  GArray *pieces; /* see rsp_synth_version_pieces */
  RspProgram *program;
  RspCombinations *combinations; /* the version's paths */
} SynthEdit;

typedef struct SynthSpread SynthSpread;

/* model: with everything open, without orders of its own. paths: the test's, one per thread. edits:
 * of SynthEdit. All live as long as the arena. NULL if the paths of one thread cannot be followed.
 */
SynthSpread *synth_spread_new (const RspProgram *program, const RspStagedModel *model,
                               const RspPath *const *paths, const GPtrArray *edits,
                               RspArena *arena);
/* Its execution has n events, initial writes first. The number of an event of the test's paths. */
guint synth_spread_n (const SynthSpread *spread);
guint synth_spread_event (const SynthSpread *spread, guint thread, guint event);
/* Makes it this execution. Before anything else. */
void synth_spread_set_execution (SynthSpread *spread, const RspMatrix *rf, const RspMatrix *co);

/* Per edit: can it be followed? */
gboolean synth_spread_knows (const SynthSpread *spread, guint edit);
typedef enum SynthMade { SYNTH_IS_NOT_MADE, SYNTH_MAY_BE_MADE, SYNTH_IS_MADE } SynthMade;

/* Does the model certainly accept the execution, and raise the flag (unless NULL)? made: of
 * SynthMade, per edit. */
gboolean synth_spread_is_certain (SynthSpread *spread, const guint8 *made, const char *flag);
