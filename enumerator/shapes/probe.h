/* Finds out what a model can distinguish, by staging it on an example in which everything in
 * question is open. */
#pragma once

#include "enumerator/shapes/judge.h"

typedef struct RspSeen {
  gboolean sets[RSP_N_BASE_SETS]; /* do the model's axioms depend on this set? */
  gboolean tree;                  /* do they depend on which threads share a work-group or a
                                   * device? */
  gboolean addr, data, ctrl;      /* do they depend on dependencies? */
  gboolean halves; /* do they depend on which loads and stores are halves of a read-modify-write? */
} RspSeen;

/* FALSE after an error of the model, which is reported in diagnostics. A model that cannot be
 * staged before the sets are known is assumed to distinguish everything that labels determine,
 * kinds of event and the tree, but no dependencies. */
gboolean rsp_probe (const RspModel *model, RspLanguageId language, const RspStageOptions *options,
                    RspSeen *seen, RspDiagnostics *diagnostics);
