/* The DAG: random expressions, evaluated through the DAG and outright, agree. */
#include "model/dag/dag.h"

#include "tests/unit/dag_world.h"

#include <check.h>

Suite *dag_suite (void);

/* An expression as a tree. CONSTANT: index tells which; VARIABLE: index is its depth of binding;
 * FIX: a is the body, in which VARIABLE index is bound. */
typedef struct Tree {
  RspNodeOp op;
  gboolean is_set;
  guint index;
  struct Tree *a, *b;
  gboolean built; /* closed trees that occur in several places are built once: as node */
  RspNodeId node;
} Tree;

/* ---- Random trees ---- */

static guint roll (World *world, guint below) {
  return (guint) g_rand_int_range (world->dice, 0, (gint32) below);
}

/* What a tree may name: n_variables bound so far (all relations), none where it would sit below the
 * right of a difference. */
static Tree *random_leaf (World *world, gboolean is_set, guint n_variables) {
  Tree *tree = rsp_arena_new0 (world->arena, Tree, 1);
  tree->is_set = is_set;
  tree->op = RSP_NODE_CONSTANT;
  tree->index = roll (world, N_CONSTANTS);
  if (is_set || roll (world, 3) == 0)
    return tree;
  static const RspNodeOp leaves[] = { RSP_NODE_RF, RSP_NODE_CO, RSP_NODE_ORDER };
  guint which = roll (world, 3 + 3 * n_variables);
  if (which < 3) {
    tree->op = leaves[which];
    tree->index = which == 2 ? roll (world, 2) : 0;
  } else {
    tree->op = RSP_NODE_VARIABLE;
    tree->index = (which - 3) / 3;
  }
  return tree;
}

static Tree *random_tree (World *world, gboolean is_set, guint depth, guint n_variables);

static RspNodeOp random_op (World *world, gboolean is_set) {
  static const RspNodeOp set_ops[]
      = { RSP_NODE_UNION, RSP_NODE_INTER, RSP_NODE_DIFF, RSP_NODE_DOMAIN, RSP_NODE_DOMAIN };
  static const RspNodeOp relation_ops[]
      = { RSP_NODE_UNION, RSP_NODE_UNION,   RSP_NODE_INTER,    RSP_NODE_INTER,   RSP_NODE_DIFF,
          RSP_NODE_DIFF,  RSP_NODE_SEQ,     RSP_NODE_SEQ,      RSP_NODE_INVERSE, RSP_NODE_INVERSE,
          RSP_NODE_PLUS,  RSP_NODE_PRODUCT, RSP_NODE_IDENTITY, RSP_NODE_FIX };
  return is_set ? set_ops[roll (world, G_N_ELEMENTS (set_ops))]
                : relation_ops[roll (world, G_N_ELEMENTS (relation_ops))];
}

static Tree *random_fix (World *world, guint depth, guint n_variables) {
  if (n_variables == MAX_VARIABLES)
    return random_leaf (world, FALSE, n_variables);
  Tree *tree = rsp_arena_new0 (world->arena, Tree, 1);
  tree->op = RSP_NODE_FIX;
  tree->index = n_variables;
  tree->a = random_tree (world, FALSE, depth, n_variables + 1);
  return tree;
}

/* A relation without free variables, now and then one that there is already. */
static Tree *closed_tree (World *world, guint depth) {
  if (world->closed->len && roll (world, 2))
    return world->closed->pdata[roll (world, world->closed->len)];
  Tree *tree = random_tree (world, FALSE, depth, 0);
  g_ptr_array_add (world->closed, tree);
  return tree;
}

static Tree *random_tree (World *world, gboolean is_set, guint depth, guint n_variables) {
  if (!is_set && depth && roll (world, 6) == 0)
    return closed_tree (world, depth - 1);
  if (depth == 0 || roll (world, 6) == 0)
    return random_leaf (world, is_set, n_variables);
  Tree *tree = rsp_arena_new0 (world->arena, Tree, 1);
  tree->op = random_op (world, is_set);
  tree->is_set = is_set;
  gboolean of_sets = is_set;
  guint right_variables = n_variables;
  switch (tree->op) {
  case RSP_NODE_FIX:
    return random_fix (world, depth - 1, n_variables);
  case RSP_NODE_DOMAIN:
    of_sets = FALSE;
    break;
  case RSP_NODE_PRODUCT:
  case RSP_NODE_IDENTITY:
    of_sets = TRUE;
    break;
  case RSP_NODE_DIFF:
    right_variables = 0;
    break;
  default:
    break;
  }
  tree->a = random_tree (world, of_sets, depth - 1, n_variables);
  /* Sharing a side now and then makes laws like x | (x & y) apply. */
  tree->b = roll (world, 8) == 0 && right_variables == n_variables
                ? tree->a
                : random_tree (world, of_sets, depth - 1, right_variables);
  return tree;
}

/* ---- Both evaluations ---- */

static gboolean is_unary (RspNodeOp op) {
  return op == RSP_NODE_INVERSE || op == RSP_NODE_PLUS || op == RSP_NODE_IDENTITY
         || op == RSP_NODE_DOMAIN;
}

static const RspMatrix *evaluate (World *world, const Tree *tree);

static const RspMatrix *iterate (World *world, const Tree *tree) {
  RspMatrix *variable = world_matrix (world, FALSE), *outer = world->variables[tree->index];
  for (;;) {
    world->variables[tree->index] = variable;
    const RspMatrix *next = evaluate (world, tree->a);
    world->variables[tree->index] = outer;
    if (rsp_matrix_equal (variable, next))
      return next;
    variable = rsp_matrix_copy (world->arena, next);
  }
}

static const RspMatrix *evaluate (World *world, const Tree *tree) {
  switch (tree->op) {
  case RSP_NODE_CONSTANT:
    return world->constants[tree->is_set][tree->index];
  case RSP_NODE_RF:
    return world->rf;
  case RSP_NODE_CO:
    return world->co;
  case RSP_NODE_ORDER:
    return world->orders[tree->index];
  case RSP_NODE_VARIABLE:
    return world->variables[tree->index];
  case RSP_NODE_FIX:
    return iterate (world, tree);
  default:
    break;
  }
  RspMatrix *out = world_matrix (world, tree->is_set);
  const RspMatrix *a = evaluate (world, tree->a);
  const RspMatrix *b = is_unary (tree->op) ? NULL : evaluate (world, tree->b);
  switch (tree->op) {
  case RSP_NODE_UNION:
    rsp_matrix_union (out, a, b);
    break;
  case RSP_NODE_INTER:
    rsp_matrix_intersect (out, a, b);
    break;
  case RSP_NODE_DIFF:
    rsp_matrix_difference (out, a, b);
    break;
  case RSP_NODE_SEQ:
    rsp_relation_compose (out, a, b);
    break;
  case RSP_NODE_PRODUCT:
    rsp_relation_product (out, a, b);
    break;
  case RSP_NODE_INVERSE:
    rsp_relation_inverse (out, a);
    break;
  case RSP_NODE_IDENTITY:
    rsp_relation_identity (out, a);
    break;
  case RSP_NODE_DOMAIN:
    rsp_relation_domain (out, a);
    break;
  default:
    rsp_matrix_assign (out, a);
    rsp_relation_close (out);
  }
  return out;
}

static RspNodeId build_anew (World *world, RspDag *dag, const Tree *tree, RspNodeId *variables);

static RspNodeId build (World *world, RspDag *dag, Tree *tree, RspNodeId *variables) {
  if (tree->built)
    return tree->node;
  RspNodeId node = build_anew (world, dag, tree, variables);
  tree->node = node;
  tree->built = g_ptr_array_find (world->closed, tree, NULL);
  return node;
}

static RspNodeId build_anew (World *world, RspDag *dag, const Tree *tree, RspNodeId *variables) {
  switch (tree->op) {
  case RSP_NODE_CONSTANT:
    return rsp_dag_constant (dag, tree->is_set, world->constants[tree->is_set][tree->index]);
  case RSP_NODE_RF:
  case RSP_NODE_CO:
  case RSP_NODE_ORDER:
    return rsp_dag_base (dag, tree->op, tree->index);
  case RSP_NODE_VARIABLE:
    return variables[tree->index];
  case RSP_NODE_FIX: {
    gboolean is_set = FALSE;
    RspNodeId fix, outer = variables[tree->index];
    guint group = rsp_dag_fix_begin (dag, 1, &is_set, &variables[tree->index]);
    RspNodeId body = build (world, dag, tree->a, variables);
    variables[tree->index] = outer;
    ck_assert (rsp_dag_fix_end (dag, group, &body, &fix));
    return fix;
  }
  default:
    break;
  }
  RspNodeId a = build (world, dag, tree->a, variables);
  if (is_unary (tree->op))
    return rsp_dag_unary (dag, tree->op, a);
  return rsp_dag_binary (dag, tree->op, a, build (world, dag, tree->b, variables));
}

/* What the header says of all nodes: order, kinds, and the shapes the laws leave. */
static void assert_well_formed (const RspDag *dag) {
  for (RspNodeId id = 0; id < dag->nodes->len; id++) {
    const RspNode *node = rsp_dag_node (dag, id);
    gboolean binary = node->op == RSP_NODE_UNION || node->op == RSP_NODE_INTER
                      || node->op == RSP_NODE_DIFF || node->op == RSP_NODE_SEQ
                      || node->op == RSP_NODE_PRODUCT;
    if (binary || is_unary (node->op) || node->op == RSP_NODE_FIX)
      ck_assert_uint_lt (node->a, id);
    if (!binary)
      continue;
    ck_assert_uint_lt (node->b, id);
    const RspNode *a = rsp_dag_node (dag, node->a), *b = rsp_dag_node (dag, node->b);
    ck_assert_int_eq (a->is_set, b->is_set);
    ck_assert (a->op != RSP_NODE_CONSTANT || b->op != RSP_NODE_CONSTANT);
    if (node->op == RSP_NODE_UNION || node->op == RSP_NODE_INTER || node->op == RSP_NODE_DIFF)
      ck_assert_int_ne (b->op, RSP_NODE_CONSTANT);
    ck_assert_uint_eq (node->group, MAX (a->group, b->group));
  }
}

/* ---- Tests ---- */

static const struct {
  guint n, trees, depth;
} sizes[] = { { 1, 300, 5 }, { 3, 1500, 6 }, { 6, 1200, 6 }, { 64, 60, 5 }, { 70, 60, 5 } };

START_TEST (the_dag_and_direct_evaluation_agree) {
  for (guint i = 0; i < sizes[_i].trees; i++) {
    World *world = world_new (sizes[_i].n, 1000u * (guint) _i + i);
    for (guint j = 0; j < 3; j++)
      g_ptr_array_add (world->closed, random_fix (world, 4, 0));
    Tree *tree = random_tree (world, i % 7 == 0, sizes[_i].depth, 0);
    RspDag *dag = rsp_dag_new (world->arena, world->n);
    RspNodeId variables[MAX_VARIABLES] = { 0 };
    RspNodeId root = build (world, dag, tree, variables);
    ck_assert_int_eq (rsp_dag_node (dag, root)->is_set, tree->is_set);
    ck_assert_uint_eq (rsp_dag_node (dag, root)->group, 0);
    assert_well_formed (dag);
    RspValuation *valuation = rsp_valuation_new (dag, &root, 1);
    for (guint again = 0; again < 3; again++) /* one valuation serves many executions */
    {
      ck_assert (rsp_valuation_evaluate (valuation, world->rf, world->co, world->orders));
      const RspMatrix *direct = evaluate (world, tree);
      ck_assert_msg (rsp_matrix_equal (rsp_valuation_get (valuation, root), direct),
                     "tree %u of %u events", i, world->n);
      world_randomise (world);
    }
    rsp_valuation_free (valuation);
    rsp_dag_free (dag);
    world_free (world);
  }
}
END_TEST

static Tree *tree_new (World *world, RspNodeOp op, guint index, Tree *a, Tree *b) {
  Tree *tree = rsp_arena_new0 (world->arena, Tree, 1);
  *tree = (Tree){ .op = op, .index = index, .a = a, .b = b };
  return tree;
}

/* v = co | (C & (v;rf)) | (D & (rf;v)): a closure only for masks C and D of the right shapes. */
START_TEST (recursion_under_masks) {
  for (guint which = 0; which < N_CONSTANTS * N_CONSTANTS; which++) {
    World *world = world_new (5, (guint32) _i);
    Tree *v = tree_new (world, RSP_NODE_VARIABLE, 0, NULL, NULL);
    Tree *rf = tree_new (world, RSP_NODE_RF, 0, NULL, NULL);
    Tree *sides[2]
        = { tree_new (world, RSP_NODE_SEQ, 0, v, rf), tree_new (world, RSP_NODE_SEQ, 0, rf, v) };
    Tree *body = tree_new (world, RSP_NODE_CO, 0, NULL, NULL);
    for (guint side = 0, mask = which; side < 2; side++, mask /= N_CONSTANTS) {
      Tree *constant = tree_new (world, RSP_NODE_CONSTANT, mask % N_CONSTANTS, NULL, NULL);
      Tree *term = tree_new (world, RSP_NODE_INTER, 0, constant, sides[side]);
      body = tree_new (world, RSP_NODE_UNION, 0, body, term);
    }
    Tree *fix = tree_new (world, RSP_NODE_FIX, 0, body, NULL);
    RspDag *dag = rsp_dag_new (world->arena, world->n);
    RspNodeId variable, root = build (world, dag, fix, &variable);
    RspValuation *valuation = rsp_valuation_new (dag, &root, 1);
    ck_assert (rsp_valuation_evaluate (valuation, world->rf, world->co, world->orders));
    ck_assert (rsp_matrix_equal (rsp_valuation_get (valuation, root), evaluate (world, fix)));
    rsp_valuation_free (valuation);
    rsp_dag_free (dag);
    world_free (world);
  }
}
END_TEST

/* ---- The table of operators ---- */

static RspMatrix *random_value (World *world, RspKind kind, const RspMatrix *within) {
  RspMatrix *m = world_matrix (world, kind == RSP_SET);
  for (guint x = 0; x < m->rows; x++)
    for (guint y = 0; y < world->n; y++)
      if (roll (world, 2) && (!within || rsp_row_has (rsp_matrix_row (within, x), y)))
        rsp_matrix_row (m, x)[y / 64] |= G_GUINT64_CONSTANT (1) << (y % 64);
  return m;
}

static RspMatrix *apply (World *world, RspNodeOp op, RspKind of, const RspMatrix *a,
                         const RspMatrix *b) {
  RspKind gives = rsp_node_forms[op].gives == RSP_EITHER ? of : rsp_node_forms[op].gives;
  RspMatrix *out = world_matrix (world, gives == RSP_SET);
  rsp_node_compute (op, out, a, rsp_node_arity (op) == 2 ? b : NULL);
  return out;
}

/* What a row of operators.def says holds of what the operator computes. */
static void check_form (World *world, RspNodeOp op, RspKind of) {
  const RspNodeForm *form = &rsp_node_forms[op];
  const RspMatrix *large[2], *small[2], *none = world_matrix (world, of == RSP_SET);
  for (guint i = 0; i < 2; i++) {
    large[i] = random_value (world, of, NULL);
    small[i] = random_value (world, of, large[i]);
  }
  const RspMatrix *least = apply (world, op, of, (form->falls[0] ? large : small)[0],
                                  (form->falls[1] ? large : small)[1]),
                  *most = apply (world, op, of, (form->falls[0] ? small : large)[0],
                                 (form->falls[1] ? small : large)[1]);
  ck_assert (rsp_matrix_subset (least, most));
  if (form->commutes)
    ck_assert (rsp_matrix_equal (apply (world, op, of, large[0], small[1]),
                                 apply (world, op, of, small[1], large[0])));
  for (guint i = 0; i < form->arity; i++) {
    const RspMatrix *value
        = apply (world, op, of, i == 0 ? none : large[0], i == 1 ? none : large[1]);
    ck_assert (form->other_if_empty[i] ? rsp_matrix_equal (value, large[1 - i])
                                       : rsp_matrix_is_empty (value));
  }
}

START_TEST (operators_are_as_their_rows_say) {
  World *world = world_new (sizes[_i].n, (guint32) _i);
  for (guint op = 0; op < RSP_N_NODE_OPS; op++)
    for (guint kind = RSP_SET; kind <= RSP_RELATION && rsp_node_arity ((RspNodeOp) op); kind++)
      if (rsp_node_forms[op].of == RSP_EITHER || rsp_node_forms[op].of == kind)
        for (guint round = 0; round < 20; round++)
          check_form (world, (RspNodeOp) op, (RspKind) kind);
  world_free (world);
}
END_TEST

Suite *dag_suite (void) {
  Suite *suite = suite_create ("dag");
  TCase *tests = tcase_create ("dag");
  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, the_dag_and_direct_evaluation_agree, 0, G_N_ELEMENTS (sizes));
  tcase_add_loop_test (tests, recursion_under_masks, 0, 6);
  tcase_add_loop_test (tests, operators_are_as_their_rows_say, 0, G_N_ELEMENTS (sizes));
  suite_add_tcase (suite, tests);
  return suite;
}
