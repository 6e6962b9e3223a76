/* Distinguish: programs on which two models differ. (Wickerson, Batty, Sorensen,
 * Constantinides, "Automatically comparing memory consistency models", POPL 2017.) */
#include "synth/questions/question.h"

#include <string.h>

typedef struct Distinguish {
  SynthWork *work;
  const RspShape *shape;
  const RspCandidates *candidates;
} Distinguish;

static gboolean is_by_outcome (const Distinguish *d) {
  return synth_is_by_outcome (&rsp_synth_distinguish, d->shape->language);
}

/* The first outcome that shows one of the kinds, the first of the kinds if there is a choice. */
static guint choose_among (const Distinguish *d, const SynthEvidence *evidence, guint kinds) {
  for (; kinds; kinds &= kinds - 1)
    for (guint o = 0; o < d->candidates->n_outcomes; o++)
      if (synth_evidence_of (evidence, o) & (kinds & -kinds))
        return o;
  g_assert_not_reached ();
}

/* The first outcome that shows it; where one side is undefined, the first that the other allows. */
static guint choose_outcome (const Distinguish *d, const SynthEvidence *evidence) {
  guint fallback = 0;
  for (guint o = d->candidates->n_outcomes; o-- > 0;) {
    gboolean first = evidence->allowed[0][o] && !evidence->undefined[0];
    gboolean second = evidence->allowed[1][o] && !evidence->undefined[1];
    if ((first && !second) || (second && !first))
      fallback = o;
  }
  return fallback;
}

static gboolean take_evidence (gpointer data, const SynthEvidence *evidence) {
  Distinguish *d = data;
  SynthFinding *finding = g_new0 (SynthFinding, 1);
  synth_choose (d->work, d->shape, evidence->choice, &finding->program);
  finding->kinds = evidence->disagreements & d->work->sought;
  finding->outcome = is_by_outcome (d) ? choose_among (d, evidence, finding->kinds)
                                       : choose_outcome (d, evidence);
  g_ptr_array_add (d->work->found, finding);
  return TRUE;
}

static gboolean search (SynthWork *work, const RspShape *shape, const SynthSymmetry *symmetries,
                        guint n_symmetries) {
  g_autoptr (RspCandidates) candidates = rsp_candidates_new (shape);
  g_autofree guint *common = synth_identity (candidates->n_outcomes);
  Distinguish d = { work, shape, candidates };
  SynthPair pair = { .n_variables = shape->n_events,
                     .n_outcomes = candidates->n_outcomes,
                     .symmetries = symmetries,
                     .n_symmetries = n_symmetries,
                     .sought = work->sought,
                     .by_outcome = is_by_outcome (&d),
                     .visit = take_evidence,
                     .data = &d };
  gboolean complete = synth_side_init (work, &pair, 0, 0, shape, candidates, common)
                      && synth_side_init (work, &pair, 1, 1, shape, candidates, common)
                      && synth_work_on (work, &pair);
  for (guint s = 0; s < 2; s++)
    rsp_judge_free (pair.sides[s].judge);
  return complete;
}

const SynthQuestion rsp_synth_distinguish
    = { "distinguish",
        2,
        4,
        FALSE,
        FALSE,
        TRUE,
        { "only the first allows", "only the second allows", "only the first is undefined",
          "only the second is undefined" },
        search };
