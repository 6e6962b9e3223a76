#pragma once

#include "model/model.h"

/* Adds, without duplicates, the names of the model's axioms (their places if they are unnamed) and
 * of the variants that it tests for. The model owns the strings. */
void rsp_model_collect_names (const RspModel *model, GPtrArray *axioms, GPtrArray *variants);
/* Adds the names of the axioms that forbid executions. */
void rsp_model_collect_plain_axioms (const RspModel *model, GPtrArray *axioms);
/* "line 7 of my.cat": the identifier of an unnamed axiom. Newly allocated. */
char *rsp_model_place (RspSpan span);
/* Does the model define undefined behaviour anywhere? */
gboolean rsp_model_has_undefined (const RspModel *model);
