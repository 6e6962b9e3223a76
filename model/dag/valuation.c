/* The DAG evaluated on one execution. */
#include "model/dag/dag.h"

/* ---- Cycle ---------------------------------------------------------------------------------- */

enum {
  FIRST_KEPT = 8 /* rounds: most definitions settle earlier, so that nothing is copied for them */
};

static gboolean equals_kept (const RspCycle *cycle, RspMatrix *const *values, guint n) {
  for (guint i = 0; i < n; i++)
    if (!rsp_matrix_equal (cycle->kept[i], values[i]))
      return FALSE;
  return TRUE;
}

gboolean rsp_cycle_closes (RspCycle *cycle, RspMatrix *const *values, guint n) {
  cycle->round++;
  if (cycle->arena && equals_kept (cycle, values, n))
    return TRUE;
  if (cycle->round == MAX (cycle->next, FIRST_KEPT)) {
    if (!cycle->arena) {
      cycle->arena = rsp_arena_new ();
      cycle->kept = rsp_arena_new0 (cycle->arena, RspMatrix *, n);
      for (guint i = 0; i < n; i++)
        cycle->kept[i] = rsp_matrix_copy (cycle->arena, values[i]);
    }
    for (guint i = 0; i < n; i++)
      rsp_matrix_assign (cycle->kept[i], values[i]);
    cycle->next = 2 * cycle->round;
  }
  return FALSE;
}

void rsp_cycle_clear (RspCycle *cycle) {
  rsp_arena_free (cycle->arena);
  *cycle = (RspCycle){ 0 };
}

/* ---- Fix ------------------------------------------------------------------------------------ */

/* Recursive groups: closing them over their bodies. Groups that do not depend on the search become
 * constants, and groups that are a closure in disguise become a PLUS. */

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

static void look_below (const RspDag *dag, guint group, Reach *reach) {
  const RspFix *fix = &g_array_index (dag->groups, RspFix, group);
  for (guint i = 0; i < fix->n; i++)
    reach->needed[fix->bodies[i]] = TRUE;
  rsp_dag_mark_below (dag, reach->needed);
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    if (reach->needed[id]) {
      const RspNode *node = rsp_dag_node (dag, id);
      guint arity = rsp_node_arity (node->op);
      if (node->op == RSP_NODE_VARIABLE && node->group == group + 1)
        reach->recurs = reach->recursive[id] = TRUE;
      else if (node->op == RSP_NODE_VARIABLE && rsp_dag_group (dag, node->group - 1)->open)
        reach->outer = MAX (reach->outer, node->group);
      else if (rsp_node_forms[node->op].chosen || node->op == RSP_NODE_OPEN)
        reach->dynamic = TRUE;
      else if (node->op == RSP_NODE_FIX) {
        /* Does a fix of another group depend on the group's variables, and how? */
        const RspFix *other = &g_array_index (dag->groups, RspFix, node->index);
        for (guint i = 0; i < other->n; i++)
          reach->recursive[id] |= reach->recursive[other->bodies[i]];
        if (reach->recursive[id] && !other->monotone)
          reach->monotone = FALSE;
      }
      for (guint i = 0; i < arity; i++) {
        gboolean recursive = reach->recursive[i ? node->b : node->a];
        reach->recursive[id] |= recursive;
        if (recursive && rsp_node_forms[node->op].falls[i])
          reach->monotone = FALSE;
      }
    }
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
  for (guint i = 0; i < n; i++) {
    RspNode node = { .op = RSP_NODE_FIX,
                     .is_set = rsp_dag_node (dag, fix->variables[i])->is_set,
                     .a = fix->bodies[i],
                     .b = i,
                     .index = group,
                     .group = reach->outer };
    fixes[i] = fix->fixes[i] = rsp_dag_append (dag, &node);
  }
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

/* ---- Valuation ------------------------------------------------------------------------------ */

/* Evaluation of the DAG on a complete candidate execution: nodes in the order of their numbers,
 * which puts operands first; recursive groups by iteration from empty. */

struct RspValuation {
  RspDag *dag;
  RspArena *arena;
  const RspMatrix **values; /* per node; NULL if not needed */
  RspMatrix **own;          /* per node: the matrix that holds its result; NULL for leaves */
  GArray *leaves;           /* of RspNodeId: RF, CO, ORDER */
  /* Strata: the nodes (of RspNodeId, ascending) that are computed together. Stratum 0 is outside
   * all groups; stratum g + 1 has the nodes whose innermost group is g, which are computed in each
   * round of its iteration. */
  guint n_strata;
  GArray **strata;
};

static gboolean evaluate_stratum (RspValuation *valuation, guint index);

/* ---- Preparation ---- */
/* Computing one fix of a group also gives the values of the others. */
static gboolean is_first_fix (const RspValuation *valuation, RspNodeId id) {
  const RspNode *node = rsp_dag_node (valuation->dag, id);
  const RspFix *fix = &g_array_index (valuation->dag->groups, RspFix, node->index);
  for (guint i = 0; i < node->b; i++)
    if (valuation->own[fix->fixes[i]])
      return FALSE;
  return TRUE;
}

RspValuation *rsp_valuation_new (RspDag *dag, const RspNodeId *roots, guint n_roots) {
  RspValuation *valuation = g_new0 (RspValuation, 1);
  valuation->dag = dag;
  valuation->arena = rsp_arena_new_within (dag->budget);
  valuation->values = rsp_arena_new0 (valuation->arena, const RspMatrix *, dag->nodes->len);
  valuation->own = rsp_arena_new0 (valuation->arena, RspMatrix *, dag->nodes->len);
  valuation->leaves = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
  valuation->n_strata = dag->groups->len + 1;
  valuation->strata = g_new0 (GArray *, valuation->n_strata);
  for (guint i = 0; i < valuation->n_strata; i++)
    valuation->strata[i] = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
  /* Nodes below the roots have the value of a constant, or a matrix for what is computed. */
  g_autofree guint8 *needed = g_new0 (guint8, dag->nodes->len + 1);
  for (guint i = 0; i < n_roots; i++)
    needed[roots[i]] = TRUE;
  rsp_dag_mark_below (dag, needed);
  for (RspNodeId id = 0; id < dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (dag, id);
    if (!needed[id])
      continue;
    valuation->values[id] = node->constant;
    if (node->op != RSP_NODE_CONSTANT)
      valuation->values[id] = valuation->own[id]
          = node->is_set ? rsp_set_new (valuation->arena, dag->n)
                         : rsp_relation_new (valuation->arena, dag->n);
  }
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    if (valuation->own[id]) {
      const RspNode *node = rsp_dag_node (dag, id);
      if (rsp_node_forms[node->op].chosen)
        g_array_append_val (valuation->leaves, id);
      else if (node->op != RSP_NODE_VARIABLE
               && (node->op != RSP_NODE_FIX || is_first_fix (valuation, id)))
        g_array_append_val (valuation->strata[node->group], id);
    }
  return valuation;
}

void rsp_valuation_free (RspValuation *valuation) {
  if (!valuation)
    return;
  for (guint i = 0; i < valuation->n_strata; i++)
    g_array_unref (valuation->strata[i]);
  g_free (valuation->strata);
  g_array_unref (valuation->leaves);
  rsp_arena_free (valuation->arena);
  g_free (valuation);
}

/* ---- Evaluation ---- */
/* Gives the variables the values of their bodies. FALSE if nothing changed. */
static gboolean advance_variables (RspValuation *valuation, const RspFix *fix) {
  gboolean changed = FALSE;
  for (guint i = 0; i < fix->n; i++) {
    RspMatrix *variable = valuation->own[fix->variables[i]];
    const RspMatrix *body = valuation->values[fix->bodies[i]];
    if (!rsp_matrix_equal (variable, body)) {
      rsp_matrix_assign (variable, body);
      changed = TRUE;
    }
  }
  return changed;
}

/* Iterates until nothing changes. A monotone group grows by at least one pair in every round but
 * the last; any other settles or returns to earlier values. */
static gboolean iterate (RspValuation *valuation, guint group, RspMatrix *const *variables) {
  const RspFix *fix = &g_array_index (valuation->dag->groups, RspFix, group);
  RspCycle cycle = { 0 };
  gboolean changed = TRUE, goes_on = TRUE;
  while (changed && goes_on) {
    goes_on = !rsp_budget_is_exhausted (valuation->dag->budget)
              && evaluate_stratum (valuation, group + 1);
    changed = goes_on && advance_variables (valuation, fix);
    if (changed && !fix->monotone && rsp_cycle_closes (&cycle, variables, fix->n)) {
      rsp_dag_diverge (valuation->dag, fix);
      goes_on = FALSE;
    }
  }
  rsp_cycle_clear (&cycle);
  return goes_on;
}

static gboolean evaluate_group (RspValuation *valuation, guint group) {
  const RspFix *fix = &g_array_index (valuation->dag->groups, RspFix, group);
  g_autofree RspMatrix **variables = g_new (RspMatrix *, fix->n);
  for (guint i = 0; i < fix->n; i++) {
    variables[i] = valuation->own[fix->variables[i]];
    rsp_matrix_clear (variables[i]);
  }
  if (!iterate (valuation, group, variables))
    return FALSE;
  for (guint i = 0; i < fix->n; i++)
    if (valuation->own[fix->fixes[i]])
      rsp_matrix_assign (valuation->own[fix->fixes[i]], valuation->own[fix->variables[i]]);
  return TRUE;
}

static gboolean evaluate_stratum (RspValuation *valuation, guint index) {
  const GArray *nodes = valuation->strata[index];
  for (guint i = 0; i < nodes->len; i++) {
    RspNodeId id = g_array_index (nodes, RspNodeId, i);
    const RspNode *node = rsp_dag_node (valuation->dag, id);
    if (node->op == RSP_NODE_FIX) {
      if (!evaluate_group (valuation, node->index))
        return FALSE;
      continue;
    }
    rsp_node_compute (node->op, valuation->own[id], valuation->values[node->a],
                      rsp_node_arity (node->op) == 2 ? valuation->values[node->b] : NULL);
  }
  return TRUE;
}

gboolean rsp_valuation_evaluate (RspValuation *valuation, const RspMatrix *rf, const RspMatrix *co,
                                 RspMatrix *const *orders) {
  for (guint i = 0; i < valuation->leaves->len; i++) {
    RspNodeId id = g_array_index (valuation->leaves, RspNodeId, i);
    const RspNode *node = rsp_dag_node (valuation->dag, id);
    valuation->values[id] = node->op == RSP_NODE_RF   ? rf
                            : node->op == RSP_NODE_CO ? co
                                                      : orders[node->index];
  }
  return evaluate_stratum (valuation, 0);
}

const RspMatrix *rsp_valuation_get (const RspValuation *valuation, RspNodeId node) {
  return valuation->values[node];
}
