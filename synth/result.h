/* Results: findings with everything that is reported about them, checked again by the naive
 * engine. */
#pragma once

#include "synth/classes.h"
#include "synth/questions/question.h"

typedef struct SynthVerdict {
  const char *model; /* its label; the caller's */
  gboolean undefined, allowed;
  char *blame; /* "global_coherence; seq_cst + hb": minimal sets of checks that forbid; if
                * undefined, the flags; or NULL */
} SynthVerdict;

typedef struct SynthResult {
  char *name, *text; /* of the test, and its litmus text */
  char *summary;     /* one line */
  char *outcome;     /* a proposition */
  char *kinds;       /* in words */
  /* NULL where the question is about one program. */
  char *other_name, *other_summary, *other_outcome, *other_text, *edit;
  GArray *verdicts; /* of SynthVerdict: per model; with another program: before, after */
  /* Of a finding that stands for a class; else NULL and 0. */
  char *shape;  /* the name of the program without its labels */
  char *reason; /* "opencl: undefined by data_race": the verdict that makes it a finding */
  guint labellings, n_weakest;
} SynthResult;

/* labels: how the models are named. NULL after an error: a model failed, or the naive engine does
 * not confirm the result (reported in diagnostics as what it is, a bug). target: see SynthWork. */
SynthResult *rsp_synth_result_new (const SynthQuestion *question, const SynthFinding *finding,
                                   gboolean opencl, RspModel *const *models,
                                   const char *const *labels, guint n_models,
                                   const RspStageOptions *stage, const SynthTarget *target,
                                   RspDiagnostics *diagnostics);
/* Makes it the result for a class whose weakest finding it is about. */
void rsp_synth_result_set_class (SynthResult *result, const SynthClass *class, gboolean opencl);
void rsp_synth_result_free (SynthResult *result);

/* "undefined", "allowed", "forbidden". */
const char *rsp_synth_verdict_word (const SynthVerdict *verdict);
/* Appends a JSON object in one line. index of total: among the results. */
void rsp_synth_result_json (const SynthResult *result, const SynthQuestion *question, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SynthResult, rsp_synth_result_free)
