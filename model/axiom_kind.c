#include "model/axiom_kind.h"

const RspAxiomForm *rsp_axiom_form (RspcheckAxiomKind kind) {
#define RSP_AXIOM_KIND(id, word, closed, reflexive, sets)                                          \
  static const RspAxiomForm form_##id = { word, closed, reflexive, sets };
#include "public/axiom_kinds.def"

  switch (kind) {
#define RSP_AXIOM_KIND(id, word, closed, reflexive, sets)                                          \
  case RSPCHECK_AXIOM_##id:                                                                        \
    return &form_##id;
#include "public/axiom_kinds.def"
  }
  g_assert_not_reached ();
}

gboolean rsp_axiom_form_holds (const RspAxiomForm *form, const RspMatrix *value) {
  if (form->closed)
    return rsp_relation_is_acyclic (value);
  return form->reflexive ? rsp_relation_is_irreflexive (value) : rsp_matrix_is_empty (value);
}
