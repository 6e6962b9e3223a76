/* Axioms on bounds: what each depends on, and its truth. */
#include "model/bounds/axioms.h"
#include "base/contract.h"
#include "model/axiom_kind.h"

#include <string.h>

/* ---- What they depend on ---- */

static void mark_needs (const RspBounds *b, guint index, guint8 *needs) {
  if (needs[index])
    return;
  needs[index] = TRUE;
  const Node *node = &b->nodes[index];
  if (node->op == RSP_NODE_FIX) {
    const Group *group = &b->groups[node->group];
    needs[group->first] = TRUE;
    for (guint i = 0; i < group->n_inputs; i++)
      mark_needs (b, group->inputs[i], needs);
  }
  if (rsp_node_arity (node->op) >= 1)
    mark_needs (b, node->a, needs);
  if (rsp_node_arity (node->op) == 2)
    mark_needs (b, node->b, needs);
}

/* Finds the nodes that some open axiom depends on. */
static void find_needed (RspBounds *b) {
  memset (b->needed, 0, b->n_nodes);
  for (guint i = 0; i < b->n_axioms; i++) {
    const AxiomState *axiom = &b->axioms[i];
    if (axiom->truth != RSP_OPEN || axiom->dropped)
      continue;
    for (guint j = 0; j < b->n_nodes; j++)
      b->needed[j] |= axiom->needs[j];
  }
}

/* Did staging fill in the root? */
static inline gboolean has_root (const RspDag *dag, const RspStagedAxiom *axiom) {
  RspNodeId none = dag->empty[rsp_dag_node (dag, axiom->node)->is_set];
  return rsp_axiom_form (axiom->kind)->closed ? (axiom->root == none) == (axiom->node == none)
                                              : axiom->root == axiom->node;
}

static void find_rows (const RspBounds *b, AxiomState *axiom) {
  const Node *node = &b->nodes[axiom->node];
  axiom->rows = rsp_arena_new0 (b->arena, guint64, b->words);
  for (guint x = 0; x < node->rows; x++) {
    const guint64 *hi = node->side[HI].bits + (gsize) x * b->words;
    if (axiom->diagonal ? rsp_row_has (hi, x) : rsp_next_bit (hi, b->words, 0) != G_MAXUINT)
      axiom->rows[x / 64] |= G_GUINT64_CONSTANT (1) << (x % 64);
  }
}

void bounds_prepare_axioms (RspBounds *b) {
  b->needed = rsp_arena_new0 (b->arena, guint8, b->n_nodes);
  for (guint i = 0; i < b->n_axioms; i++) {
    AxiomState *axiom = &b->axioms[i];
    axiom->axiom = &b->model->axioms[i];
    RSP_CONTRACT (has_root (b->dag, axiom->axiom));
    axiom->diagonal = rsp_axiom_form (axiom->axiom->kind)->reflexive;
    axiom->node = b->node_of[axiom->axiom->root];
    find_rows (b, axiom);
    axiom->needs = rsp_arena_new0 (b->arena, guint8, b->n_nodes);
    mark_needs (b, axiom->node, axiom->needs);
    axiom->truth = b->ops->truth (b, axiom);
  }
  find_needed (b);
}

/* ---- Their truth ---- */

static void change_axiom (RspBounds *b, guint index, RspTruth truth, gboolean dropped) {
  AxiomState *axiom = &b->axioms[index];
  RSP_CONTRACT (b->n_axiom_trail < b->n_axioms);
  b->axiom_trail[b->n_axiom_trail++]
      = (AxiomChange){ .axiom = index, .truth = axiom->truth, .dropped = axiom->dropped };
  axiom->truth = truth;
  axiom->dropped = dropped;
}

void bounds_undo_axioms (RspBounds *b, guint to) {
  if (b->n_axiom_trail == to)
    return;
  while (b->n_axiom_trail > to) {
    AxiomChange change = b->axiom_trail[--b->n_axiom_trail];
    b->axioms[change.axiom].truth = change.truth;
    b->axioms[change.axiom].dropped = change.dropped;
  }
  find_needed (b);
}

static gboolean breaks (const AxiomState *axiom) {
  return axiom->truth == RSP_FAILS && axiom->axiom->role == RSPCHECK_ROLE_AXIOM;
}

gboolean bounds_settle_axioms (RspBounds *b) {
  gboolean settled = FALSE, possible = TRUE;
  for (guint i = 0; i < b->n_axioms && possible; i++) {
    const AxiomState *axiom = &b->axioms[i];
    if (axiom->truth == RSP_OPEN && !axiom->dropped) {
      RspTruth truth = b->ops->truth (b, axiom);
      if (truth == RSP_OPEN)
        continue;
      change_axiom (b, i, truth, FALSE);
      settled = TRUE;
    }
    possible = !breaks (axiom);
    b->broken = i;
  }
  if (settled)
    find_needed (b);
  return possible;
}

void bounds_drop_axiom (RspBounds *b, guint index) {
  if (b->axioms[index].dropped || b->axioms[index].truth != RSP_OPEN)
    return;
  change_axiom (b, index, RSP_OPEN, TRUE);
  find_needed (b);
}
