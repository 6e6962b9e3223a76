/* Templates: a model evaluated once, on no pre-execution in particular, with every base set and relation
 * left open. What comes out is the expressions of its axioms, and a pre-execution only fills in its own
 * sets and relations: one pass over some hundred operators instead of an evaluation of the text.
 *
 * There is nothing here for which two tests must be alike. A model that looks into values (match, forall,
 * classes, choices) has no template and is evaluated on every base; of `if` see undecided.h. */
#ifndef RSP_MODEL_STAGE_TEMPLATE_H
#define RSP_MODEL_STAGE_TEMPLATE_H

#include "model/model.h"

/* Where a model keeps its template, made when it is first asked for. */
typedef struct RspTemplateSlot RspTemplateSlot;

RspTemplateSlot *rsp_template_slot_new (void);
void rsp_template_slot_free (RspTemplateSlot *slot);

/* What the evaluation of the text on base gives, up to nodes that no axiom needs. NULL where that has to
 * be done: there is no template, the options ask for more than it has, something of the model is an error
 * on this base, or the budget is exhausted. Reports nothing; several threads may ask at once. */
RspStaging *stage_from_template (const RspModel *model, const RspBase *base,
                                 const RspStageOptions *options, RspArena *arena);

#endif
