/* The axioms of a model as they appear in its text. */
#pragma once

#include "model/model.h"

typedef struct RspModelAxiom {
  char *id;         /* its name for -skipcheck: what `as` names, else "line 7 of my.cat" */
  const char *flag; /* the flag that it raises, a string of the model's; NULL if none */
  RspcheckAxiomKind kind;
  RspcheckAxiomRole role;
  gboolean negated;
  char *expression; /* on one line */
  char *file;
  guint line;
} RspModelAxiom;

/* The axioms of the model and of the files that it includes, in order, except those under an `if`
 * that the model's variants rule out (GArray of RspModelAxiom, which owns them). */
GArray *rsp_model_axioms (const RspModel *model);

/* Makes each `flag` of the model undefined behaviour of the executions that raise it; before the
 * model is staged. */
void rsp_model_take_flags_as_undefined (RspModel *model);
