/* Part of a judge: a model on one combination of the shape. Private to enumerator/shapes/. */
#pragma once

#include "enumerator/shapes/candidates.h"
#include "enumerator/shapes/code/code.h"
#include "enumerator/shapes/combination.h"
#include "enumerator/shapes/label.h"
#include "enumerator/shapes/staged.h"

/* How much must be known before the model can be staged. */
typedef enum PartLevel { LEVEL_SHAPE, LEVEL_LABELS, LEVEL_EXECUTION } PartLevel;

typedef struct Part {
  StagedModel what;
  RspArena *arena; /* of the pre-execution */
  RspShapeCombination combination;
  RspPreExecution *pre;
  PartLevel level;
  RspLabelling labelling;
  Staged *open; /* with the labels open */
  Staged *own;  /* of the present labels, or execution, where it is needed; else NULL */
  /* The present staging, of the level, and its code per staged model; NULL while there is none. */
  const RspStaging *staging;
  Code **codes;
  gboolean failed;
} Part;

/* Stages the model, which must outlive the part, as must options and diagnostics. */
Part *part_new (const RspModel *model, const RspShapeCombination *combination,
                const RspStageOptions *options, RspDiagnostics *diagnostics);
void part_free (Part *part);

/* whole: of all events of the shape. */
void part_set_labels (Part *part, const RspShape *shape, const RspLabelling *whole);

/* Visits each staged model, with each choice of its orders, on the candidate. FALSE if the model
 * needs labels that are open. */
typedef void (*PartVisit) (Part *part, guint model, gpointer data);
gboolean part_visit (Part *part, const RspCandidate *candidate, PartVisit visit, gpointer data);
