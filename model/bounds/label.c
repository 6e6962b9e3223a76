/* Labels: nodes named by what they compute, so that keys of different pre-executions are
 * comparable.
 *
 * The bounds of one model on different pre-executions have different DAGs. For each node that an
 * open axiom depends on, a key lists the bits that matter; by induction over the operators
 * (key.inc), these bits and the operators above them determine the axiom. That holds across
 * pre-executions if a label gives the operator and its operands' labels, if no two nodes of one DAG
 * have the same label, and if constants list their bits too. Similar nodes may be numbered in
 * different orders: then keys differ, and nothing is shared. */
#include "model/bounds/label.h"

static guint64 mix (guint64 hash, guint64 word) {
  unsigned __int128 product
      = (unsigned __int128) (hash ^ word) * G_GUINT64_CONSTANT (0xa0761d6478bd642f);
  return (guint64) (product >> 64) ^ (guint64) product ^ G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
}

/* A hash of what a node computes. The order of operands matters; operands are labelled first. Nodes
 * that never change are numbered. */
static guint64 describe (const RspBounds *b, const Node *node, guint *n_static) {
  guint64 hash = mix (node->rows == 1, node->dynamic ? node->op : RSP_NODE_CONSTANT);
  if (!node->dynamic)
    return mix (hash, (*n_static)++);
  if (node->op == NODE_LEAF)
    return mix (hash, node->leaf);
  hash = mix (hash, b->labels[node->a]);
  return mix (hash, b->labels[node->b]);
}

static gboolean has_recursion (const RspBounds *b) {
  for (guint i = 0; i < b->n_nodes; i++)
    if (b->nodes[i].op == RSP_NODE_FIX)
      return TRUE;
  return FALSE;
}

gboolean rsp_bounds_name (RspBounds *b, const guint *names, guint n_names) {
  if (has_recursion (b))
    return FALSE;
  guint n_static[2] = { 0 }; /* relations, sets */
  b->labels = rsp_arena_new0 (b->arena, guint64, b->n_nodes + 1);
  for (guint i = 0; i < b->n_nodes; i++)
    b->labels[i] = describe (b, &b->nodes[i], &n_static[b->nodes[i].rows == 1]);
  b->names = names;
  b->name_words = rsp_words_for (n_names);
  b->row_by_name = rsp_arena_new0 (b->arena, guint64, b->name_words);
  return TRUE;
}

guint64 bounds_axiom_label (const RspBounds *b, guint axiom) {
  const RspStagedAxiom *staged = b->axioms[axiom].axiom;
  guint64 hash = mix (b->labels[b->axioms[axiom].node], b->axioms[axiom].diagonal);
  hash = mix (hash, staged->role);
  hash = mix (hash, staged->flag);
  return mix (hash, staged->negated);
}
