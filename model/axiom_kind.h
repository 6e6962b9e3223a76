/* What an axiom of a kind demands, from public/axiom_kinds.def. */
#pragma once

#include "model/matrix.h"
#include "public/rspcheck-enums.h"

/* The columns of public/axiom_kinds.def: the forbidden pairs are those of the relation or of its
 * transitive closure that relate an event to itself, or all of them. */
typedef struct RspAxiomForm {
  const char *word;
  gboolean closed, reflexive, takes_sets;
} RspAxiomForm;

const RspAxiomForm *rsp_axiom_form (RspcheckAxiomKind kind);

/* Does the value satisfy the kind's demand? It is a relation, or a set if the kind applies to
 * sets. */
gboolean rsp_axiom_form_holds (const RspAxiomForm *form, const RspMatrix *value);
