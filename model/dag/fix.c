/* Recursive groups: closing them over their bodies. Groups that do not depend on the search become
 * constants, and groups that are a closure in disguise become a PLUS. */
#include "model/dag/fix.h"
#include "model/dag/private.h"
#include "model/dag/valuation.h"

guint rsp_dag_fix_begin (RspDag *dag, guint n, const gboolean *is_set, RspNodeId *variables) {
  guint group = dag->groups->len;
  RspFix fix = { .n = n,
                 .open = TRUE,
                 .variables = rsp_arena_new0 (dag->arena, RspNodeId, n),
                 .bodies = rsp_arena_new0 (dag->arena, RspNodeId, n),
                 .fixes = rsp_arena_new0 (dag->arena, RspNodeId, n) };
  for (guint i = 0; i < n; i++) {
    RspNode node = { .op = RSP_NODE_VARIABLE, .is_set = is_set[i], .index = i, .group = group + 1 };
    variables[i] = fix.variables[i] = rsp_dag_append (dag, &node);
  }
  g_array_append_val (dag->groups, fix);
  return group;
}

/* ---- What a group's bodies depend on ---- */

typedef struct Reach {
  guint8 *needed;    /* nodes below the bodies */
  guint8 *recursive; /* those of them that depend on a variable of the group */
  gboolean recurs, dynamic, monotone;
  guint outer; /* innermost surrounding group that the bodies depend on, + 1; 0: none */
} Reach;

/* Does a fix of another group depend on the group's variables, and how? */
static void look_at_fix (const RspDag *dag, const RspNode *node, Reach *reach, RspNodeId id) {
  const RspFix *fix = &g_array_index (dag->groups, RspFix, node->index);
  for (guint i = 0; i < fix->n; i++)
    reach->recursive[id] |= reach->recursive[fix->bodies[i]];
  if (reach->recursive[id] && !fix->monotone)
    reach->monotone = FALSE;
}

static gboolean is_open (const RspDag *dag, guint group) {
  return g_array_index (dag->groups, RspFix, group).open;
}

static void look_at_node (const RspDag *dag, guint group, Reach *reach, RspNodeId id) {
  const RspNode *node = rsp_dag_node (dag, id);
  guint arity = rsp_node_arity (node->op);
  if (node->op == RSP_NODE_VARIABLE && node->group == group + 1)
    reach->recurs = reach->recursive[id] = TRUE;
  else if (node->op == RSP_NODE_VARIABLE && is_open (dag, node->group - 1))
    reach->outer = MAX (reach->outer, node->group);
  else if (node->op == RSP_NODE_RF || node->op == RSP_NODE_CO || node->op == RSP_NODE_ORDER
           || node->op == RSP_NODE_OPEN)
    reach->dynamic = TRUE;
  else if (node->op == RSP_NODE_FIX)
    look_at_fix (dag, node, reach, id);
  if (arity >= 1)
    reach->recursive[id] |= reach->recursive[node->a];
  if (arity == 2) {
    reach->recursive[id] |= reach->recursive[node->b];
    if (node->op == RSP_NODE_DIFF && reach->recursive[node->b])
      reach->monotone = FALSE;
  }
}

static void look_below (const RspDag *dag, guint group, Reach *reach) {
  const RspFix *fix = &g_array_index (dag->groups, RspFix, group);
  for (guint i = 0; i < fix->n; i++)
    reach->needed[fix->bodies[i]] = TRUE;
  rsp_dag_mark_below (dag, reach->needed);
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    if (reach->needed[id])
      look_at_node (dag, group, reach, id);
}

/* ---- Closures in disguise ---- */

/* v = base | v;right | left;v: the parts found so far. */
typedef struct Linear {
  RspNodeId variable;
  RspNodeId base, left, right;
  gboolean squares; /* v;v */
} Linear;

static gboolean rows_all_equal (const RspMatrix *m) {
  for (guint i = 1; i < m->n; i++)
    for (guint word = 0; word < m->words; word++)
      if (rsp_matrix_row (m, i)[word] != m->bits[word])
        return FALSE;
  return TRUE;
}

static gboolean rows_all_full_or_empty (const RspMatrix *m) {
  for (guint i = 0; i < m->n; i++) {
    guint bits = 0;
    for (guint word = 0; word < m->words; word++)
      bits += (guint) __builtin_popcountll (rsp_matrix_row (m, i)[word]);
    if (bits != 0 && bits != m->n)
      return FALSE;
  }
  return TRUE;
}

static RspNodeId masked (RspDag *dag, RspNodeId mask, RspNodeId x) {
  return rsp_dag_binary (dag, RSP_NODE_INTER, mask, x);
}

static RspNodeId join (RspDag *dag, RspNodeId a, RspNodeId b) {
  return rsp_dag_binary (dag, RSP_NODE_UNION, a, b);
}

/* Adds the term mask & (a;b), in which one or both sides are the variable. */
static gboolean add_sequence (RspDag *dag, const guint8 *recursive, Linear *linear, RspNodeId mask,
                              RspNode seq) {
  const RspMatrix *bits = rsp_dag_value (dag, mask);
  gboolean full = mask == dag->universe[FALSE];
  if (seq.a == linear->variable && seq.b == linear->variable && full)
    linear->squares = TRUE;
  else if (seq.a == linear->variable && !recursive[seq.b] && (full || rows_all_equal (bits)))
    linear->right = join (dag, linear->right, masked (dag, mask, seq.b));
  else if (seq.b == linear->variable && !recursive[seq.a]
           && (full || rows_all_full_or_empty (bits)))
    linear->left = join (dag, linear->left, masked (dag, mask, seq.a));
  else
    return FALSE;
  return TRUE;
}

/* Adds one term of the body's union; FALSE if it has none of the shapes. */
static gboolean add_linear_term (RspDag *dag, const guint8 *recursive, Linear *linear,
                                 RspNodeId id) {
  RspNode node = *rsp_dag_node (dag, id);
  if (!recursive[id])
    linear->base = join (dag, linear->base, id);
  else if (node.op == RSP_NODE_UNION)
    return add_linear_term (dag, recursive, linear, node.a)
           && add_linear_term (dag, recursive, linear, node.b);
  else if (node.op == RSP_NODE_SEQ)
    return add_sequence (dag, recursive, linear, dag->universe[FALSE], node);
  else if (node.op == RSP_NODE_INTER && rsp_dag_is_constant (dag, node.a)) {
    RspNode inner = *rsp_dag_node (dag, node.b);
    if (inner.op == RSP_NODE_SEQ)
      return add_sequence (dag, recursive, linear, node.a, inner);
    return node.b == linear->variable; /* C & v adds nothing to v */
  } else
    return id == linear->variable;
  return TRUE;
}

/* The least v with v = base | v;right | left;v is left*;base;right*, and that with
 * v = base | v;v is base+. FALSE if the group is neither. */
static gboolean solve_linear (RspDag *dag, guint group, const guint8 *recursive,
                              RspNodeId *solution) {
  const RspFix *fix = &g_array_index (dag->groups, RspFix, group);
  RspNodeId body = fix->bodies[0], none = dag->empty[FALSE];
  if (fix->n != 1 || rsp_dag_node (dag, body)->is_set)
    return FALSE;
  Linear linear = { .variable = fix->variables[0], .base = none, .left = none, .right = none };
  if (!add_linear_term (dag, recursive, &linear, body))
    return FALSE;
  if (linear.squares) {
    *solution = rsp_dag_unary (dag, RSP_NODE_PLUS, linear.base);
    return linear.left == none && linear.right == none;
  }
  RspNodeId more = rsp_dag_unary (dag, RSP_NODE_PLUS, linear.right), all = linear.base;
  all = join (dag, all, rsp_dag_binary (dag, RSP_NODE_SEQ, all, more));
  more = rsp_dag_unary (dag, RSP_NODE_PLUS, linear.left);
  *solution = join (dag, all, rsp_dag_binary (dag, RSP_NODE_SEQ, more, all));
  return TRUE;
}

/* ---- Closing a group ---- */

static void append_fixes (RspDag *dag, guint group, guint outer) {
  RspFix *fix = &g_array_index (dag->groups, RspFix, group);
  for (guint i = 0; i < fix->n; i++) {
    RspNode node = { .op = RSP_NODE_FIX,
                     .is_set = rsp_dag_node (dag, fix->variables[i])->is_set,
                     .a = fix->bodies[i],
                     .b = i,
                     .index = group,
                     .group = outer };
    fix->fixes[i] = rsp_dag_append (dag, &node);
  }
}

/* Replaces the fixes of a static group by the constants they are. */
static gboolean compute_static (RspDag *dag, guint group, RspNodeId *fixes) {
  const RspFix *fix = &g_array_index (dag->groups, RspFix, group);
  g_autoptr (RspValuation) valuation = rsp_valuation_new (dag, fix->fixes, fix->n);
  gboolean converges = rsp_valuation_evaluate (valuation, NULL, NULL, NULL);
  for (guint i = 0; converges && i < fix->n; i++) {
    const RspMatrix *value = rsp_valuation_get (valuation, fix->fixes[i]);
    fixes[i] = rsp_dag_constant (dag, rsp_dag_node (dag, fix->fixes[i])->is_set,
                                 rsp_matrix_copy (dag->arena, value));
  }
  return converges;
}

static gboolean close_group (RspDag *dag, guint group, Reach *reach, RspNodeId *fixes) {
  guint n = g_array_index (dag->groups, RspFix, group).n;
  g_array_index (dag->groups, RspFix, group).open = FALSE;
  look_below (dag, group, reach);
  g_array_index (dag->groups, RspFix, group).monotone = reach->monotone;
  const RspFix *fix = &g_array_index (dag->groups, RspFix, group);
  for (guint i = 0; i < n; i++)
    fixes[i] = fix->bodies[i];
  if (!dag->generic
      && (!reach->recurs
          || (reach->monotone && solve_linear (dag, group, reach->recursive, fixes))))
    return TRUE;
  append_fixes (dag, group, reach->outer);
  for (guint i = 0; i < n; i++)
    fixes[i] = g_array_index (dag->groups, RspFix, group).fixes[i];
  if (dag->generic || reach->dynamic || reach->outer)
    return TRUE;
  return compute_static (dag, group, fixes);
}

gboolean rsp_dag_fix_end (RspDag *dag, guint group, const RspNodeId *bodies, RspNodeId *fixes) {
  RspFix *fix = &g_array_index (dag->groups, RspFix, group);
  for (guint i = 0; i < fix->n; i++)
    fix->bodies[i] = bodies[i];
  Reach reach = { .needed = g_new0 (guint8, dag->nodes->len),
                  .recursive = g_new0 (guint8, dag->nodes->len),
                  .monotone = TRUE };
  gboolean converges = close_group (dag, group, &reach, fixes);
  fix = &g_array_index (dag->groups, RspFix, group);
  for (guint i = 0; converges && i < fix->n; i++)
    fix->fixes[i] = fixes[i];
  g_free (reach.needed);
  g_free (reach.recursive);
  return converges;
}
