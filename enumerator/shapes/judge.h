/* Judge: a model's verdicts on all programs of one shape.
 *
 *   RspJudge *judge = rsp_judge_new (NULL, model, &shape, options, diagnostics);
 *   rsp_judge_set_labels (judge, &labelling);
 *   RspVerdict verdict = rsp_judge_candidate (judge, &candidates->list[i]);
 *
 * The model is staged with the labels open where that can be; one that looks into them (`match`,
 * `classes` of what labels decide) once for each value that it finds (staged.h). One that does so
 * after a choice is staged for each labelling, and one that looks into rf and co for each
 * candidate: slower, with the same verdicts. With several labels per event a verdict holds for all
 * programs that have one label of each. */
#pragma once

#include "enumerator/shapes/candidates.h"
#include "enumerator/shapes/label.h"
#include "model/model.h"
#include "model/stage/stage.h"

/* Open: it depends on the choice of labels, or is not known without trying them. */
typedef struct RspVerdict {
  guint8 allowed;   /* RspTruth: is there an execution that passes all plain axioms? */
  guint8 undefined; /* RspTruth: is there one that also violates an undefined_unless? */
} RspVerdict;

typedef struct RspJudge RspJudge;
typedef struct RspJudgePool RspJudgePool;

/* NULL after an error of the model, which is reported in diagnostics, or if the shape is too large.
 * options (skipped axioms) and diagnostics must outlive the judge. */
RspJudge *rsp_judge_new (RspJudgePool *pool, const RspModel *model, const RspShape *shape,
                         const RspStageOptions *options, RspDiagnostics *diagnostics);
void rsp_judge_free (RspJudge *judge);

void rsp_judge_set_labels (RspJudge *judge, const RspLabelling *labelling);
RspVerdict rsp_judge_candidate (RspJudge *judge, const RspCandidate *candidate);
/* Has there been an error of the model? It is reported in diagnostics, and later verdicts mean
 * nothing. */
gboolean rsp_judge_failed (const RspJudge *judge);

/* For exact labels: the names of the plain axioms that the candidate fails, as a set of indices
 * into rsp_judge_axiom_name; one for each choice that the model leaves (an order such as S),
 * appended to failed (of guint64). The 64th name and those after it have the last index, 63, and no
 * name. */
void rsp_judge_blame (RspJudge *judge, const RspCandidate *candidate, GArray *failed);
/* NULL after the last (from 0). */
const char *rsp_judge_axiom_name (const RspJudge *judge, guint index);

/* Do two judges of one shape give equal verdicts on every candidate, for each way to choose among
 * the labels set in both? TRUE is certain (but for a collision of 128-bit hashes), FALSE is not:
 * the question is whether they compute the same. */
gboolean rsp_judge_agrees (const RspJudge *a, const RspJudge *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (RspJudge, rsp_judge_free)
