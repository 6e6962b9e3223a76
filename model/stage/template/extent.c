/* Extents: what each node of a template contains at least and at most. Most base sets of a small test are empty, and with them
 * much of a model; much else follows from reads with one candidate, and from writes that are the only ones of their
 * locations. */
#include "model/stage/template/extent.h"
#include "model/dag/private.h"

enum
{
  NODES_AT_ONCE = 256 /* nodes between checks of the budget */
};

typedef struct Extents
{
  const RspDag *from;
  const RspBase *base;
  const RspStageOptions *options;
  const RspStagedOrder *orders;
  RspDag *dag; /* of the base: its constants serve here, too */
  RspExtent *of;
  RspMatrix *room[2]; /* by is_set: where the next value is computed */
} Extents;

/* ---- Leaves ---- */

static const RspMatrix *
none (const Extents *x, gboolean is_set)
{
  return rsp_dag_value (x->dag, x->dag->empty[is_set]);
}

static const RspMatrix *
all (const Extents *x, gboolean is_set)
{
  return rsp_dag_value (x->dag, x->dag->universe[is_set]);
}

/* There is only one empty matrix of each kind. */
static const RspMatrix *
unless_empty (const Extents *x, gboolean is_set, const RspMatrix *value)
{
  return value && !rsp_matrix_is_empty (value) ? value : none (x, is_set);
}

static RspExtent
known (const RspMatrix *value)
{
  return (RspExtent){ value, value };
}

static RspExtent
extent_of_constant (const Extents *x, RspNodeId id)
{
  gboolean is_set = rsp_dag_node (x->from, id)->is_set;
  if (id == x->from->empty[is_set])
    return known (none (x, is_set));
  if (id == x->from->universe[is_set])
    return known (all (x, is_set));
  if (id == x->from->identity)
    return known (rsp_dag_value (x->dag, x->dag->identity));
  return (RspExtent){ none (x, is_set), all (x, is_set) };
}

static RspExtent
extent_of_base (const Extents *x, const RspNode *node)
{
  guint index = node->index;
  if (node->is_set && x->base->open[index])
    return (RspExtent){ none (x, TRUE), all (x, TRUE) };
  return known (unless_empty (x, node->is_set,
                              node->is_set ? x->base->sets[index]
                                           : x->base->relations[index - RSP_N_BASE_SETS]));
}

static RspExtent
extent_of_choice (const Extents *x, const RspExtent *extent)
{
  if (!extent)
    return (RspExtent){ none (x, FALSE), all (x, FALSE) };
  const RspMatrix *most = unless_empty (x, FALSE, extent->most);
  if (rsp_matrix_equal (extent->least, most))
    return known (most);
  return (RspExtent){ unless_empty (x, FALSE, extent->least), most };
}

static RspExtent
extent_of_order (const Extents *x, guint index)
{
  const RspMatrix *set = x->orders[index].set;
  return rsp_matrix_count (set) > 1 ? extent_of_choice (x, NULL) : known (none (x, FALSE));
}

static RspExtent
extent_of_leaf (const Extents *x, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (x->from, id);
  switch (node->op)
    {
    case RSP_NODE_CONSTANT:
      return extent_of_constant (x, id);
    case RSP_NODE_OPEN:
      return extent_of_base (x, node);
    case RSP_NODE_RF:
      return extent_of_choice (x, x->options ? x->options->rf : NULL);
    case RSP_NODE_CO:
      return extent_of_choice (x, x->options ? x->options->co : NULL);
    case RSP_NODE_ORDER:
      return extent_of_order (x, node->index);
    default: /* VARIABLE, FIX */
      return (RspExtent){ none (x, node->is_set), all (x, node->is_set) };
    }
}

/* ---- What is needed ---- */

/* empty: of the nodes before it. */
static gboolean
is_empty (const Extents *x, RspNodeId id, const guint8 *empty)
{
  const RspNode *node = rsp_dag_node (x->from, id);
  switch (node->op)
    {
    case RSP_NODE_UNION:
      return empty[node->a] && empty[node->b];
    case RSP_NODE_INTER:
    case RSP_NODE_SEQ:
    case RSP_NODE_PRODUCT:
      return empty[node->a] || empty[node->b];
    case RSP_NODE_DIFF:
    case RSP_NODE_INVERSE:
    case RSP_NODE_PLUS:
    case RSP_NODE_IDENTITY:
    case RSP_NODE_DOMAIN:
      return empty[node->a];
    default:
      x->of[id] = extent_of_leaf (x, id);
      return x->of[id].most == none (x, node->is_set);
    }
}

void
template_need_operands (const RspDag *from, const RspNode *node, guint8 *needed)
{
  guint arity = rsp_node_arity (node->op);
  if (arity >= 1)
    needed[node->a] = TRUE;
  if (arity == 2)
    needed[node->b] = TRUE;
  if (node->op != RSP_NODE_FIX)
    return;
  const RspFix *fix = &g_array_index (from->groups, RspFix, node->index);
  for (guint i = 0; i < fix->n; i++)
    needed[fix->bodies[i]] = needed[fix->variables[i]] = TRUE;
}

/* Marks nodes whose extents are to be computed from others', and finds the extents of leaves and of empty nodes. */
static const guint8 *
find_needed (Extents *x, const guint8 *roots, RspArena *arena)
{
  guint n = x->from->nodes->len;
  guint8 *empty = rsp_arena_new0 (arena, guint8, n), *needed = rsp_arena_copy (arena, roots, n);
  for (RspNodeId id = 0; id < n; id++)
    empty[id] = (guint8) is_empty (x, id, empty);
  for (RspNodeId id = n; id-- > 0;)
    if (needed[id])
      {
        const RspNode *node = rsp_dag_node (x->from, id);
        if (empty[id])
          x->of[id] = known (none (x, node->is_set));
        else
          template_need_operands (x->from, node, needed);
        needed[id] = !x->of[id].most;
      }
  return needed;
}

/* ---- Operators ---- */

static const RspMatrix *
compute (Extents *x, const RspNode *node, const RspMatrix *a, const RspMatrix *b)
{
  RspMatrix **room = &x->room[node->is_set];
  if (!*room)
    *room = rsp_dag_matrix (x->dag, node->is_set);
  rsp_node_compute (node->op, *room, a, b);
  if (rsp_matrix_is_empty (*room))
    return none (x, node->is_set);
  return g_steal_pointer (room);
}

/* b: of unary operators, any. */
static const RspMatrix *
apply (Extents *x, const RspNode *node, const RspMatrix *a, const RspMatrix *b)
{
  const RspDag *from = x->from;
  const RspMatrix *nothing = none (x, rsp_dag_node (from, node->a)->is_set);
  switch (node->op)
    {
    case RSP_NODE_UNION:
      return a == nothing ? b : b == nothing ? a : compute (x, node, a, b);
    case RSP_NODE_DIFF:
      return a == nothing || b == nothing ? a : compute (x, node, a, b);
    case RSP_NODE_INTER:
    case RSP_NODE_SEQ:
    case RSP_NODE_PRODUCT:
      return a == nothing || b == nothing ? none (x, node->is_set) : compute (x, node, a, b);
    default:
      return a == nothing ? none (x, node->is_set) : compute (x, node, a, NULL);
    }
}

static RspExtent
extent_of_operator (Extents *x, const RspNode *node)
{
  gboolean is_binary = rsp_node_arity (node->op) == 2, falls = node->op == RSP_NODE_DIFF;
  const RspExtent *a = &x->of[node->a], *b = is_binary ? &x->of[node->b] : a;
  const RspMatrix *most = apply (x, node, a->most, falls ? b->least : b->most);
  if ((extent_is_known (a) && extent_is_known (b)) || most == none (x, node->is_set))
    return known (most);
  const RspMatrix *least = apply (x, node, a->least, falls ? b->most : b->least);
  return rsp_matrix_equal (least, most) ? known (most) : (RspExtent){ least, most };
}

const RspExtent *
template_find_extents (const RspDag *from, const guint8 *roots, const RspBase *base,
                      const RspStageOptions *options, const RspStagedOrder *orders, RspDag *dag)
{
  guint n = from->nodes->len;
  Extents x = { .from = from, .base = base, .options = options, .orders = orders, .dag = dag };
  x.of = rsp_arena_new0 (dag->arena, RspExtent, n);
  const guint8 *needed = find_needed (&x, roots, dag->arena);
  for (RspNodeId id = 0; id < n; id++)
    {
      if (needed[id])
        x.of[id] = extent_of_operator (&x, rsp_dag_node (from, id));
      if (id % NODES_AT_ONCE == NODES_AT_ONCE - 1 && rsp_budget_is_exhausted (dag->budget))
        break;
    }
  return x.of;
}
