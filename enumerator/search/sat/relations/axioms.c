#include "enumerator/search/sat/relations/axioms.h"
#include "enumerator/search/sat/relations/recursive.h"

static void add (GArray *forbidden, guint a, guint b, Lit lit) {
  SatForbidden one = { a, b, lit };
  g_array_append_val (forbidden, one);
}

GArray *rsp_sat_axioms_forbidden (SatRelations *r, const RspStagedAxiom *axiom,
                                  const RspMatrix *may) {
  const RspNode *node = rsp_dag_node (r->dag, axiom->node);
  GArray *forbidden = g_array_new (FALSE, FALSE, sizeof (SatForbidden));
  for (guint a = 0; a < r->n && !rsp_arena_is_exhausted (r->fold->arena); a++) {
    if (axiom->kind == RSPCHECK_AXIOM_EMPTY && !node->is_set)
      for (all_bits (b, rsp_matrix_row (may, a), may->words))
        add (forbidden, a, b, rsp_sat_relations_get (r, axiom->node, a, b));
    else if (axiom->kind == RSPCHECK_AXIOM_ACYCLIC && node->op != RSP_NODE_PLUS)
      add (forbidden, a, a, recursive_closure (r, axiom->node, a, a));
    else
      add (forbidden, a, a, rsp_sat_relations_get (r, axiom->node, a, node->is_set ? 0 : a));
  }
  return forbidden;
}

Lit rsp_sat_axioms_broken (SatRelations *r, const RspStagedAxiom *axiom) {
  g_autoptr (GArray) forbidden = rsp_sat_axioms_forbidden (r, axiom, r->may[axiom->node]);
  g_autofree Lit *lits = g_new (Lit, forbidden->len + 1);
  for (guint i = 0; i < forbidden->len; i++)
    lits[i] = g_array_index (forbidden, SatForbidden, i).lit;
  return circuit_or_all (r->fold->circuit, lits, forbidden->len);
}

void rsp_sat_axioms_require (SatRelations *r, const RspStagedModel *model) {
  for (guint i = 0; i < model->n_axioms; i++)
    rsp_sat_relations_trust (r, &model->axioms[i]);
  for (guint i = 0; i < model->n_axioms; i++)
    if (model->axioms[i].role == RSPCHECK_ROLE_AXIOM) {
      Lit broken = rsp_sat_axioms_broken (r, &model->axioms[i]);
      circuit_require (r->fold->circuit, model->axioms[i].negated ? broken : lit_not (broken));
    }
}

Lit sat_axioms_raised (SatRelations *r, const RspStagedAxiom *axiom) {
  Lit broken = rsp_sat_axioms_broken (r, axiom);
  gboolean raised_if_broken = (axiom->role != RSPCHECK_ROLE_FLAG) != axiom->negated;
  return raised_if_broken ? broken : lit_not (broken);
}
