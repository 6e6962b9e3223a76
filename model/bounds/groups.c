/* Recursive groups: which nodes are inside them, and what they use from outside. */
#include "model/bounds/groups.h"

void bounds_make_groups (RspBounds *b, const guint8 *marks) {
  const RspDag *dag = b->dag;
  b->n_groups = dag->groups->len;
  b->groups = rsp_arena_new0 (b->arena, Group, b->n_groups);
  for (guint i = 0; i < b->n_groups; i++) {
    Group *group = &b->groups[i];
    group->fix = &g_array_index (dag->groups, RspFix, i);
    group->first = group->outer = group->lead = G_MAXUINT;
    group->members = rsp_arena_new0 (b->arena, guint, group->fix->n);
    for (guint j = 0; j < group->fix->n; j++)
      group->members[j] = G_MAXUINT;
  }
  for (RspNodeId id = 0; id < dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (dag, id);
    if (!marks[id] || node->op != RSP_NODE_FIX)
      continue;
    Group *group = &b->groups[node->index];
    group->lead = MIN (group->lead, id);
    group->outer = node->group ? node->group - 1 : G_MAXUINT;
  }
}

/* ---- Inside and outside ---- */

static void add_input (GArray *inputs, guint node) {
  for (guint i = 0; i < inputs->len; i++)
    if (g_array_index (inputs, guint, i) == node)
      return;
  g_array_append_val (inputs, node);
}

static void note_operand (const RspBounds *b, RspNodeId id, GArray *inputs) {
  const RspNode *node = rsp_dag_node (b->dag, id);
  if (node->group == 0 && node->op != RSP_NODE_CONSTANT)
    add_input (inputs, b->node_of[id]);
}

static void note_operands (const RspBounds *b, RspNodeId id, GArray *inputs) {
  const RspNode *node = rsp_dag_node (b->dag, id);
  if (rsp_node_arity (node->op) >= 1)
    note_operand (b, node->a, inputs);
  if (rsp_node_arity (node->op) == 2)
    note_operand (b, node->b, inputs);
}

/* Finds the inside of a group: what depends on its variables. */
static void find_inner (RspBounds *b, guint index, const guint8 *marks) {
  const RspDag *dag = b->dag;
  Group *group = &b->groups[index];
  g_autoptr (GArray) inner = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    if (marks[id] && rsp_dag_node (dag, id)->group == index + 1) {
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

static guint outermost (const RspBounds *b, guint index) {
  while (b->groups[index].outer != G_MAXUINT)
    index = b->groups[index].outer;
  return index;
}

/* Finds what a group and those inside it use from outside. */
static void find_inputs (RspBounds *b, guint index) {
  Group *group = &b->groups[index];
  g_autoptr (GArray) inputs = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < b->n_groups; i++) {
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

void bounds_connect_groups (RspBounds *b, const guint8 *marks) {
  for (guint i = 0; i < b->n_groups; i++)
    if (b->groups[i].lead != G_MAXUINT)
      find_inner (b, i, marks);
  for (guint i = 0; i < b->n_groups; i++)
    if (b->groups[i].first != G_MAXUINT)
      find_inputs (b, i);
}
