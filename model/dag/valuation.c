/* The DAG evaluated on one execution. */
#include "model/dag/dag.h"

/* ---- Cycle ---------------------------------------------------------------------------------- */

/* Detects recursive definitions that are not monotone and never settle. The values of a round
 * determine those of the next, and there are finitely many, so a definition settles or returns to
 * earlier values. Brent's algorithm keeps the values of one round, at ever longer intervals, and
 * compares every later round with them. (R. P. Brent, An improved Monte Carlo factorization
 * algorithm, BIT 20, 1980.) */

typedef struct Cycle {
  RspArena *arena; /* NULL while nothing is kept */
  RspMatrix **kept;
  gsize round, next; /* rounds so far, and the round after which values are kept next */
} Cycle;

enum {
  FIRST_KEPT = 8 /* rounds: most definitions settle earlier, so that nothing is copied for them */
};

/* To be called after each round, with the n values. TRUE if they equal the kept ones. */
static gboolean closes (Cycle *cycle, RspMatrix *const *values, guint n) {
  cycle->round++;
  gboolean equal = cycle->arena != NULL;
  for (guint i = 0; i < n && equal; i++)
    equal = rsp_matrix_equal (cycle->kept[i], values[i]);
  if (equal)
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

/* Adds the term mask & (a;b), in which one or both sides are the variable. */
static gboolean add_sequence (RspDag *dag, const guint8 *recursive, Linear *linear, RspNodeId mask,
                              RspNode seq) {
  const RspMatrix *bits = rsp_dag_value (dag, mask);
  gboolean full = mask == dag->universe[FALSE];
  if (seq.a == linear->variable && seq.b == linear->variable && full)
    linear->squares = TRUE;
  else if (seq.a == linear->variable && !recursive[seq.b] && (full || rows_all_equal (bits)))
    linear->right = rsp_dag_union (dag, linear->right, rsp_dag_inter (dag, mask, seq.b));
  else if (seq.b == linear->variable && !recursive[seq.a]
           && (full || rows_all_full_or_empty (bits)))
    linear->left = rsp_dag_union (dag, linear->left, rsp_dag_inter (dag, mask, seq.a));
  else
    return FALSE;
  return TRUE;
}

/* Adds one term of the body's union; FALSE if it has none of the shapes. */
static gboolean add_linear_term (RspDag *dag, const guint8 *recursive, Linear *linear,
                                 RspNodeId id) {
  RspNode node = *rsp_dag_node (dag, id);
  if (!recursive[id])
    linear->base = rsp_dag_union (dag, linear->base, id);
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
    *solution = rsp_dag_plus (dag, linear.base);
    return linear.left == none && linear.right == none;
  }
  RspNodeId more = rsp_dag_plus (dag, linear.right), all = linear.base;
  all = rsp_dag_union (dag, all, rsp_dag_seq (dag, all, more));
  more = rsp_dag_plus (dag, linear.left);
  *solution = rsp_dag_union (dag, all, rsp_dag_seq (dag, more, all));
  return TRUE;
}

/* ---- Closing a group ---- */
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
  /* The fixes of a static group are constants. */
  g_autoptr (RspValuation) valuation = rsp_valuation_new (dag, fix->fixes, fix->n);
  gboolean converges = rsp_valuation_evaluate (valuation, NULL, NULL, NULL);
  for (guint i = 0; converges && i < fix->n; i++) {
    const RspMatrix *value = rsp_valuation_get (valuation, fix->fixes[i]);
    fixes[i] = rsp_dag_constant (dag, rsp_dag_node (dag, fix->fixes[i])->is_set,
                                 rsp_matrix_copy (dag->arena, value));
  }
  return converges;
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
 * which puts operands first; recursive groups by iteration from empty. With bounds outside, one
 * bound of a monotone group is its least fixpoint over the same bound of operands with which a node
 * grows, and the other bound of those with which it falls. */

struct RspValuation {
  const RspDag *dag;
  RspArena *arena;
  /* Per node: its lower and upper bound, which are the same array if values are computed; NULL if
   * not needed. */
  const RspMatrix **bounds[2];
  guint side;      /* which bound is computed */
  RspMatrix **own; /* per node: the matrix that holds its result; NULL for leaves */
  GArray *leaves;  /* of RspNodeId: RF, CO, ORDER */
  /* Strata: the nodes (of RspNodeId, ascending) that are computed together. Stratum 0 is outside
   * all groups; stratum g + 1 has the nodes whose innermost group is g, which are computed in each
   * round of its iteration. */
  guint n_strata;
  GArray **strata;
};

static gboolean evaluate_stratum (RspValuation *valuation, guint index);

/* ---- Preparation ---- */
void rsp_valuation_set_bounds (RspValuation *valuation, RspNodeId id, const RspMatrix *lower,
                               const RspMatrix *upper) {
  valuation->bounds[0][id] = lower;
  valuation->bounds[1][id] = upper;
}

/* Computing one fix of a group also gives the values of the others. */
static gboolean is_first_fix (const RspValuation *valuation, RspNodeId id) {
  const RspNode *node = rsp_dag_node (valuation->dag, id);
  const RspFix *fix = rsp_dag_group (valuation->dag, node->index);
  for (guint i = 0; i < node->b; i++)
    if (valuation->own[fix->fixes[i]])
      return FALSE;
  return TRUE;
}

static RspValuation *begin (const RspDag *dag, const guint8 *needed, gboolean in_groups) {
  RspValuation *valuation = g_new0 (RspValuation, 1);
  valuation->dag = dag;
  valuation->arena = rsp_arena_new_within (dag->budget);
  valuation->own = rsp_arena_new0 (valuation->arena, RspMatrix *, dag->nodes->len);
  for (guint side = 0; side < (in_groups ? 2 : 1); side++)
    valuation->bounds[side] = rsp_arena_new0 (valuation->arena, const RspMatrix *, dag->nodes->len);
  if (!in_groups)
    valuation->bounds[1] = valuation->bounds[0];
  valuation->leaves = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
  valuation->n_strata = dag->groups->len + 1;
  valuation->strata = g_new0 (GArray *, valuation->n_strata);
  for (guint i = 0; i < valuation->n_strata; i++)
    valuation->strata[i] = g_array_new (FALSE, FALSE, sizeof (RspNodeId));
  /* Constants have their values, and other needed nodes (if in_groups, in groups only) a matrix. */
  for (RspNodeId id = 0; id < dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (dag, id);
    if (!needed[id])
      continue;
    RspMatrix *value = node->constant;
    if (node->op != RSP_NODE_CONSTANT && (node->group || !in_groups))
      value = valuation->own[id] = node->is_set ? rsp_set_new (valuation->arena, dag->n)
                                                : rsp_relation_new (valuation->arena, dag->n);
    rsp_valuation_set_bounds (valuation, id, value, value);
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

RspValuation *rsp_valuation_new (const RspDag *dag, const RspNodeId *roots, guint n_roots) {
  g_autofree guint8 *needed = g_new0 (guint8, dag->nodes->len + 1);
  for (guint i = 0; i < n_roots; i++)
    needed[roots[i]] = TRUE;
  rsp_dag_mark_below (dag, needed);
  return begin (dag, needed, FALSE);
}

RspValuation *rsp_valuation_new_groups (const RspDag *dag, const guint8 *needed) {
  return begin (dag, needed, TRUE);
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
/* Iterates a group from empty until nothing changes. If it is monotone, it grows by at least one
 * pair in every round but the last; any other settles or returns to earlier values. */
static gboolean evaluate_group (RspValuation *valuation, guint group) {
  const RspFix *fix = rsp_dag_group (valuation->dag, group);
  g_autofree RspMatrix **variables = g_new (RspMatrix *, fix->n);
  for (guint i = 0; i < fix->n; i++) {
    variables[i] = valuation->own[fix->variables[i]];
    rsp_matrix_clear (variables[i]);
  }
  Cycle cycle = { 0 };
  gboolean changed = TRUE, goes_on = TRUE;
  while (changed && goes_on) {
    goes_on = !rsp_budget_is_exhausted (valuation->dag->budget)
              && evaluate_stratum (valuation, group + 1);
    changed = FALSE;
    for (guint i = 0; i < fix->n && goes_on; i++) {
      const RspMatrix *body = valuation->bounds[valuation->side][fix->bodies[i]];
      if (rsp_matrix_equal (variables[i], body))
        continue;
      rsp_matrix_assign (variables[i], body);
      changed = TRUE;
    }
    if (changed && !fix->monotone && closes (&cycle, variables, fix->n)) {
      rsp_dag_diverge (valuation->dag, fix);
      goes_on = FALSE;
    }
  }
  rsp_arena_free (cycle.arena);
  for (guint i = 0; i < fix->n && goes_on; i++)
    if (valuation->own[fix->fixes[i]])
      rsp_matrix_assign (valuation->own[fix->fixes[i]], variables[i]);
  return goes_on;
}

static gboolean evaluate_stratum (RspValuation *valuation, guint index) {
  const GArray *nodes = valuation->strata[index];
  const RspMatrix **values = valuation->bounds[valuation->side],
                  **others = valuation->bounds[1 - valuation->side];
  for (guint i = 0; i < nodes->len; i++) {
    RspNodeId id = g_array_index (nodes, RspNodeId, i);
    const RspNode *node = rsp_dag_node (valuation->dag, id);
    if (node->op == RSP_NODE_FIX) {
      if (!evaluate_group (valuation, node->index))
        return FALSE;
      continue;
    }
    const RspNodeForm *form = &rsp_node_forms[node->op];
    const RspMatrix *a = (form->falls[0] ? others : values)[node->a];
    const RspMatrix *b = form->arity == 2 ? (form->falls[1] ? others : values)[node->b] : NULL;
    rsp_node_compute (node->op, valuation->own[id], a, b);
  }
  return TRUE;
}

gboolean rsp_valuation_evaluate (RspValuation *valuation, const RspMatrix *rf, const RspMatrix *co,
                                 RspMatrix *const *orders) {
  for (guint i = 0; i < valuation->leaves->len; i++) {
    RspNodeId id = g_array_index (valuation->leaves, RspNodeId, i);
    const RspNode *node = rsp_dag_node (valuation->dag, id);
    valuation->bounds[0][id] = node->op == RSP_NODE_RF   ? rf
                               : node->op == RSP_NODE_CO ? co
                                                         : orders[node->index];
  }
  return evaluate_stratum (valuation, 0);
}

const RspMatrix *rsp_valuation_get (const RspValuation *valuation, RspNodeId node) {
  return valuation->bounds[valuation->side][node];
}

gboolean rsp_valuation_bound_group (RspValuation *valuation, guint group, guint side,
                                    gboolean outside_is_known) {
  const RspFix *fix = rsp_dag_group (valuation->dag, group);
  valuation->side = side;
  if (fix->monotone || outside_is_known)
    return evaluate_group (valuation, group);
  for (guint i = 0; i < fix->n; i++)
    if (side == 0)
      rsp_matrix_clear (valuation->own[fix->variables[i]]);
    else
      rsp_matrix_fill (valuation->own[fix->variables[i]]);
  return TRUE;
}
