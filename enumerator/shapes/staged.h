/* Staged: a model on one combination of a shape, as code. Private to enumerator/shapes/.
 *
 * With the labels open, a model that looks into a value (`classes`, `match`) which labels alone
 * decide cannot be staged before that value is known. It is staged once for each value that comes
 * up, which it then assumes: a tree, in which a node without codes wants one value more and has a
 * child for each. A staging holds for all labellings under which the values are those assumed. */
#pragma once

#include "enumerator/shapes/code/code.h"
#include "model/stage/stage.h"

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

/* What is staged: all but the base must outlive the result. */
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
