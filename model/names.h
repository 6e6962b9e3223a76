#ifndef RSP_MODEL_NAMES_H
#define RSP_MODEL_NAMES_H

#include "model/model.h"

/* Adds, once each, the names of the model's axioms (their places, if they have none) and of the
 * variants that it tests for. The strings are the model's. */
void rsp_model_collect_names (const RspModel *model, GPtrArray *axioms, GPtrArray *variants);
/* Adds those of the axioms that forbid executions. */
void rsp_model_collect_plain_axioms (const RspModel *model, GPtrArray *axioms);
/* "line 7 of my.cat": what an axiom without a name is called. Newly allocated. */
char *rsp_model_place (RspSpan span);
/* Does the model say anywhere what is undefined? */
gboolean rsp_model_has_undefined (const RspModel *model);

#endif
