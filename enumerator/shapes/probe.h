/* What a model can distinguish, found by staging it on an example in which everything in question
 * is open. */
#ifndef RSP_ENUMERATOR_SHAPES_PROBE_H
#define RSP_ENUMERATOR_SHAPES_PROBE_H

#include "enumerator/shapes/judge.h"

typedef struct RspSeen
{
  gboolean sets[RSP_N_BASE_SETS]; /* the model's axioms depend on this set */
  gboolean tree;                  /* they depend on who shares a work-group or a device */
  gboolean addr, data, ctrl;      /* they depend on dependencies */
} RspSeen;

/* FALSE after an error of the model, reported in diagnostics. A model that cannot be staged before
 * the sets are known is taken to see all that labels decide, kinds of event and the tree, but no
 * dependencies. */
gboolean rsp_probe (const RspModel *model, const RspStageOptions *options, RspSeen *seen,
                    RspDiagnostics *diagnostics);

#endif
