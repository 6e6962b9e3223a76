#pragma once

#include "base/base.h"
#include "extra/synth/grid.h"
#include "extra/synth/shapes.h"
#include "model/model.h"
#include "model/stage/stage.h"

/* ---- Code ----------------------------------------------------------------------------------- */

/* Code: a staged model on at most eight events as instructions on words (grid.h), with bounds.
 *
 * Each value has a lower and an upper bound, as in model/bounds/bounds.h: for open sets, and for
 * what is computed from them, the two differ. If all sets are known, they are equal, and the code
 * computes the model's value. What depends neither on rf nor on co is computed once per labelling,
 * the rest once per candidate. Private to extra/synth/. */

typedef struct Code Code;

/* model must outlive the code. NULL if there are more than eight events. */
Code *code_new (const RspStagedModel *model);
void code_free (Code *code);

/* Computes everything that depends on labels alone. */
void code_set_labels (Code *code, const RspLabelling *labelling);

/* Begins a candidate, without computing anything. orders: a relation per chosen order of the
 * model. */
void code_set_execution (Code *code, Grid rf, Grid co, const Grid *orders);

/* The truth of an axiom on the candidate; computes whatever it needs that is missing. Axioms must
 * be evaluated in ascending order, from 0, without gaps. */
RspTruth code_axiom (Code *code, guint axiom);

/* Does an axiom's relation depend on rf, co or an order? */
gboolean code_is_dynamic (const Code *code, guint axiom);

/* For one that does not: its value, where the labels set decide it. */
gboolean code_value (const Code *code, guint axiom, Grid *value);

/* Has a recursive definition failed to converge? */
gboolean code_diverged (const Code *code);

/* ---- Code hash ------------------------------------------------------------------------------ */

/* A hash of the plain axioms and requirements that are not settled under the current labelling,
 * with known values substituted: equal hashes mean equal functions of rf, co and what is open. */
RspHash code_hash_axioms (const Code *code);

/* ---- Staged --------------------------------------------------------------------------------- */

/* Staged: a model on one combination of a shape, as code. Private to extra/synth/.
 *
 * With the labels open, a model that looks into a value (`classes`, `match`) which labels alone
 * decide cannot be staged before that value is known. It is staged once for each value that comes
 * up, which it then assumes: a tree, in which a node without codes wants one value more and has a
 * child for each. A staging holds for all labellings under which the values are those assumed. */

typedef enum StagedState {
  STAGED_READY,
  STAGED_NEEDS_VALUE, /* a value that labels decide */
  STAGED_STUCK,       /* needs more than labels */
  STAGED_FAILED
} StagedState;

typedef struct Staged {
  StagedState state;
  RspArena *arena;
  RspStaging *staging;
  Code **codes;      /* READY: per staged model */
  Code *needed;      /* NEEDS_VALUE: its axiom 0 has the value */
  GPtrArray *after;  /* NEEDS_VALUE: of Staged, owned: one for each value that came up */
  Grid value;        /* the last one assumed */
  RspMatrix *matrix; /* the same, in the arena of the node before */
} Staged;

/* The input of staging; all but the base must outlive the result. */
typedef struct StagedModel {
  const RspModel *model;
  const RspStageOptions *options;
  RspDiagnostics *diagnostics;
  RspBase *base;
} StagedModel;

/* With base as it is. */
Staged *staged_new (const StagedModel *what);
void staged_free (Staged *staged);

/* The staging that holds for all labellings left, made if it is not there; READY or STUCK, or
 * FAILED. NULL: they differ in what the model looks into. root was staged with the same base, its
 * labels open. */
Staged *staged_under (Staged *root, const StagedModel *what, const RspLabelling *labelling);

/* Forgets the stagings after root if there are many. */
void staged_trim (Staged *root);

/* ---- Part ----------------------------------------------------------------------------------- */

/* Part of a judge: a model on one combination of the shape. Private to extra/synth/. */

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
