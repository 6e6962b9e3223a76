/* Questions about all programs of a space: what each searches for in one shape, and what it
 * finds. */
#pragma once

#include "synth/questions/compile.h"
#include "synth/questions/pair.h"
#include "synth/programs/program.h"

/* One result: a program, and for questions about two programs the other one. */
typedef struct SynthFinding {
  SynthProgram program, other;
  gboolean has_other;
  guint kinds;         /* bits; their meaning is the question's: see SynthQuestion.kinds */
  guint outcome;       /* of the program's candidates */
  guint other_outcome; /* the same outcome among those of other */
  char *edit;          /* how other comes from program, or NULL; owned */
} SynthFinding;

void synth_finding_free (SynthFinding *finding);
/* As one line without its end, and back. */
char *synth_finding_encode (const SynthFinding *finding);
SynthFinding *synth_finding_decode (const char *line); /* NULL where it is not one */

/* What one thread of the search has. */
typedef struct SynthWork {
  const SynthSpace *space;
  RspModel *const *models;
  guint n_models;
  const RspStageOptions *stage;
  const SynthTarget *target; /* of the question about a mapping; else NULL */
  RspDiagnostics *diagnostics;
  RspJudgePool *pool; /* of judges of the models */
  const gint *stop;   /* set to end the work */
  guint sought;       /* kinds that are still searched for */
  GPtrArray *found;   /* of SynthFinding */
  gboolean failed;    /* a model failed; reported in diagnostics */
} SynthWork;

/* Fills a side of a pair whose variables are the side's events, with the space's labels, and a
 * judge of a model. FALSE if the model failed. Free the judge. */
gboolean synth_side_init (SynthWork *work, SynthPair *pair, guint side, guint model,
                          const RspShape *shape, const RspCandidates *candidates,
                          const guint *common);
/* Searches the pair as a part of the work. FALSE if it was ended. */
gboolean synth_work_on (SynthWork *work, SynthPair *pair);
/* The program with the labels chosen. */
void synth_choose (const SynthWork *work, const RspShape *shape, const guint8 *choice,
                   SynthProgram *program);
/* Is it asked for the first program only, and has that been found? */
gboolean synth_target_is_enough (const SynthWork *work);
/* 0, 1, 2, … of n numbers. */
guint *synth_identity (guint n);

typedef struct SynthQuestion {
  const char *name; /* "distinguish" */
  guint n_models;
  guint n_kinds;
  gboolean about_outcomes; /* findings of one program differ in their outcomes */
  gboolean all_sizes;      /* every size is searched, whatever smaller ones show */
  gboolean by_outcome;     /* where flags are undefined, that is said of each execution */
  const char *kinds[6];    /* what bit i of SynthFinding.kinds means, for records */
  /* Adds what is found in one shape to work->found. FALSE if it did not finish. */
  gboolean (*search) (SynthWork *work, const RspShape *shape, const SynthSymmetry *symmetries,
                      guint n_symmetries);
} SynthQuestion;

static inline gboolean synth_is_by_outcome (const SynthQuestion *question, RspLanguageId language) {
  return question->by_outcome && rsp_languages[language].undefined_flags;
}

extern const SynthQuestion rsp_synth_distinguish, rsp_synth_minimal, rsp_synth_monotone,
    rsp_synth_rewrites, rsp_synth_compile;
