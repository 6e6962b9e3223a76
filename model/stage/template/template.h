/* Templates: a model evaluated once, independently of any pre-execution, with every base set and
 * relation left open. The result is the expressions of its axioms; each pre-execution only fills in
 * its own sets and relations, in one pass over some hundred operators instead of an evaluation of
 * the text.
 *
 * Tests need not be similar for this. A model that inspects values (match, forall, classes,
 * choices) has no template and is evaluated on every base; for `if` see undecided.h. */
#pragma once

#include "model/stage/stage.h"

/* Where a model keeps its template, which is made at its first use. */
typedef struct RspTemplateSlot RspTemplateSlot;

RspTemplateSlot *template_slot_new (void);
void template_slot_free (RspTemplateSlot *slot);

/* The same as evaluating the text on base, except for nodes that no axiom needs. NULL if the text
 * has to be evaluated: there is no template, the options require more than it has, part of the
 * model is an error on this base, or the budget is exhausted. Reports only a recursive definition
 * that does not converge, since that exhausts the budget; several threads may call it at once. */
RspStaging *stage_from_template (const RspModel *model, const RspBase *base,
                                 const RspStageOptions *options, RspArena *arena,
                                 RspDiagnostics *diagnostics);

/* Evaluates the model on base, from its template if it has one for such a base; otherwise its text
 * (see stage_text). */
RspStaging *rsp_model_stage (const RspModel *model, const RspBase *base,
                             const RspStageOptions *options, RspArena *arena,
                             RspDiagnostics *diagnostics);

/* The model evaluated with nothing known, not even the number of events (two at least): all base
 * sets and relations are OPEN. NULL after an error, which is reported, and silently if something
 * has to be known or the budget is exhausted. The caller frees the dag. */
const RspStagedModel *rsp_model_stage_open (const RspModel *model, const RspLanguage *language,
                                            const RspStageOptions *options, RspArena *arena,
                                            RspDiagnostics *diagnostics);

/* The same, as the model keeps it: made at its first use, with all axioms, and it belongs to the
 * model. NULL if something has to be known or the budget is exhausted. */
const RspStagedModel *rsp_model_opened (const RspModel *model, RspBudget *budget);
