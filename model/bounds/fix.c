/* Recursive groups on bounds. A monotone group's least fixpoint is iterated on each side from the
 * same side of its inputs (the other side below the right operand of a difference). Any other group
 * is known only when all its inputs are; until then it lies between nothing and everything. A group
 * inside another is iterated from empty in each round of the outer one, as in the naive engine. */
#include "model/dag/cycle.h"
#include "model/bounds/fix.h"
#include "model/dag/private.h"

static gboolean iterate (RspBounds *b, const Group *group, int side);

/* The value of a DAG node during the iteration: the scratch value if it is inside a group,
 * otherwise a view of its bound. */
static const RspMatrix *value_of (const RspBounds *b, RspNodeId id, int side, RspMatrix *view) {
  const RspNode *source = rsp_dag_node (b->dag, id);
  if (source->op == RSP_NODE_CONSTANT)
    return source->constant;
  if (source->group)
    return b->groups[source->group - 1].value[b->inner_of[id]];
  const Node *node = &b->nodes[b->node_of[id]];
  *view = (RspMatrix){
    .n = b->n, .rows = node->rows, .words = b->words, .bits = node->side[side].bits
  };
  return view;
}

static RspMatrix *variable_of (const RspBounds *b, const Group *group, guint member) {
  return group->value[b->inner_of[group->fix->variables[member]]];
}

/* Computes one side of a node's bounds from the present values of its operands. */
static void apply (RspBounds *b, const Group *group, guint inner, int side) {
  const RspNode *node = rsp_dag_node (b->dag, group->inner[inner]);
  RspMatrix *out = group->value[inner];
  RspMatrix view_a, view_b;
  if (node->op == RSP_NODE_VARIABLE)
    return;
  if (node->op == RSP_NODE_FIX) {
    const Group *deeper = &b->groups[node->index];
    if (group->inner[inner] == deeper->lead)
      iterate (b, deeper, side);
    rsp_matrix_assign (out, variable_of (b, deeper, node->b));
    return;
  }
  const RspMatrix *x = value_of (b, node->a, side, &view_a);
  const RspMatrix *y = NULL;
  if (node->op == RSP_NODE_UNION || node->op == RSP_NODE_INTER || node->op == RSP_NODE_SEQ
      || node->op == RSP_NODE_PRODUCT)
    y = value_of (b, node->b, side, &view_b);
  else if (node->op == RSP_NODE_DIFF)
    y = value_of (b, node->b, 1 - side, &view_b);
  rsp_node_compute (node->op, out, x, y);
}

static gboolean inputs_known (const RspBounds *b, const Group *group) {
  for (guint i = 0; i < group->n_inputs; i++) {
    const Node *node = &b->nodes[group->inputs[i]];
    gsize words = (gsize) node->rows * b->words;
    for (gsize j = 0; j < words; j++)
      if (node->side[LO].bits[j] != node->side[HI].bits[j])
        return FALSE;
  }
  return TRUE;
}

const RspMatrix *bounds_group_value (const RspBounds *b, const Group *group, guint member) {
  return variable_of (b, group, member);
}

/* One round: evaluates every inner node, then gives the variables their bodies' values. TRUE if
 * none changed. */
static gboolean iterate_once (RspBounds *b, const Group *group, int side) {
  const RspFix *fix = group->fix;
  for (guint i = 0; i < group->n_inner; i++)
    apply (b, group, i, side);
  gboolean stable = TRUE;
  for (guint i = 0; i < fix->n; i++) {
    RspMatrix view;
    RspMatrix *variable = variable_of (b, group, i);
    const RspMatrix *body = value_of (b, fix->bodies[i], side, &view);
    if (!rsp_matrix_equal (variable, body)) {
      rsp_matrix_assign (variable, body);
      stable = FALSE;
    }
  }
  return stable;
}

/* Iterates from empty until nothing changes. FALSE if that never happens or the budget is
 * exhausted. A monotone group grows by at least one pair per round; any other may never settle. */
static gboolean iterate (RspBounds *b, const Group *group, int side) {
  const RspFix *fix = group->fix;
  RspMatrix *variables[fix->n];
  RspCycle cycle = { 0 };
  gboolean stable = FALSE;
  for (guint i = 0; i < fix->n; i++) {
    variables[i] = variable_of (b, group, i);
    rsp_matrix_clear (variables[i]);
  }
  while (!stable && !rsp_dag_diverged (b->dag) && !rsp_budget_is_exhausted (b->dag->budget)) {
    stable = iterate_once (b, group, side);
    if (!stable && !fix->monotone && rsp_cycle_closes (&cycle, variables, fix->n))
      rsp_dag_diverge (b->dag, fix);
  }
  rsp_cycle_clear (&cycle);
  return stable;
}

void bounds_iterate_group (RspBounds *b, const Group *group, int side) {
  const RspFix *fix = group->fix;
  if (fix->monotone || inputs_known (b, group)) {
    iterate (b, group, side);
    return;
  }
  for (guint i = 0; i < fix->n; i++)
    if (side == HI)
      rsp_matrix_fill (variable_of (b, group, i));
    else
      rsp_matrix_clear (variable_of (b, group, i));
}
