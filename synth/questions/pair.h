/* Two judges over the same labels: all labellings under which they disagree.
 *
 * Every question about all programs of a shape is one of these. Two models on one shape:
 * distinguish. One model on a program and on the same with an operation strengthened: monotone. One
 * model on a program and on what a compiler makes of it: rewrites.
 *
 * The labels are decided attribute by attribute, and after each decision the judges say what holds
 * for every labelling that is left. A subtree in which no disagreement of a kind that is looked for
 * is possible is left out; nothing is lost, since verdicts on sets of labels hold for all their
 * members (enumerator/shapes/judge.h) whatever the models are. Of labellings that a symmetry maps
 * to each other only the least is visited, and prefixes that cannot be the least are left out. */
#pragma once

#include "enumerator/shapes/judge.h"
#include "synth/programs/shapes.h"

/* Kinds of disagreement, as bits. Outcomes count where both sides are defined. With
 * SynthPair.by_outcome that is said of each outcome: an execution is undefined, not its program. */
enum {
  SYNTH_ONLY_FIRST = 1, /* an outcome that the first side allows and the second forbids */
  SYNTH_ONLY_SECOND = 2,
  SYNTH_UNDEFINED_FIRST = 4, /* the first side is undefined, the second defined */
  SYNTH_UNDEFINED_SECOND = 8,
  SYNTH_ALL_DISAGREEMENTS = 15
};

/* One side: a shape under a judge. Event e has the label that variable[e] chooses from this side's
 * table. The side without a judge allows everything and is never undefined. */
typedef struct SynthSide {
  const RspShape *shape;
  RspJudge *judge; /* or NULL */
  const RspCandidates *candidates;
  guint8 variable[RSP_SHAPE_EVENTS];
  const RspLabel *labels[RSP_SHAPE_EVENTS]; /* per variable: the table */
  const guint *common; /* per outcome of the side: its number among the pair's outcomes */
} SynthSide;

typedef struct SynthPair SynthPair;

/* A labelling on which the sides disagree. */
typedef struct SynthEvidence {
  guint disagreements;             /* bits, all that hold */
  guint8 choice[RSP_SHAPE_EVENTS]; /* per variable: index into its tables */
  const guint8 *allowed[2];        /* per outcome of the pair: boolean */
  const guint8 *defined_in[2];     /* the same: by an execution that is defined */
  const guint8 *undefined_in[2];   /* the same: by one that is undefined */
  gboolean undefined[2];
} SynthEvidence;

/* FALSE ends the search. */
typedef gboolean (*SynthVisitEvidence) (gpointer data, const SynthEvidence *evidence);

struct SynthPair {
  SynthSide sides[2];
  guint n_variables;
  guint n_choices[RSP_SHAPE_EVENTS]; /* per variable; at most SYNTH_MAX_LABELS */
  guint n_outcomes;
  const SynthSymmetry *symmetries; /* of the variables */
  guint n_symmetries;
  guint sought; /* disagreements searched for */
  gboolean by_outcome;
  /* Called for each set of labellings (per variable a set of choices) on which a disagreement is
   * possible, before visit; if it returns FALSE, the set is left out. surely: per outcome, whether
   * the first side allows it under all of them. May be NULL; may set other labels in the judges. */
  gboolean (*look) (gpointer data, const guint64 *domain, const guint8 *surely);
  SynthVisitEvidence visit;
  gpointer data;
  const gint *stop; /* set to end the search; or NULL */
  gboolean failed;  /* out: a model failed, reported in the judge's diagnostics */
};

/* The disagreements that one outcome shows, if executions are undefined, not programs. */
guint synth_evidence_of (const SynthEvidence *evidence, guint outcome);

/* FALSE if it was ended: by visit, by stop, or by a failure. */
gboolean synth_pair_search (SynthPair *pair);
