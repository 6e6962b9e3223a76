/* The nodes that the DAG's nodes have in bounds, with room for both sides. */
#include "model/bounds/nodes.h"

#include <string.h>

static guint64 *take (guint64 **room, gsize words) {
  guint64 *taken = *room;
  *room += words;
  return taken;
}

static Node *add_node (RspBounds *b, guint op, guint rows) {
  gsize words = b->words, matrix = rows * words;
  guint64 *room = rsp_arena_new0 (b->arena, guint64, 6 * matrix + 4 * words);
  Node *node = &b->nodes[b->n_nodes++];
  node->op = op;
  node->rows = rows;
  for (guint side = LO; side <= HI; side++) {
    node->side[side].bits = take (&room, matrix);
    node->side[side].delta = take (&room, matrix);
    node->side[side].changed = take (&room, words);
  }
  node->forbidden = take (&room, matrix);
  node->required = take (&room, matrix);
  node->marked = take (&room, words);
  node->open = take (&room, words);
  return node;
}

void bounds_find_open_rows (const RspBounds *b, Node *node) {
  gsize words = b->words;
  memset (node->open, 0, sizeof (guint64) * words);
  for (guint x = 0; x < node->rows; x++)
    if (node->op == RSP_NODE_FIX
        || memcmp (node->side[LO].bits + x * words, node->side[HI].bits + x * words,
                   sizeof (guint64) * words)
               != 0)
      node->open[x / 64] |= G_GUINT64_CONSTANT (1) << (x % 64);
  node->dynamic = rsp_next_bit (node->open, b->words, 0) != G_MAXUINT;
}

/* ---- Base relations ---- */

static void assign (RspBounds *b, Node *node, int side, const RspMatrix *value, gboolean inverse) {
  RspMatrix view = { .n = b->n, .rows = b->n, .words = b->words, .bits = node->side[side].bits };
  if (inverse)
    rsp_relation_inverse (&view, value);
  else
    rsp_matrix_assign (&view, value);
}

/* A base relation and its inverse. */
static void add_leaf (RspBounds *b, RspExtent extent) {
  guint leaf = b->n_leaves++;
  for (guint inverse = 0; inverse <= 1; inverse++) {
    Node *node = add_node (b, NODE_LEAF, b->n);
    node->leaf = 2 * leaf + inverse;
    node->contains_rf = leaf == RSP_LEAF_RF && !inverse;
    node->contains_rf_inverse = leaf == RSP_LEAF_RF && inverse;
    assign (b, node, LO, extent.least, inverse);
    assign (b, node, HI, extent.most, inverse);
    bounds_find_open_rows (b, node);
  }
}

void bounds_add_leaves (RspBounds *b, RspExtent rf, RspExtent co) {
  add_leaf (b, rf);
  add_leaf (b, co);
  for (guint i = 0; i < b->model->n_orders; i++) {
    const RspMatrix *set = b->model->orders[i].set;
    RspMatrix *pairs = rsp_relation_new (b->arena, b->n);
    rsp_relation_product (pairs, set, set);
    for (guint e = 0; e < b->n; e++)
      rsp_matrix_remove (pairs, e, e);
    add_leaf (b, (RspExtent){ rsp_relation_new (b->arena, b->n), pairs });
  }
}

/* ---- Nodes of the DAG ---- */

static guint leaf_node (const RspNode *node) {
  switch (node->op) {
  case RSP_NODE_RF:
    return 2 * RSP_LEAF_RF;
  case RSP_NODE_CO:
    return 2 * RSP_LEAF_CO;
  default:
    return 2 * (RSP_LEAF_ORDER + node->index);
  }
}

static void add_constant (RspBounds *b, const RspNode *source) {
  Node *node = add_node (b, RSP_NODE_CONSTANT, source->is_set ? 1 : b->n);
  for (int p = LO; p <= HI; p++)
    memcpy (node->side[p].bits, source->constant->bits, sizeof (guint64) * node->rows * b->words);
}

static void mark_union (const RspBounds *b, Node *node) {
  const Node *first = &b->nodes[node->a], *second = &b->nodes[node->b];
  node->contains_rf = first->contains_rf || second->contains_rf;
  node->contains_rf_inverse = first->contains_rf_inverse || second->contains_rf_inverse;
}

static void add_operator (RspBounds *b, RspNodeId id) {
  const RspNode *source = rsp_dag_node (b->dag, id);
  Node *node = add_node (b, source->op, source->is_set ? 1 : b->n);
  if (rsp_node_arity (source->op) >= 1)
    node->a = b->node_of[source->a];
  if (rsp_node_arity (source->op) == 2)
    node->b = b->node_of[source->b];
  if (source->op == RSP_NODE_UNION)
    mark_union (b, node);
  if (source->op != RSP_NODE_FIX)
    return;
  Group *group = &b->groups[source->index];
  guint self = (guint) (node - b->nodes);
  node->group = source->index;
  group->first = MIN (group->first, self);
  for (guint i = 0; i < group->fix->n; i++)
    if (group->fix->fixes[i] == id)
      group->members[i] = self;
}

void bounds_add_node (RspBounds *b, RspNodeId id) {
  const RspNode *source = rsp_dag_node (b->dag, id);
  if (source->op == RSP_NODE_RF || source->op == RSP_NODE_CO || source->op == RSP_NODE_ORDER)
    b->node_of[id] = leaf_node (source);
  else if (source->op == RSP_NODE_INVERSE && b->nodes[b->node_of[source->a]].op == NODE_LEAF)
    b->node_of[id] = b->node_of[source->a] ^ 1;
  else {
    b->node_of[id] = b->n_nodes;
    if (source->op == RSP_NODE_CONSTANT)
      add_constant (b, source);
    else
      add_operator (b, id);
  }
}
