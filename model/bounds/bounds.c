/* Lower and upper bounds of the DAG's nodes. */
#include "base/base.h"
#include "model/bounds/bounds.h"
#include "model/bounds/internal.h"

#include <string.h>

/* ---- State ---------------------------------------------------------------------------------- */

/* Allocates room for n_needed nodes of the DAG and all axioms, without adding any. */
static RspBounds *bounds_allocate (const RspStagedModel *model, guint n_needed, RspArena *arena) {
  guint most = n_needed + 2 * (2 + model->n_orders); /* leaves have a node for each direction */
  const RspDag *dag = model->dag;
  RspBounds *b = rsp_arena_new0 (arena, RspBounds, 1);
  b->model = model;
  b->dag = dag;
  b->arena = arena;
  b->n = dag->n;
  b->words = rsp_words_for (dag->n);
  b->ops = b->words == 1 ? &rsp_bounds_ops_1 : &rsp_bounds_ops_n;
  b->axiom_trail = rsp_arena_new0 (arena, AxiomChange, model->n_axioms);
  b->open_reads = rsp_arena_new0 (arena, guint64, b->words);
  b->table = rsp_arena_new0 (arena, guint64, b->n * b->words);
  b->other_table = rsp_arena_new0 (arena, guint64, b->n * b->words);
  b->nodes = rsp_arena_new0 (arena, Node, most);
  b->touched = rsp_arena_new0 (arena, Side *, 2 * most);
  b->node_of = rsp_arena_new0 (arena, guint, dag->nodes->len);
  b->n_axioms = model->n_axioms;
  b->axioms = rsp_arena_new0 (arena, AxiomState, model->n_axioms);
  return b;
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

/* Nodes of the bounds, with room for both sides. */

static guint64 *take (guint64 **room, gsize words) {
  guint64 *taken = *room;
  *room += words;
  return taken;
}

static Node *add_node (RspBounds *b, RspNodeOp op, guint rows) {
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

/* ---- Nodes of the DAG ---- */
static void add_operator (RspBounds *b, RspNodeId id) {
  const RspNode *source = rsp_dag_node (b->dag, id);
  Node *node = add_node (b, source->op, source->is_set ? 1 : b->n);
  const RspNodeForm *form = &rsp_node_forms[source->op];
  for (guint i = 0; i < form->arity; i++) {
    *(i ? &node->b : &node->a) = b->node_of[i ? source->b : source->a];
    node->falls[i] = (guint8) form->falls[i];
  }
  if (source->op == RSP_NODE_UNION) {
    const Node *first = &b->nodes[node->a], *second = &b->nodes[node->b];
    node->contains_rf = first->contains_rf || second->contains_rf;
    node->contains_rf_inverse = first->contains_rf_inverse || second->contains_rf_inverse;
  }
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

/* ---- Label ---------------------------------------------------------------------------------- */

/* Labels: nodes named by what they compute, so that keys of different pre-executions are
 * comparable.
 *
 * The bounds of one model on different pre-executions have different DAGs. For each node that an
 * open axiom depends on, a key lists the bits that matter; by induction over the operators
 * (key.inc), these bits and the operators above them determine the axiom. That holds across
 * pre-executions if a label gives the operator and its operands' labels, if no two nodes of one DAG
 * have the same label, and if constants list their bits too. Similar nodes may be numbered in
 * different orders: then keys differ, and nothing is shared. */

static guint64 mix (guint64 hash, guint64 word) {
  unsigned __int128 product
      = (unsigned __int128) (hash ^ word) * G_GUINT64_CONSTANT (0xa0761d6478bd642f);
  return (guint64) (product >> 64) ^ (guint64) product ^ G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
}

gboolean rsp_bounds_name (RspBounds *b, const guint *names, guint n_names) {
  for (guint i = 0; i < b->n_nodes; i++)
    if (b->nodes[i].op == RSP_NODE_FIX)
      return FALSE;
  guint n_static[2] = { 0 }; /* relations, sets */
  b->labels = rsp_arena_new0 (b->arena, guint64, b->n_nodes + 1);
  /* The order of operands matters; operands are labelled first. Nodes that never change are
   * numbered. */
  for (guint i = 0; i < b->n_nodes; i++) {
    const Node *node = &b->nodes[i];
    gboolean is_set = node->rows == 1;
    guint64 hash = mix (is_set, node->dynamic ? node->op : RSP_NODE_CONSTANT);
    b->labels[i] = !node->dynamic ? mix (hash, n_static[is_set]++)
                   : node->op == NODE_LEAF
                       ? mix (hash, node->leaf)
                       : mix (mix (hash, b->labels[node->a]), b->labels[node->b]);
  }
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

/* ---- Groups --------------------------------------------------------------------------------- */

/* Recursive groups: what they use from outside. */

/* Notes that the outermost group around this one uses the node, if that is outside. */
static void note_use (const RspBounds *b, guint group, RspNodeId id) {
  const RspNode *node = rsp_dag_node (b->dag, id);
  if (node->group || node->op == RSP_NODE_CONSTANT)
    return;
  while (b->groups[group].outer != G_MAXUINT)
    group = b->groups[group].outer;
  GArray *inputs = b->groups[group].inputs;
  for (guint i = 0; i < inputs->len; i++)
    if (g_array_index (inputs, guint, i) == b->node_of[id])
      return;
  g_array_append_val (inputs, b->node_of[id]);
}

static RspMatrix *view_of (const RspBounds *b, const Node *node, guint side) {
  RspMatrix view
      = { .n = b->n, .rows = node->rows, .words = b->words, .bits = node->side[side].bits };
  return rsp_arena_copy (b->arena, &view, sizeof view);
}

/* Finds what groups use from outside. Call when all nodes are there. */
static void connect_groups (RspBounds *b, const guint8 *marks) {
  const RspDag *dag = b->dag;
  b->recursion = rsp_valuation_new_groups (dag, marks);
  for (RspNodeId id = 0; id < dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (dag, id);
    if (!marks[id])
      continue;
    if (node->op == RSP_NODE_FIX)
      for (guint i = 0; i < rsp_dag_group (dag, node->index)->n; i++)
        note_use (b, node->index, rsp_dag_group (dag, node->index)->bodies[i]);
    for (guint i = 0; i < rsp_node_arity (node->op) && node->group; i++)
      note_use (b, node->group - 1, i ? node->b : node->a);
    if (!node->group && node->op != RSP_NODE_CONSTANT) {
      const Node *outside = &b->nodes[b->node_of[id]];
      rsp_valuation_set_bounds (b->recursion, id, view_of (b, outside, LO),
                                view_of (b, outside, HI));
    }
  }
}

/* ---- Bounds --------------------------------------------------------------------------------- */

/* Bounds: the part that does not depend on the width of a row. */

enum {
  FIRST_MARKS = 16 /* initial room for levels */
};

/* ---- Making ---- */
/* Gives each node of the DAG that is in no recursive group a node here. Of the bounds only those of
 * constants are known. FALSE if the budget is exhausted. */
static gboolean add_nodes (RspBounds *b, const guint8 *marks) {
  const RspDag *dag = b->dag;
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    if (marks[id] && rsp_dag_node (dag, id)->group == 0) {
      rsp_budget_limit_part (dag->budget, rsp_arena_size (b->arena));
      if (rsp_budget_is_exhausted (dag->budget))
        return FALSE;
      const RspNode *source = rsp_dag_node (b->dag, id);
      if (rsp_node_forms[source->op].chosen)
        b->node_of[id] = source->op == RSP_NODE_RF   ? 2 * RSP_LEAF_RF
                         : source->op == RSP_NODE_CO ? 2 * RSP_LEAF_CO
                                                     : 2 * (RSP_LEAF_ORDER + source->index);
      else if (source->op == RSP_NODE_INVERSE && b->nodes[b->node_of[source->a]].op == NODE_LEAF)
        b->node_of[id] = b->node_of[source->a] ^ 1;
      else {
        b->node_of[id] = b->n_nodes;
        if (source->op == RSP_NODE_CONSTANT) {
          Node *node = add_node (b, RSP_NODE_CONSTANT, source->is_set ? 1 : b->n);
          for (int p = LO; p <= HI; p++)
            memcpy (node->side[p].bits, source->constant->bits,
                    sizeof (guint64) * node->rows * b->words);
        } else
          add_operator (b, id);
      }
    }
  return !rsp_budget_is_exhausted (dag->budget);
}

RspBounds *rsp_bounds_new (const RspStagedModel *model, RspExtent rf, RspExtent co,
                           RspArena *arena) {
  guint8 *marks = rsp_arena_new0 (arena, guint8, model->dag->nodes->len);
  guint n_needed = 0;
  for (guint i = 0; i < model->n_axioms; i++)
    marks[model->axioms[i].root] = TRUE;
  rsp_dag_mark_below (model->dag, marks);
  for (guint id = 0; id < model->dag->nodes->len; id++)
    n_needed += marks[id] != 0;
  RspBounds *b = bounds_allocate (model, n_needed, arena);
  /* Base relations and their inverses come first. */
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
  /* The groups of the DAG, without nodes yet. */
  const RspDag *dag = b->dag;
  b->n_groups = dag->groups->len;
  b->groups = rsp_arena_new0 (b->arena, Group, b->n_groups);
  for (guint i = 0; i < b->n_groups; i++) {
    Group *group = &b->groups[i];
    group->fix = rsp_dag_group (dag, i);
    group->first = group->outer = G_MAXUINT;
    group->inputs = g_array_new (FALSE, FALSE, sizeof (guint));
    group->members = rsp_arena_new0 (b->arena, guint, group->fix->n);
    for (guint j = 0; j < group->fix->n; j++)
      group->members[j] = G_MAXUINT;
  }
  for (RspNodeId id = 0; id < dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (dag, id);
    if (marks[id] && node->op == RSP_NODE_FIX && node->group)
      b->groups[node->index].outer = node->group - 1;
  }
  if (!add_nodes (b, marks)) {
    rsp_bounds_free (b);
    return NULL;
  }
  if (b->n_groups)
    connect_groups (b, marks);
  /* Both bounds of every node, with nothing decided. */
  for (guint i = 2 * b->n_leaves; i < b->n_nodes && !bounds_is_exhausted (b); i++) {
    Node *node = &b->nodes[i];
    if (node->op == RSP_NODE_CONSTANT)
      continue;
    b->ops->evaluate (b, node);
    bounds_find_open_rows (b, node);
  }
  b->ops->forget (b);
  b->n_trail = 0;
  bounds_prepare_axioms (b);
  return b;
}

void rsp_bounds_free (RspBounds *b) {
  if (!b)
    return;
  for (guint i = 0; i < b->n_groups; i++)
    g_array_unref (b->groups[i].inputs);
  rsp_valuation_free (b->recursion);
  g_free (b->trail);
}

/* ---- Base relations ---- */
static const guint64 *leaf_row (const RspBounds *b, guint node, int side, guint row) {
  return b->nodes[node].side[side].bits + (gsize) row * b->words;
}

const guint64 *rsp_bounds_lo (const RspBounds *b, guint leaf, guint row) {
  return leaf_row (b, 2 * leaf, LO, row);
}

const guint64 *rsp_bounds_hi (const RspBounds *b, guint leaf, guint row) {
  return leaf_row (b, 2 * leaf, HI, row);
}

const guint64 *rsp_bounds_inverse_lo (const RspBounds *b, guint leaf, guint row) {
  return leaf_row (b, 2 * leaf + 1, LO, row);
}

const guint64 *rsp_bounds_inverse_hi (const RspBounds *b, guint leaf, guint row) {
  return leaf_row (b, 2 * leaf + 1, HI, row);
}

static void set_pair (RspBounds *b, guint leaf, int side, guint x, guint y, gboolean value) {
  b->ops->set (b, &b->nodes[(gsize) 2 * leaf], side, x, y, value);
  b->ops->set (b, &b->nodes[2 * leaf + 1], side, y, x, value);
}

static inline gboolean is_in (const RspBounds *b, guint leaf, int side, guint x, guint y) {
  return rsp_row_has (leaf_row (b, 2 * leaf, side, x), y);
}

void rsp_bounds_decide (RspBounds *b, guint leaf, guint x, guint y) {
  RSP_CONTRACT (is_in (b, leaf, HI, x, y));
  set_pair (b, leaf, LO, x, y, TRUE);
}

void rsp_bounds_exclude (RspBounds *b, guint leaf, guint x, guint y) {
  RSP_CONTRACT (!is_in (b, leaf, LO, x, y));
  set_pair (b, leaf, HI, x, y, FALSE);
}

/* ---- Levels ---- */
void rsp_bounds_push (RspBounds *b) {
  if (b->n_marks == b->marks_room) {
    const Mark *before = b->marks;
    b->marks_room = 2 * b->marks_room + FIRST_MARKS;
    b->marks = rsp_arena_new0 (b->arena, Mark, b->marks_room);
    for (guint i = 0; i < b->n_marks; i++)
      b->marks[i] = before[i];
  }
  b->marks[b->n_marks++] = (Mark){ .rows = b->n_trail, .axioms = b->n_axiom_trail };
}

void rsp_bounds_pop (RspBounds *b) {
  RSP_CONTRACT (b->n_marks > 0);
  Mark mark = b->marks[--b->n_marks];
  b->ops->forget (b);
  b->ops->undo (b, mark.rows);
  bounds_undo_axioms (b, mark.axioms);
}

/* Is every node's lower bound within its upper one? */
static inline gboolean lo_within_hi (const RspBounds *b) {
  for (guint i = 0; i < b->n_nodes; i++) {
    const Node *node = &b->nodes[i];
    for (gsize k = 0; (i < 2 * b->n_leaves || (b->needed[i] && node->dynamic))
                      && k < (gsize) node->rows * b->words;
         k++)
      if (node->side[LO].bits[k] & ~node->side[HI].bits[k])
        return FALSE;
  }
  return TRUE;
}

gboolean rsp_bounds_update (RspBounds *b) {
  if (!b->ops->update (b))
    return FALSE;
  RSP_CONTRACT (lo_within_hi (b));
  return bounds_settle_axioms (b);
}

guint rsp_bounds_broken (const RspBounds *b) { return b->broken; }

RspTruth rsp_bounds_axiom (const RspBounds *b, guint axiom) { return b->axioms[axiom].truth; }

gboolean rsp_bounds_is_followed (const RspBounds *b, guint axiom) {
  return b->axioms[axiom].truth == RSP_OPEN && !b->axioms[axiom].dropped;
}

void rsp_bounds_force (RspBounds *b, GArray *forced) {
  for (guint i = 0; i < b->n_axioms; i++)
    b->ops->start (b, &b->axioms[i]);
  b->ops->force (b, forced);
}

void rsp_bounds_force_by (RspBounds *b, guint axiom, GArray *forced) {
  b->ops->start (b, &b->axioms[axiom]);
  b->ops->force (b, forced);
}

RspHash rsp_bounds_key (RspBounds *b) { return b->ops->key (b); }
