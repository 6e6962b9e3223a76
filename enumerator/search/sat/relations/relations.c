#include "enumerator/search/sat/relations/relations.h"
#include "enumerator/search/sat/relations/may.h"
#include "enumerator/search/sat/relations/recursive.h"

#include <string.h>

/* ---- Leaves ---- */

static Lit constant (const SatRelations *r, RspNodeId id, guint a, guint b) {
  const RspDag *dag = r->dag;
  if (id == dag->universe[TRUE])
    return r->fold->exists[a];
  if (id == dag->universe[FALSE])
    return sat_fold_both (r->fold, a, b);
  return id == dag->identity && a == b ? r->fold->exists[a] : LIT_FALSE;
}

static Lit open_base (const SatRelations *r, const RspNode *node, guint a, guint b) {
  if (node->is_set)
    return sat_fold_base_member (r->fold, (RspBaseSet) node->index, a);
  return sat_fold_base_pair (r->fold, (RspBaseRelation) (node->index - RSP_N_BASE_SETS), a, b);
}

/* ---- Operators ---- */

static Lit compose (SatRelations *r, const RspNode *node, guint a, guint c) {
  const RspMatrix *left = r->may[node->a], *right = r->may[node->b];
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (all_bits (b, rsp_matrix_row (left, a), left->words)) {
    if (!rsp_matrix_get (right, b, c))
      continue;
    Lit first = rsp_sat_relations_get (r, node->a, a, b);
    Lit both = first == LIT_FALSE ? LIT_FALSE
                                  : circuit_and (r->fold->circuit, first,
                                                 rsp_sat_relations_get (r, node->b, b, c));
    if (both != LIT_FALSE)
      g_array_append_val (parts, both);
  }
  Lit any = circuit_or_all (r->fold->circuit, (Lit *) (gpointer) parts->data, parts->len);
  g_array_unref (parts);
  return any;
}

static Lit domain (SatRelations *r, const RspNode *node, guint a) {
  const RspMatrix *relation = r->may[node->a];
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Lit));
  for (all_bits (b, rsp_matrix_row (relation, a), relation->words)) {
    Lit lit = rsp_sat_relations_get (r, node->a, a, b);
    g_array_append_val (parts, lit);
  }
  Lit any = circuit_or_all (r->fold->circuit, (Lit *) (gpointer) parts->data, parts->len);
  g_array_unref (parts);
  return any;
}

static Lit operator(SatRelations *r, RspNodeId id, guint a, guint b) {
  const RspNode *node = rsp_dag_node (r->dag, id);
  Circuit *circuit = r->fold->circuit;
  Lit left;
  switch (node->op) {
  case RSP_NODE_UNION:
    return circuit_or (circuit, rsp_sat_relations_get (r, node->a, a, b),
                       rsp_sat_relations_get (r, node->b, a, b));
  case RSP_NODE_INTER:
    left = rsp_sat_relations_get (r, node->a, a, b);
    return left == LIT_FALSE
               ? left
               : circuit_and (circuit, left, rsp_sat_relations_get (r, node->b, a, b));
  case RSP_NODE_DIFF:
    left = rsp_sat_relations_get (r, node->a, a, b);
    return left == LIT_FALSE
               ? left
               : circuit_and (circuit, left, lit_not (rsp_sat_relations_get (r, node->b, a, b)));
  case RSP_NODE_SEQ:
    return compose (r, node, a, b);
  case RSP_NODE_INVERSE:
    return rsp_sat_relations_get (r, node->a, b, a);
  case RSP_NODE_PRODUCT:
    return circuit_and (circuit,
                        circuit_and (circuit, rsp_sat_relations_get (r, node->a, a, 0),
                                     rsp_sat_relations_get (r, node->b, b, 0)),
                        sat_fold_both (r->fold, a, b));
  case RSP_NODE_IDENTITY:
    return a == b ? rsp_sat_relations_get (r, node->a, a, 0) : LIT_FALSE;
  case RSP_NODE_DOMAIN:
    return domain (r, node, a);
  case RSP_NODE_PLUS:
    return recursive_closure (r, node->a, a, b);
  case RSP_NODE_FIX:
    return recursive_fix (r, recursive_variable (r, node), a, b);
  case RSP_NODE_VARIABLE:
    return r->while_justifying ? recursive_justify_get (r, id, a, b) : recursive_fix (r, id, a, b);
  default:
    g_assert_not_reached ();
  }
}

static Lit make (SatRelations *r, RspNodeId id, guint a, guint b) {
  const RspNode *node = rsp_dag_node (r->dag, id);
  const SatChoices *choices = r->choices;
  switch (node->op) {
  case RSP_NODE_CONSTANT:
    return constant (r, id, a, b);
  case RSP_NODE_RF:
    return sat_choices_rf (choices, a, b);
  case RSP_NODE_CO:
    return sat_choices_ordered (choices, &choices->co, a, b);
  case RSP_NODE_ORDER:
    return sat_choices_ordered (choices, &choices->orders[node->index], a, b);
  case RSP_NODE_OPEN:
    return open_base (r, node, a, b);
  default:
    return operator(r, id, a, b);
  }
}

/* Of a node that depends on variables, while one of these is justified. */
static Lit get_while_justifying (SatRelations *r, RspNodeId id, guint a, guint b) {
  SatPlace place = { id, a, b };
  gpointer known = g_hash_table_lookup (r->while_justifying, &place);
  if (known)
    return GPOINTER_TO_UINT (known) - 1;
  Lit lit = make (r, id, a, b);
  g_hash_table_insert (r->while_justifying, g_memdup2 (&place, sizeof place),
                       GUINT_TO_POINTER (lit + 1));
  return lit;
}

Lit rsp_sat_relations_get (SatRelations *r, RspNodeId id, guint a, guint b) {
  gboolean is_set = rsp_dag_node (r->dag, id)->is_set;
  if (is_set ? !rsp_set_has (r->may[id], a) : !rsp_matrix_get (r->may[id], a, b))
    return LIT_FALSE;
  if (r->while_justifying && r->depends[id])
    return get_while_justifying (r, id, a, b);
  gsize place = is_set ? a : (gsize) a * r->n + b, size = is_set ? r->n : (gsize) r->n * r->n;
  if (!r->lits[id]) {
    if (!rsp_arena_affords (r->fold->arena, size * sizeof (Lit)))
      return LIT_FALSE;
    r->lits[id] = rsp_arena_new0 (r->fold->arena, Lit, size);
    memset (r->lits[id], 0xff, size * sizeof (Lit));
  }
  if (r->lits[id][place] != LIT_NONE)
    return r->lits[id][place];
  if (rsp_arena_is_exhausted (r->fold->arena))
    return LIT_FALSE;
  Lit lit = make (r, id, a, b);
  r->lits[id][place] = lit;
  return lit;
}

/* ---- Closures that axioms keep acyclic ---- */

/* Does every value of the node contain that of the PLUS (or the identity, with plus == G_MAXUINT)?
 */
static gboolean contains (const RspDag *dag, RspNodeId id, RspNodeId plus) {
  const RspNode *node = rsp_dag_node (dag, id);
  if (id == plus || (plus == G_MAXUINT && id == dag->identity))
    return TRUE;
  if (node->op == RSP_NODE_UNION)
    return contains (dag, node->a, plus) || contains (dag, node->b, plus);
  if (node->op == RSP_NODE_PLUS)
    return contains (dag, node->a, plus);
  if (node->op == RSP_NODE_SEQ && plus != G_MAXUINT)
    return (contains (dag, node->a, plus) && contains (dag, node->b, G_MAXUINT))
           || (contains (dag, node->a, G_MAXUINT) && contains (dag, node->b, plus));
  return FALSE;
}

/* Does a plain axiom demand that the operand of a PLUS is acyclic? */
static gboolean is_kept_acyclic (const RspDag *dag, const RspStagedAxiom *axiom, RspNodeId plus) {
  if (axiom->role != RSPCHECK_ROLE_AXIOM || axiom->negated)
    return FALSE;
  if (axiom->kind == RSPCHECK_AXIOM_ACYCLIC
      && contains (dag, axiom->node, rsp_dag_node (dag, plus)->a))
    return TRUE;
  return axiom->kind != RSPCHECK_AXIOM_EMPTY && contains (dag, axiom->node, plus);
}

void rsp_sat_relations_trust (SatRelations *r, const RspStagedAxiom *axiom) {
  for (RspNodeId id = 0; id < r->dag->nodes->len; id++)
    if (rsp_dag_node (r->dag, id)->op == RSP_NODE_PLUS)
      r->acyclic[rsp_dag_node (r->dag, id)->a] |= is_kept_acyclic (r->dag, axiom, id);
}

SatRelations *rsp_sat_relations_new (const SatFold *fold, const SatChoices *choices,
                                     const RspStagedModel *model) {
  SatRelations *r = rsp_arena_new0 (fold->arena, SatRelations, 1);
  const RspDag *dag = model->dag;
  *r = (SatRelations){ .fold = fold, .choices = choices, .dag = dag, .n = fold->pre->n };
  r->lits = rsp_arena_new0 (fold->arena, Lit *, dag->nodes->len + 1);
  r->acyclic = rsp_arena_new0 (fold->arena, gboolean, dag->nodes->len + 1);
  r->may = may_new (fold, choices, model);
  recursive_prepare (r);
  return r;
}
