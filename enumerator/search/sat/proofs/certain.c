#include "enumerator/search/sat/proofs/certain.h"

static void find_open (const SatRelations *r, const RspNode *node, const RspMatrix *may,
                       RspMatrix *out) {
  const SatFold *fold = r->fold;
  for (guint a = 0; a < r->n && node->is_set; a++)
    if (rsp_set_has (may, a)
        && sat_fold_base_member (fold, (RspBaseSet) node->index, a) == fold->exists[a])
      rsp_set_add (out, a);
  RspBaseRelation relation = (RspBaseRelation) (node->index - RSP_N_BASE_SETS);
  for (guint a = 0; a < r->n && !node->is_set; a++)
    for (all_bits (b, rsp_matrix_row (may, a), may->words))
      if (sat_fold_base_pair (fold, relation, a, b) == sat_fold_both (fold, a, b))
        rsp_matrix_add (out, a, b);
}

/* By way of an event that exists if both do. */
static void compose (const SatRelations *r, const RspMatrix *first, const RspMatrix *second,
                     RspMatrix *out) {
  for (guint a = 0; a < r->n; a++)
    for (all_bits (m, rsp_matrix_row (first, a), first->words))
      for (all_bits (b, rsp_matrix_row (second, m), second->words))
        if (m == a || m == b || r->fold->exists[m] == LIT_TRUE)
          rsp_matrix_add (out, a, b);
}

static void find (const SatRelations *r, RspMatrix *const *certain, RspNodeId id) {
  const RspNode *node = rsp_dag_node (r->dag, id);
  const RspMatrix *a = rsp_node_arity (node->op) >= 1 ? certain[node->a] : NULL;
  RspMatrix *out = certain[id];
  switch (node->op) {
  case RSP_NODE_CONSTANT:
    rsp_matrix_assign (out, r->may[id]);
    return;
  case RSP_NODE_OPEN:
    find_open (r, node, r->may[id], out);
    return;
  case RSP_NODE_DIFF:
    rsp_node_compute (node->op, out, a, r->may[node->b]);
    return;
  case RSP_NODE_SEQ:
    compose (r, a, certain[node->b], out);
    return;
  case RSP_NODE_PLUS:
    rsp_matrix_assign (out, a);
    return;
  case RSP_NODE_UNION:
  case RSP_NODE_INTER:
  case RSP_NODE_PRODUCT:
    rsp_node_compute (node->op, out, a, certain[node->b]);
    break;
  case RSP_NODE_INVERSE:
  case RSP_NODE_IDENTITY:
    rsp_node_compute (node->op, out, a, NULL);
    return;
  default: /* nothing is certain of what is chosen, of what follows recursively and of domains */
    return;
  }
  if (!node->is_set)
    rsp_matrix_intersect (out, out, r->fold->together);
}

RspMatrix **certain_new (const SatRelations *r) {
  RspArena *arena = r->fold->arena;
  guint n = r->dag->nodes->len;
  RspMatrix **certain = rsp_arena_new0 (arena, RspMatrix *, n + 1);
  for (RspNodeId id = 0; id < n && !rsp_arena_is_exhausted (arena); id++)
    if (r->may[id])
      certain[id] = rsp_dag_node (r->dag, id)->is_set ? rsp_set_new (arena, r->n)
                                                      : rsp_relation_new (arena, r->n);
  for (RspNodeId id = 0; id < n && !rsp_arena_is_exhausted (arena); id++)
    if (r->may[id])
      find (r, certain, id);
  return certain;
}
