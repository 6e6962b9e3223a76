/* Bounds: what does not depend on the width of a row. */
#include "model/bounds/bounds.h"
#include "base/contract.h"
#include "model/axiom_kind.h"
#include "model/bounds/state.h"

#include <string.h>

/* ---- Making ---- */

static const RspBoundsOps *
ops_for (guint words)
{
  switch (words)
    {
    case 1:
      return &rsp_bounds_ops_1;
    case 2:
      return &rsp_bounds_ops_2;
    case 4:
      return &rsp_bounds_ops_4;
    default:
      return &rsp_bounds_ops_n;
    }
}

static guint64 *
take (guint64 **room, gsize words)
{
  guint64 *taken = *room;
  *room += words;
  return taken;
}

static Node *
add_node (RspBounds *b, guint op, guint rows)
{
  gsize words = b->words, matrix = rows * words;
  guint64 *room = rsp_arena_new0 (b->arena, guint64, 6 * matrix + 3 * words);
  Node *node = &b->nodes[b->n_nodes++];
  node->op = op;
  node->rows = rows;
  for (guint side = LO; side <= HI; side++)
    {
      node->side[side].bits = take (&room, matrix);
      node->side[side].delta = take (&room, matrix);
      node->side[side].changed = take (&room, words);
    }
  node->forbidden = take (&room, matrix);
  node->required = take (&room, matrix);
  node->marked = take (&room, words);
  return node;
}

/* A base relation and its inverse, with upper bound `hi`. */
static void
add_leaf (RspBounds *b, const RspMatrix *hi)
{
  guint leaf = b->n_leaves++;
  for (guint inverse = 0; inverse <= 1; inverse++)
    {
      Node *node = add_node (b, NODE_LEAF, b->n);
      node->leaf = 2 * leaf + inverse;
      RspMatrix view = { .n = b->n, .rows = b->n, .words = b->words, .bits = node->side[HI].bits };
      if (inverse)
        rsp_relation_inverse (&view, hi);
      else
        rsp_matrix_assign (&view, hi);
      node->dynamic = !rsp_matrix_is_empty (hi);
    }
}

static void
add_leaves (RspBounds *b, const RspMatrix *rf, const RspMatrix *co)
{
  add_leaf (b, rf);
  add_leaf (b, co);
  for (guint i = 0; i < b->model->n_orders; i++)
    {
      const RspMatrix *set = b->model->orders[i].set;
      RspMatrix *pairs = rsp_relation_new (b->arena, b->n);
      rsp_relation_product (pairs, set, set);
      for (guint e = 0; e < b->n; e++)
        rsp_matrix_remove (pairs, e, e);
      add_leaf (b, pairs);
    }
}

static gboolean
has_first_operand (RspNodeOp op)
{
  return op >= RSP_NODE_UNION && op <= RSP_NODE_DOMAIN;
}

static gboolean
has_second_operand (RspNodeOp op)
{
  return (op >= RSP_NODE_UNION && op <= RSP_NODE_SEQ) || op == RSP_NODE_PRODUCT;
}

/* Marks what the node needs, itself last. Inside a recursive group the walk goes through the
 * bodies. */
static void
mark_needed (const RspDag *dag, RspNodeId id, guint8 *marks)
{
  if (marks[id])
    return;
  marks[id] = TRUE;
  const RspNode *node = rsp_dag_node (dag, id);
  if (node->op == RSP_NODE_FIX)
    {
      const RspFix *fix = &g_array_index (dag->groups, RspFix, node->index);
      for (guint i = 0; i < fix->n; i++)
        {
          marks[fix->variables[i]] = TRUE;
          mark_needed (dag, fix->bodies[i], marks);
        }
    }
  if (has_first_operand (node->op))
    mark_needed (dag, node->a, marks);
  if (has_second_operand (node->op))
    mark_needed (dag, node->b, marks);
}

static void
add_input (GArray *inputs, guint node)
{
  for (guint i = 0; i < inputs->len; i++)
    if (g_array_index (inputs, guint, i) == node)
      return;
  g_array_append_val (inputs, node);
}

static void
note_operand (const RspBounds *b, RspNodeId id, GArray *inputs)
{
  const RspNode *node = rsp_dag_node (b->model->dag, id);
  if (node->group == 0 && node->op != RSP_NODE_CONSTANT)
    add_input (inputs, b->node_of[id]);
}

static void
note_operands (const RspBounds *b, RspNodeId id, GArray *inputs)
{
  const RspNode *node = rsp_dag_node (b->model->dag, id);
  if (has_first_operand (node->op))
    note_operand (b, node->a, inputs);
  if (has_second_operand (node->op))
    note_operand (b, node->b, inputs);
}

/* Finds the inside of a group: what depends on its variables. */
static void
find_inner (RspBounds *b, guint index, const guint8 *marks)
{
  const RspDag *dag = b->model->dag;
  Group *group = &b->groups[index];
  g_autoptr (GArray) inner = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    if (marks[id] && rsp_dag_node (dag, id)->group == index + 1)
      {
        b->inner_of[id] = inner->len;
        g_array_append_val (inner, id);
      }
  group->n_inner = inner->len;
  group->inner = rsp_arena_copy (b->arena, inner->data, sizeof (RspNodeId) * inner->len);
  group->value = rsp_arena_new0 (b->arena, RspMatrix *, inner->len);
  for (guint i = 0; i < inner->len; i++)
    group->value[i] = rsp_dag_node (dag, group->inner[i])->is_set
                          ? rsp_set_new (b->arena, b->n)
                          : rsp_relation_new (b->arena, b->n);
}

static guint
outermost (const RspBounds *b, guint index)
{
  while (b->groups[index].outer != G_MAXUINT)
    index = b->groups[index].outer;
  return index;
}

/* Finds what a group and those inside it use from outside. */
static void
find_inputs (RspBounds *b, guint index)
{
  Group *group = &b->groups[index];
  g_autoptr (GArray) inputs = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < b->n_groups; i++)
    {
      const Group *part = &b->groups[i];
      if (part->lead == G_MAXUINT || outermost (b, i) != index)
        continue;
      for (guint j = 0; j < part->n_inner; j++)
        note_operands (b, part->inner[j], inputs);
      for (guint j = 0; j < part->fix->n; j++)
        note_operand (b, part->fix->bodies[j], inputs);
    }
  group->n_inputs = inputs->len;
  group->inputs = rsp_arena_copy (b->arena, inputs->data, sizeof (guint) * inputs->len);
}

static void
prepare_groups (RspBounds *b, const guint8 *marks)
{
  for (guint i = 0; i < b->n_groups; i++)
    if (b->groups[i].lead != G_MAXUINT)
      find_inner (b, i, marks);
  for (guint i = 0; i < b->n_groups; i++)
    if (b->groups[i].first != G_MAXUINT)
      find_inputs (b, i);
}

static void
make_groups (RspBounds *b, const guint8 *marks)
{
  const RspDag *dag = b->model->dag;
  b->n_groups = dag->groups->len;
  b->groups = rsp_arena_new0 (b->arena, Group, b->n_groups);
  for (guint i = 0; i < b->n_groups; i++)
    {
      Group *group = &b->groups[i];
      group->fix = &g_array_index (dag->groups, RspFix, i);
      group->first = group->outer = group->lead = G_MAXUINT;
      group->members = rsp_arena_new0 (b->arena, guint, group->fix->n);
      for (guint j = 0; j < group->fix->n; j++)
        group->members[j] = G_MAXUINT;
    }
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    {
      const RspNode *node = rsp_dag_node (dag, id);
      if (!marks[id] || node->op != RSP_NODE_FIX)
        continue;
      Group *group = &b->groups[node->index];
      group->lead = MIN (group->lead, id);
      group->outer = node->group ? node->group - 1 : G_MAXUINT;
    }
}

/* ---- Nodes ---- */

static guint
leaf_node (const RspNode *node)
{
  switch (node->op)
    {
    case RSP_NODE_RF:
      return 2 * RSP_LEAF_RF;
    case RSP_NODE_CO:
      return 2 * RSP_LEAF_CO;
    default:
      return 2 * (RSP_LEAF_ORDER + node->index);
    }
}

static void
add_constant (RspBounds *b, const RspNode *source)
{
  Node *node = add_node (b, RSP_NODE_CONSTANT, source->is_set ? 1 : b->n);
  for (int p = LO; p <= HI; p++)
    memcpy (node->side[p].bits, source->constant->bits, sizeof (guint64) * node->rows * b->words);
}

static void
add_operator (RspBounds *b, RspNodeId id)
{
  const RspNode *source = rsp_dag_node (b->model->dag, id);
  Node *node = add_node (b, source->op, source->is_set ? 1 : b->n);
  if (has_first_operand (source->op))
    node->a = b->node_of[source->a];
  if (has_second_operand (source->op))
    node->b = b->node_of[source->b];
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

/* Gives a DAG node, whose operands have theirs, its node here. */
static void
add_dag_node (RspBounds *b, RspNodeId id)
{
  const RspNode *source = rsp_dag_node (b->model->dag, id);
  if (source->op == RSP_NODE_RF || source->op == RSP_NODE_CO || source->op == RSP_NODE_ORDER)
    b->node_of[id] = leaf_node (source);
  else if (source->op == RSP_NODE_INVERSE && b->nodes[b->node_of[source->a]].op == NODE_LEAF)
    b->node_of[id] = b->node_of[source->a] ^ 1;
  else
    {
      b->node_of[id] = b->n_nodes;
      if (source->op == RSP_NODE_CONSTANT)
        add_constant (b, source);
      else
        add_operator (b, id);
    }
}

/* Both bounds of every node with nothing decided. */
static void
evaluate_root (RspBounds *b)
{
  for (guint i = 2 * b->n_leaves; i < b->n_nodes && !bounds_is_exhausted (b); i++)
    {
      Node *node = &b->nodes[i];
      if (node->op == RSP_NODE_CONSTANT)
        continue;
      b->ops->evaluate (b, node);
      gsize size = sizeof (guint64) * node->rows * b->words;
      node->dynamic = node->op == RSP_NODE_FIX
                      || memcmp (node->side[LO].bits, node->side[HI].bits, size) != 0;
    }
  b->ops->forget (b);
  b->n_trail = 0;
}

/* ---- Axioms ---- */

static void
mark_needs (const RspBounds *b, guint index, guint8 *needs)
{
  if (needs[index])
    return;
  needs[index] = TRUE;
  const Node *node = &b->nodes[index];
  if (node->op == RSP_NODE_FIX)
    {
      const Group *group = &b->groups[node->group];
      needs[group->first] = TRUE;
      for (guint i = 0; i < group->n_inputs; i++)
        mark_needs (b, group->inputs[i], needs);
    }
  if (has_first_operand (node->op))
    mark_needs (b, node->a, needs);
  if (has_second_operand (node->op))
    mark_needs (b, node->b, needs);
}

static void
find_needed (RspBounds *b)
{
  memset (b->needed, 0, b->n_nodes);
  for (guint i = 0; i < b->n_axioms; i++)
    {
      const AxiomState *axiom = &b->axioms[i];
      if (axiom->truth != RSP_OPEN || axiom->dropped)
        continue;
      for (guint j = 0; j < b->n_nodes; j++)
        b->needed[j] |= axiom->needs[j];
    }
}

static void
change_axiom (RspBounds *b, guint index, RspTruth truth, gboolean dropped)
{
  AxiomState *axiom = &b->axioms[index];
  AxiomChange change = { .axiom = index, .truth = axiom->truth, .dropped = axiom->dropped };
  g_array_append_val (b->axiom_trail, change);
  axiom->truth = truth;
  axiom->dropped = dropped;
}

/* The DAG node whose pairs an axiom forbids: of acyclic r, the closure of r. */
static RspNodeId
axiom_root (const RspStagedModel *model, const RspStagedAxiom *axiom)
{
  return rsp_axiom_form (axiom->kind)->closed
             ? rsp_dag_unary (model->dag, RSP_NODE_PLUS, axiom->node)
             : axiom->node;
}

static void
prepare_axioms (RspBounds *b, const RspNodeId *roots)
{
  b->needed = rsp_arena_new0 (b->arena, guint8, b->n_nodes);
  for (guint i = 0; i < b->n_axioms; i++)
    {
      AxiomState *axiom = &b->axioms[i];
      axiom->axiom = &b->model->axioms[i];
      axiom->diagonal = rsp_axiom_form (axiom->axiom->kind)->reflexive;
      axiom->node = b->node_of[roots[i]];
      axiom->needs = rsp_arena_new0 (b->arena, guint8, b->n_nodes);
      mark_needs (b, axiom->node, axiom->needs);
      axiom->truth = b->ops->truth (b, axiom);
    }
  find_needed (b);
}

void
bounds_lengthen_trail (RspBounds *b)
{
  b->trail_room = 2 * b->trail_room + (gsize) 1024 * (b->words + 1);
  b->trail = g_renew (guint64, b->trail, b->trail_room);
}

/* ---- Making one ---- */

static RspBounds *
allocate (const RspStagedModel *model, RspArena *arena)
{
  const RspDag *dag = model->dag;
  RspBounds *b = g_new0 (RspBounds, 1);
  b->model = model;
  b->arena = arena;
  b->n = dag->n;
  b->words = rsp_words_for (dag->n);
  b->ops = ops_for (b->words);
  b->axiom_trail = g_array_new (FALSE, FALSE, sizeof (AxiomChange));
  b->marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  b->table = rsp_arena_new0 (arena, guint64, b->n * b->words);
  b->nodes = rsp_arena_new0 (arena, Node, dag->nodes->len + 2 * (2 + model->n_orders));
  b->touched = rsp_arena_new0 (arena, Side *, 2 * (dag->nodes->len + 2 * (2 + model->n_orders)));
  b->node_of = rsp_arena_new0 (arena, guint, dag->nodes->len);
  b->inner_of = rsp_arena_new0 (arena, guint, dag->nodes->len);
  b->n_axioms = model->n_axioms;
  b->axioms = rsp_arena_new0 (arena, AxiomState, model->n_axioms);
  return b;
}

RspBounds *
rsp_bounds_new (const RspStagedModel *model, const RspMatrix *rf, const RspMatrix *co,
                RspArena *arena)
{
  g_autofree RspNodeId *roots = g_new (RspNodeId, model->n_axioms);
  for (guint i = 0; i < model->n_axioms; i++)
    roots[i] = axiom_root (model, &model->axioms[i]);
  const RspDag *dag = model->dag;
  g_autofree guint8 *marks = g_malloc0 (dag->nodes->len + 1);
  for (guint i = 0; i < model->n_axioms; i++)
    mark_needed (dag, roots[i], marks);
  RspBounds *b = allocate (model, arena);
  add_leaves (b, rf, co);
  make_groups (b, marks);
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    if (marks[id] && rsp_dag_node (dag, id)->group == 0)
      {
        rsp_budget_limit_part (dag->budget, rsp_arena_size (arena));
        if (rsp_budget_is_exhausted (dag->budget))
          break;
        add_dag_node (b, id);
      }
  if (rsp_budget_is_exhausted (dag->budget))
    {
      rsp_bounds_free (b);
      return NULL;
    }
  prepare_groups (b, marks);
  evaluate_root (b);
  prepare_axioms (b, roots);
  return b;
}

void
rsp_bounds_free (RspBounds *b)
{
  if (!b)
    return;
  g_free (b->trail);
  g_array_unref (b->axiom_trail);
  g_array_unref (b->marks);
  g_free (b);
}

/* ---- Base relations ---- */

static const guint64 *
leaf_row (const RspBounds *b, guint node, int side, guint row)
{
  return b->nodes[node].side[side].bits + (gsize) row * b->words;
}

const guint64 *
rsp_bounds_lo (const RspBounds *b, guint leaf, guint row)
{
  return leaf_row (b, 2 * leaf, LO, row);
}

const guint64 *
rsp_bounds_hi (const RspBounds *b, guint leaf, guint row)
{
  return leaf_row (b, 2 * leaf, HI, row);
}

const guint64 *
rsp_bounds_inverse_lo (const RspBounds *b, guint leaf, guint row)
{
  return leaf_row (b, 2 * leaf + 1, LO, row);
}

const guint64 *
rsp_bounds_inverse_hi (const RspBounds *b, guint leaf, guint row)
{
  return leaf_row (b, 2 * leaf + 1, HI, row);
}

static void
set_pair (RspBounds *b, guint leaf, int side, guint x, guint y, gboolean value)
{
  b->ops->set (b, &b->nodes[(gsize) 2 * leaf], side, x, y, value);
  b->ops->set (b, &b->nodes[2 * leaf + 1], side, y, x, value);
}

static inline gboolean
is_in (const RspBounds *b, guint leaf, int side, guint x, guint y)
{
  return (leaf_row (b, 2 * leaf, side, x)[y / 64] >> (y % 64)) & 1;
}

void
rsp_bounds_decide (RspBounds *b, guint leaf, guint x, guint y)
{
  RSP_CONTRACT (is_in (b, leaf, HI, x, y));
  set_pair (b, leaf, LO, x, y, TRUE);
}

void
rsp_bounds_exclude (RspBounds *b, guint leaf, guint x, guint y)
{
  RSP_CONTRACT (!is_in (b, leaf, LO, x, y));
  set_pair (b, leaf, HI, x, y, FALSE);
}

/* ---- Levels ---- */

void
rsp_bounds_push (RspBounds *b)
{
  Mark mark = { .rows = b->n_trail, .axioms = b->axiom_trail->len };
  g_array_append_val (b->marks, mark);
}

void
rsp_bounds_pop (RspBounds *b)
{
  RSP_CONTRACT (b->marks->len > 0);
  Mark mark = g_array_index (b->marks, Mark, b->marks->len - 1);
  g_array_set_size (b->marks, b->marks->len - 1);
  b->ops->forget (b);
  b->ops->undo (b, mark.rows);
  if (b->axiom_trail->len == mark.axioms)
    return;
  while (b->axiom_trail->len > mark.axioms)
    {
      AxiomChange change = g_array_index (b->axiom_trail, AxiomChange, b->axiom_trail->len - 1);
      g_array_set_size (b->axiom_trail, b->axiom_trail->len - 1);
      b->axioms[change.axiom].truth = change.truth;
      b->axioms[change.axiom].dropped = change.dropped;
    }
  find_needed (b);
}

static gboolean
breaks (const AxiomState *axiom)
{
  return axiom->truth == RSP_FAILS && axiom->axiom->role == RSPCHECK_ROLE_AXIOM;
}

/* Is every node's lower bound within its upper one? */
static inline gboolean
lo_within_hi (const RspBounds *b)
{
  for (guint i = 0; i < b->n_nodes; i++)
    {
      const Node *node = &b->nodes[i];
      for (gsize k = 0; (i < 2 * b->n_leaves || (b->needed[i] && node->dynamic))
                        && k < (gsize) node->rows * b->words;
           k++)
        if (node->side[LO].bits[k] & ~node->side[HI].bits[k])
          return FALSE;
    }
  return TRUE;
}

gboolean
rsp_bounds_update (RspBounds *b)
{
  if (!b->ops->update (b))
    return FALSE;
  RSP_CONTRACT (lo_within_hi (b));
  gboolean settled = FALSE, possible = TRUE;
  for (guint i = 0; i < b->n_axioms && possible; i++)
    {
      const AxiomState *axiom = &b->axioms[i];
      if (axiom->truth == RSP_OPEN && !axiom->dropped)
        {
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

guint
rsp_bounds_broken (const RspBounds *b)
{
  return b->broken;
}

RspTruth
rsp_bounds_axiom (const RspBounds *b, guint axiom)
{
  return b->axioms[axiom].truth;
}

gboolean
rsp_bounds_is_followed (const RspBounds *b, guint axiom)
{
  return b->axioms[axiom].truth == RSP_OPEN && !b->axioms[axiom].dropped;
}

void
rsp_bounds_drop (RspBounds *b, guint axiom)
{
  if (b->axioms[axiom].dropped || b->axioms[axiom].truth != RSP_OPEN)
    return;
  change_axiom (b, axiom, RSP_OPEN, TRUE);
  find_needed (b);
}

void
rsp_bounds_force (RspBounds *b, GArray *forced)
{
  for (guint i = 0; i < b->n_axioms; i++)
    b->ops->start (b, &b->axioms[i]);
  b->ops->force (b, forced);
}

void
rsp_bounds_force_by (RspBounds *b, guint axiom, GArray *forced)
{
  b->ops->start (b, &b->axioms[axiom]);
  b->ops->force (b, forced);
}

RspHash
rsp_bounds_key (RspBounds *b)
{
  return b->ops->key (b);
}
