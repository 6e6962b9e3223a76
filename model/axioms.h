/* The axioms of a model, as its text has them. */
#ifndef RSP_MODEL_AXIOMS_H
#define RSP_MODEL_AXIOMS_H

#include "model/model.h"

typedef struct RspModelAxiom
{
  char *id;         /* what -skipcheck calls it: its name, else "line 7 of my.cat" */
  const char *flag; /* that it raises, the model's; NULL if it raises none */
  RspcheckAxiomKind kind;
  RspcheckAxiomRole role;
  gboolean negated;
  char *expression; /* on one line */
  char *file;
  guint line;
} RspModelAxiom;

/* Those of the model and of what it includes, in order (GArray of RspModelAxiom, which owns them);
 * without those under an `if` that the model's variants rule out. */
GArray *rsp_model_axioms (const RspModel *model);

#endif
