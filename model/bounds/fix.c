/* Recursive groups on bounds. A monotone group's least fixpoint is iterated on each side from the
 * same side of its inputs (the other side under the right of a difference). Any other group is
 * known only when all its inputs are: until then it is between nothing and everything. */
#include "model/bounds/state.h"

static const RspMatrix *value_of (const RspBounds *b, const Group *group, RspNodeId id, int side,
                                  RspMatrix *view);

static guint
inner_index (const Group *group, RspNodeId id)
{
  for (guint i = 0; i < group->n_inner; i++)
    if (group->inner[i] == id)
      return i;
  return G_MAXUINT;
}

/* The value of a DAG node during the iteration: inside the group the scratch value, outside a view
 * of its bound. */
static const RspMatrix *
value_of (const RspBounds *b, const Group *group, RspNodeId id, int side, RspMatrix *view)
{
  guint inner = inner_index (group, id);
  if (inner != G_MAXUINT)
    return group->value[inner];
  const RspNode *outside = rsp_dag_node (b->model->dag, id);
  if (outside->op == RSP_NODE_CONSTANT)
    return outside->constant;
  const Node *node = &b->nodes[b->node_of[id]];
  *view = (RspMatrix){
    .n = b->n, .rows = node->rows, .words = b->words, .bits = node->side[side].bits
  };
  return view;
}

static void
apply (const RspBounds *b, const Group *group, guint inner, int side)
{
  const RspNode *node = rsp_dag_node (b->model->dag, group->inner[inner]);
  RspMatrix *out = group->value[inner];
  RspMatrix view_a, view_b;
  if (node->op == RSP_NODE_VARIABLE)
    return;
  const RspMatrix *x = value_of (b, group, node->a, side, &view_a);
  const RspMatrix *y = NULL;
  if (node->op == RSP_NODE_UNION || node->op == RSP_NODE_INTER || node->op == RSP_NODE_SEQ
      || node->op == RSP_NODE_PRODUCT)
    y = value_of (b, group, node->b, side, &view_b);
  else if (node->op == RSP_NODE_DIFF)
    y = value_of (b, group, node->b, 1 - side, &view_b);
  switch (node->op)
    {
    case RSP_NODE_UNION:
      rsp_matrix_union (out, x, y);
      break;
    case RSP_NODE_INTER:
      rsp_matrix_intersect (out, x, y);
      break;
    case RSP_NODE_DIFF:
      rsp_matrix_difference (out, x, y);
      break;
    case RSP_NODE_SEQ:
      rsp_relation_compose (out, x, y);
      break;
    case RSP_NODE_PRODUCT:
      rsp_relation_product (out, x, y);
      break;
    case RSP_NODE_INVERSE:
      rsp_relation_inverse (out, x);
      break;
    case RSP_NODE_IDENTITY:
      rsp_relation_identity (out, x);
      break;
    case RSP_NODE_DOMAIN:
      rsp_relation_domain (out, x);
      break;
    case RSP_NODE_PLUS:
      rsp_matrix_assign (out, x);
      rsp_relation_close (out);
      break;
    default:
      g_assert_not_reached ();
    }
}

static gboolean
inputs_known (const RspBounds *b, const Group *group)
{
  for (guint i = 0; i < group->n_inputs; i++)
    {
      const Node *node = &b->nodes[group->inputs[i]];
      gsize words = (gsize)node->rows * b->words;
      for (gsize j = 0; j < words; j++)
        if (node->side[LO].bits[j] != node->side[HI].bits[j])
          return FALSE;
    }
  return TRUE;
}

const RspMatrix *
rsp_bounds_group_value (const RspBounds *b, const Group *group, guint member)
{
  (void)b;
  guint inner = inner_index (group, group->fix->variables[member]);
  return group->value[inner];
}

/* One round: every inner node, then the variables take their bodies' values. TRUE when none
 * changed. */
static gboolean
iterate_once (RspBounds *b, Group *group, int side)
{
  const RspFix *fix = group->fix;
  for (guint i = 0; i < group->n_inner; i++)
    apply (b, group, i, side);
  gboolean stable = TRUE;
  for (guint i = 0; i < fix->n; i++)
    {
      RspMatrix view;
      RspMatrix *variable = group->value[inner_index (group, fix->variables[i])];
      const RspMatrix *body = value_of (b, group, fix->bodies[i], side, &view);
      if (!rsp_matrix_equal (variable, body))
        {
          rsp_matrix_assign (variable, body);
          stable = FALSE;
        }
    }
  return stable;
}

gboolean
rsp_bounds_iterate_group (RspBounds *b, Group *group, int side)
{
  const RspFix *fix = group->fix;
  for (guint i = 0; i < fix->n; i++)
    rsp_matrix_clear (group->value[inner_index (group, fix->variables[i])]);
  if (!fix->monotone && !inputs_known (b, group))
    {
      for (guint i = 0; side == HI && i < fix->n; i++)
        rsp_matrix_fill (group->value[inner_index (group, fix->variables[i])]);
      return TRUE;
    }
  /* A monotone group grows by a pair a round at least; any other may never settle. */
  gsize limit = (gsize)b->n * b->n * fix->n + 2;
  for (gsize round = 0; round < limit; round++)
    if (iterate_once (b, group, side) || rsp_budget_is_over (b->model->dag->budget))
      return TRUE;
  b->diverged = TRUE;
  return TRUE;
}
