/* Extents: what each node of a template contains at least and at most. Most base sets of a small
 * test are empty, and with them much of a model; much else follows from reads with one candidate,
 * and from writes that are the only ones of their locations. */
#include "model/stage/template/extent.h"
#include "model/dag/private.h"

enum {
  NODES_AT_ONCE = 256 /* nodes between checks of the budget */
};

typedef struct Extents {
  const RspDag *from;
  const RspBase *base;
  const RspStageOptions *options;
  const RspStagedOrder *orders;
  RspDag *dag;                       /* of the base: its constants serve here, too */
  const RspMatrix *none[2], *all[2]; /* by is_set */
  RspMatrix *room[2];                /* where the next value is computed */
  RspExtent *of;
} Extents;

/* ---- Leaves ---- */

/* There is only one empty matrix of each kind. */
static const RspMatrix *unless_empty (const Extents *x, gboolean is_set, const RspMatrix *value) {
  return value && !rsp_matrix_is_empty (value) ? value : x->none[is_set];
}

static RspExtent known (const RspMatrix *value) { return (RspExtent){ value, value }; }

static RspExtent extent_of_constant (const Extents *x, RspNodeId id) {
  gboolean is_set = rsp_dag_node (x->from, id)->is_set;
  if (id == x->from->empty[is_set])
    return known (x->none[is_set]);
  if (id == x->from->universe[is_set])
    return known (x->all[is_set]);
  if (id == x->from->identity)
    return known (rsp_dag_value (x->dag, x->dag->identity));
  return (RspExtent){ x->none[is_set], x->all[is_set] };
}

static RspExtent extent_of_base (const Extents *x, const RspNode *node) {
  guint index = node->index;
  if (node->is_set && x->base->open[index])
    return (RspExtent){ x->none[TRUE], x->all[TRUE] };
  return known (unless_empty (x, node->is_set,
                              node->is_set ? x->base->sets[index]
                                           : x->base->relations[index - RSP_N_BASE_SETS]));
}

static RspExtent extent_of_choice (const Extents *x, const RspExtent *extent) {
  if (!extent)
    return (RspExtent){ x->none[FALSE], x->all[FALSE] };
  const RspMatrix *most = unless_empty (x, FALSE, extent->most);
  if (rsp_matrix_equal (extent->least, most))
    return known (most);
  return (RspExtent){ unless_empty (x, FALSE, extent->least), most };
}

static RspExtent extent_of_order (const Extents *x, guint index) {
  const RspMatrix *set = x->orders[index].set;
  return rsp_matrix_count (set) > 1 ? extent_of_choice (x, NULL) : known (x->none[FALSE]);
}

static RspExtent extent_of_leaf (const Extents *x, RspNodeId id) {
  const RspNode *node = rsp_dag_node (x->from, id);
  switch (node->op) {
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
    return (RspExtent){ x->none[node->is_set], x->all[node->is_set] };
  }
}

/* ---- What is needed ---- */

/* empty: of the nodes before it. */
static gboolean is_empty (const Extents *x, const RspNode *node, RspNodeId id,
                          const guint8 *empty) {
  switch (node->op) {
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
    return x->of[id].most == x->none[node->is_set];
  }
}

void template_need_bodies (const RspDag *from, const RspNode *node, guint8 *needed) {
  const RspFix *fix = &g_array_index (from->groups, RspFix, node->index);
  for (guint i = 0; i < fix->n; i++)
    needed[fix->bodies[i]] = needed[fix->variables[i]] = TRUE;
}

/* Lists the needed nodes, operands last, and finds the extents of leaves. empty: which nodes are.
 */
static guint list_needed (Extents *x, const guint8 *roots, guint8 *empty, RspNodeId *list) {
  guint n = x->from->nodes->len, n_listed = 0;
  const RspNode *nodes = rsp_dag_node (x->from, 0);
  guint8 *needed = rsp_arena_copy (x->dag->arena, roots, n);
  for (RspNodeId id = 0; id < n; id++)
    empty[id] = (guint8) is_empty (x, &nodes[id], id, empty);
  for (RspNodeId id = n; id-- > 0;)
    if (needed[id]) {
      list[n_listed++] = id;
      if (!empty[id])
        template_need_operands (x->from, &nodes[id], needed);
    }
  return n_listed;
}

/* ---- Operators ---- */

static const RspMatrix *compute (Extents *x, const RspNode *node, const RspMatrix *a,
                                 const RspMatrix *b) {
  RspMatrix **room = &x->room[node->is_set];
  if (!*room)
    *room = rsp_matrix_room (x->dag->arena, x->dag->n, node->is_set);
  rsp_node_compute (node->op, *room, a, b);
  if (rsp_matrix_is_empty (*room))
    return x->none[node->is_set];
  return g_steal_pointer (room);
}

/* b: of unary operators, any. */
static const RspMatrix *apply (Extents *x, const RspNode *node, const RspMatrix *a,
                               const RspMatrix *b) {
  const RspDag *from = x->from;
  const RspMatrix *nothing = x->none[rsp_dag_node (from, node->a)->is_set];
  switch (node->op) {
  case RSP_NODE_UNION:
    return a == nothing ? b : b == nothing ? a : compute (x, node, a, b);
  case RSP_NODE_DIFF:
    return a == nothing || b == nothing ? a : compute (x, node, a, b);
  case RSP_NODE_INTER:
  case RSP_NODE_SEQ:
  case RSP_NODE_PRODUCT:
    return a == nothing || b == nothing ? x->none[node->is_set] : compute (x, node, a, b);
  default:
    return a == nothing ? x->none[node->is_set] : compute (x, node, a, NULL);
  }
}

/* Its operands have theirs. */
static RspExtent extent_of_operator (Extents *x, const RspNode *node) {
  gboolean is_binary = rsp_node_arity (node->op) == 2, falls = node->op == RSP_NODE_DIFF;
  const RspExtent *a = &x->of[node->a], *b = is_binary ? &x->of[node->b] : a;
  const RspMatrix *most = apply (x, node, a->most, falls ? b->least : b->most);
  if ((extent_is_known (a) && extent_is_known (b)) || most == x->none[node->is_set])
    return known (most);
  const RspMatrix *least = apply (x, node, a->least, falls ? b->most : b->least);
  return rsp_matrix_equal (least, most) ? known (most) : (RspExtent){ least, most };
}

TemplateExtents template_find_extents (const RspDag *from, const guint8 *roots, const RspBase *base,
                                       const RspStageOptions *options, const RspStagedOrder *orders,
                                       RspDag *dag) {
  guint n = from->nodes->len;
  Extents x = { .from = from, .base = base, .options = options, .orders = orders, .dag = dag };
  for (guint is_set = FALSE; is_set <= TRUE; is_set++) {
    x.none[is_set] = rsp_dag_value (dag, dag->empty[is_set]);
    x.all[is_set] = rsp_dag_value (dag, dag->universe[is_set]);
  }
  x.of = rsp_arena_room (dag->arena, sizeof (RspExtent) * n);
  guint8 *empty = rsp_arena_room (dag->arena, n);
  RspNodeId *list = rsp_arena_room (dag->arena, sizeof (RspNodeId) * n);
  guint n_listed = list_needed (&x, roots, empty, list), n_open = 0;
  RspNodeId *open = rsp_arena_room (dag->arena, sizeof (RspNodeId) * n_listed);
  for (guint i = n_listed; i-- > 0;) {
    RspNodeId id = list[i];
    const RspNode *node = rsp_dag_node (from, id);
    if (empty[id])
      x.of[id] = known (x.none[node->is_set]);
    else if (rsp_node_arity (node->op))
      x.of[id] = extent_of_operator (&x, node);
    if (!extent_is_known (&x.of[id]))
      open[n_open++] = id;
    if (i % NODES_AT_ONCE == NODES_AT_ONCE - 1 && rsp_budget_is_exhausted (dag->budget))
      break;
  }
  return (TemplateExtents){ .of = x.of, .open = open, .n_open = n_open };
}
