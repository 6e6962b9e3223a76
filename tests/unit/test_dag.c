/* The DAG and its laws: random expressions, evaluated through the DAG and outright, agree; and the
 * shapes that the header promises. */
#include "model/dag/dag.h"
#include "model/dag/fix.h"
#include "model/dag/valuation.h"

#include <check.h>

Suite *dag_suite (void);

enum
{
  N_CONSTANTS = 12,
  MAX_VARIABLES = 4
};

/* An expression as a tree. CONSTANT: index tells which; VARIABLE: index is its depth of binding;
 * FIX: a is the body, in which VARIABLE index is bound. */
typedef struct Tree
{
  RspNodeOp op;
  gboolean is_set;
  guint index;
  struct Tree *a, *b;
  gboolean built; /* closed trees that occur in several places are built once: as node */
  RspNodeId node;
} Tree;

/* One universe: random values of all that trees name. */
typedef struct World
{
  RspArena *arena;
  GRand *dice;
  guint n;
  RspMatrix *constants[2][N_CONSTANTS]; /* by is_set */
  RspMatrix *rf, *co, *orders[2];
  RspMatrix *variables[MAX_VARIABLES]; /* while evaluating outright */
  GPtrArray *closed;                   /* of Tree: relations without free variables */
} World;

static RspMatrix *
new_matrix (const World *world, gboolean is_set)
{
  return is_set ? rsp_set_new (world->arena, world->n) : rsp_relation_new (world->arena, world->n);
}

static RspMatrix *
random_matrix (const World *world, gboolean is_set, double density)
{
  RspMatrix *m = new_matrix (world, is_set);
  for (guint i = 0; i < m->rows; i++)
    for (guint j = 0; j < world->n; j++)
      if (g_rand_double (world->dice) < density)
        rsp_matrix_add (m, i, j);
  return m;
}

/* Constants with much structure, so that laws find something to do: empty, full, identities,
 * products, and a few of chance. */
static void
make_constants (World *world)
{
  for (guint i = 0; i < N_CONSTANTS; i++)
    {
      RspMatrix *s = random_matrix (world, TRUE, 0.5), *t = random_matrix (world, TRUE, 0.5);
      world->constants[TRUE][i] = s;
      RspMatrix *r = random_matrix (world, FALSE, 1.0 / world->n);
      if (i >= 2 && i < 6)
        rsp_relation_product (r, s, t);
      else if (i >= 6 && i < 9)
        rsp_relation_identity (r, s);
      world->constants[FALSE][i] = r;
    }
  for (gboolean is_set = FALSE; is_set <= TRUE; is_set++)
    {
      rsp_matrix_clear (world->constants[is_set][0]);
      rsp_matrix_fill (world->constants[is_set][1]);
    }
  rsp_relation_identity (world->constants[FALSE][6], world->constants[TRUE][1]);
}

static void
randomise_bases (World *world)
{
  world->rf = random_matrix (world, FALSE, 0.8 / world->n);
  world->co = random_matrix (world, FALSE, 0.8 / world->n);
  for (guint i = 0; i < 2; i++)
    world->orders[i] = random_matrix (world, FALSE, 0.8 / world->n);
}

static World *
world_new (guint n, guint32 seed)
{
  World *world = g_new0 (World, 1);
  world->arena = rsp_arena_new ();
  world->dice = g_rand_new_with_seed (seed);
  world->n = n;
  world->closed = g_ptr_array_new ();
  make_constants (world);
  randomise_bases (world);
  return world;
}

static void
world_free (World *world)
{
  g_rand_free (world->dice);
  g_ptr_array_unref (world->closed);
  rsp_arena_free (world->arena);
  g_free (world);
}

/* ---- Random trees ---- */

static guint
roll (World *world, guint below)
{
  return (guint) g_rand_int_range (world->dice, 0, (gint32) below);
}

/* What a tree may name: n_variables bound so far (all relations), none where it would sit below the
 * right of a difference. */
static Tree *
random_leaf (World *world, gboolean is_set, guint n_variables)
{
  Tree *tree = rsp_arena_new0 (world->arena, Tree, 1);
  tree->is_set = is_set;
  tree->op = RSP_NODE_CONSTANT;
  tree->index = roll (world, N_CONSTANTS);
  if (is_set || roll (world, 3) == 0)
    return tree;
  static const RspNodeOp leaves[] = { RSP_NODE_RF, RSP_NODE_CO, RSP_NODE_ORDER };
  guint which = roll (world, 3 + 3 * n_variables);
  if (which < 3)
    {
      tree->op = leaves[which];
      tree->index = which == 2 ? roll (world, 2) : 0;
    }
  else
    {
      tree->op = RSP_NODE_VARIABLE;
      tree->index = (which - 3) / 3;
    }
  return tree;
}

static Tree *random_tree (World *world, gboolean is_set, guint depth, guint n_variables);

static RspNodeOp
random_op (World *world, gboolean is_set)
{
  static const RspNodeOp set_ops[]
      = { RSP_NODE_UNION, RSP_NODE_INTER, RSP_NODE_DIFF, RSP_NODE_DOMAIN, RSP_NODE_DOMAIN };
  static const RspNodeOp relation_ops[]
      = { RSP_NODE_UNION, RSP_NODE_UNION,   RSP_NODE_INTER,    RSP_NODE_INTER,   RSP_NODE_DIFF,
          RSP_NODE_DIFF,  RSP_NODE_SEQ,     RSP_NODE_SEQ,      RSP_NODE_INVERSE, RSP_NODE_INVERSE,
          RSP_NODE_PLUS,  RSP_NODE_PRODUCT, RSP_NODE_IDENTITY, RSP_NODE_FIX };
  return is_set ? set_ops[roll (world, G_N_ELEMENTS (set_ops))]
                : relation_ops[roll (world, G_N_ELEMENTS (relation_ops))];
}

static Tree *
random_fix (World *world, guint depth, guint n_variables)
{
  if (n_variables == MAX_VARIABLES)
    return random_leaf (world, FALSE, n_variables);
  Tree *tree = rsp_arena_new0 (world->arena, Tree, 1);
  tree->op = RSP_NODE_FIX;
  tree->index = n_variables;
  tree->a = random_tree (world, FALSE, depth, n_variables + 1);
  return tree;
}

/* A relation without free variables, now and then one that there is already. */
static Tree *
closed_tree (World *world, guint depth)
{
  if (world->closed->len && roll (world, 2))
    return world->closed->pdata[roll (world, world->closed->len)];
  Tree *tree = random_tree (world, FALSE, depth, 0);
  g_ptr_array_add (world->closed, tree);
  return tree;
}

static Tree *
random_tree (World *world, gboolean is_set, guint depth, guint n_variables)
{
  if (!is_set && depth && roll (world, 6) == 0)
    return closed_tree (world, depth - 1);
  if (depth == 0 || roll (world, 6) == 0)
    return random_leaf (world, is_set, n_variables);
  Tree *tree = rsp_arena_new0 (world->arena, Tree, 1);
  tree->op = random_op (world, is_set);
  tree->is_set = is_set;
  gboolean of_sets = is_set;
  guint right_variables = n_variables;
  switch (tree->op)
    {
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

static gboolean
is_unary (RspNodeOp op)
{
  return op == RSP_NODE_INVERSE || op == RSP_NODE_PLUS || op == RSP_NODE_IDENTITY
         || op == RSP_NODE_DOMAIN;
}

static const RspMatrix *evaluate (World *world, const Tree *tree);

static const RspMatrix *
iterate (World *world, const Tree *tree)
{
  RspMatrix *variable = new_matrix (world, FALSE), *outer = world->variables[tree->index];
  for (;;)
    {
      world->variables[tree->index] = variable;
      const RspMatrix *next = evaluate (world, tree->a);
      world->variables[tree->index] = outer;
      if (rsp_matrix_equal (variable, next))
        return next;
      variable = rsp_matrix_copy (world->arena, next);
    }
}

static const RspMatrix *
evaluate (World *world, const Tree *tree)
{
  switch (tree->op)
    {
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
  RspMatrix *out = new_matrix (world, tree->is_set);
  const RspMatrix *a = evaluate (world, tree->a);
  const RspMatrix *b = is_unary (tree->op) ? NULL : evaluate (world, tree->b);
  switch (tree->op)
    {
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

static RspNodeId
build (World *world, RspDag *dag, Tree *tree, RspNodeId *variables)
{
  if (tree->built)
    return tree->node;
  RspNodeId node = build_anew (world, dag, tree, variables);
  tree->node = node;
  tree->built = g_ptr_array_find (world->closed, tree, NULL);
  return node;
}

static RspNodeId
build_anew (World *world, RspDag *dag, const Tree *tree, RspNodeId *variables)
{
  switch (tree->op)
    {
    case RSP_NODE_CONSTANT:
      return rsp_dag_constant (dag, tree->is_set, world->constants[tree->is_set][tree->index]);
    case RSP_NODE_RF:
    case RSP_NODE_CO:
    case RSP_NODE_ORDER:
      return rsp_dag_base (dag, tree->op, tree->index);
    case RSP_NODE_VARIABLE:
      return variables[tree->index];
    case RSP_NODE_FIX:
      {
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
static void
assert_well_formed (const RspDag *dag)
{
  for (RspNodeId id = 0; id < dag->nodes->len; id++)
    {
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

static const struct
{
  guint n, trees, depth;
} sizes[] = { { 1, 300, 5 }, { 3, 1500, 6 }, { 6, 1200, 6 }, { 64, 60, 5 }, { 70, 60, 5 } };

START_TEST (the_dag_and_direct_evaluation_agree)
{
  for (guint i = 0; i < sizes[_i].trees; i++)
    {
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
          randomise_bases (world);
        }
      rsp_valuation_free (valuation);
      rsp_dag_free (dag);
      world_free (world);
    }
}
END_TEST

static Tree *
tree_new (World *world, RspNodeOp op, guint index, Tree *a, Tree *b)
{
  Tree *tree = rsp_arena_new0 (world->arena, Tree, 1);
  *tree = (Tree){ .op = op, .index = index, .a = a, .b = b };
  return tree;
}

/* v = co | (C & (v;rf)) | (D & (rf;v)): a closure only for masks C and D of the right shapes. */
START_TEST (recursion_under_masks)
{
  for (guint which = 0; which < N_CONSTANTS * N_CONSTANTS; which++)
    {
      World *world = world_new (5, (guint32) _i);
      Tree *v = tree_new (world, RSP_NODE_VARIABLE, 0, NULL, NULL);
      Tree *rf = tree_new (world, RSP_NODE_RF, 0, NULL, NULL);
      Tree *sides[2]
          = { tree_new (world, RSP_NODE_SEQ, 0, v, rf), tree_new (world, RSP_NODE_SEQ, 0, rf, v) };
      Tree *body = tree_new (world, RSP_NODE_CO, 0, NULL, NULL);
      for (guint side = 0, mask = which; side < 2; side++, mask /= N_CONSTANTS)
        {
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

/* A DAG of 6 events with some usual nodes. */
typedef struct Fixture
{
  World *world;
  RspDag *dag;
  RspNodeId rf, co, s, t, c, none, all, id;
} Fixture;

static Fixture
fixture_new (void)
{
  Fixture f = { .world = world_new (6, 7) };
  f.dag = rsp_dag_new (f.world->arena, 6);
  f.rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0);
  f.co = rsp_dag_base (f.dag, RSP_NODE_CO, 0);
  f.s = rsp_dag_constant (f.dag, TRUE, f.world->constants[TRUE][3]);
  f.t = rsp_dag_constant (f.dag, TRUE, f.world->constants[TRUE][4]);
  f.c = rsp_dag_constant (f.dag, FALSE, f.world->constants[FALSE][10]);
  f.none = f.dag->empty[FALSE];
  f.all = f.dag->universe[FALSE];
  f.id = f.dag->identity;
  return f;
}

static void
fixture_free (Fixture f)
{
  rsp_dag_free (f.dag);
  world_free (f.world);
}

#define BINARY(op, x, y) rsp_dag_binary (f.dag, RSP_NODE_##op, x, y)
#define UNARY(op, x)     rsp_dag_unary (f.dag, RSP_NODE_##op, x)

START_TEST (laws_find_equal_expressions)
{
  Fixture f = fixture_new ();
  RspNodeId both = BINARY (UNION, f.rf, f.co), rf_inverse = UNARY (INVERSE, f.rf);
  RspNodeId on_s = UNARY (IDENTITY, f.s), on_t = UNARY (IDENTITY, f.t);
  const RspNodeId equal[][2] = {
    { BINARY (UNION, f.co, f.rf), both },
    { BINARY (INTER, f.co, f.rf), BINARY (INTER, f.rf, f.co) },
    { BINARY (UNION, both, f.co), both },
    { BINARY (UNION, f.rf, BINARY (INTER, f.rf, f.co)), f.rf },
    { BINARY (INTER, f.rf, both), f.rf },
    { BINARY (UNION, f.rf, f.none), f.rf },
    { BINARY (UNION, f.rf, f.all), f.all },
    { BINARY (INTER, f.all, f.rf), f.rf },
    { BINARY (INTER, f.none, f.rf), f.none },
    { BINARY (DIFF, f.rf, f.rf), f.none },
    { BINARY (DIFF, f.rf, both), f.none },
    { BINARY (DIFF, f.rf, f.none), f.rf },
    { BINARY (DIFF, f.all, BINARY (DIFF, f.all, f.rf)), f.rf },
    { BINARY (SEQ, f.none, f.rf), f.none },
    { BINARY (SEQ, f.id, f.rf), f.rf },
    { BINARY (SEQ, f.rf, f.id), f.rf },
    { UNARY (INVERSE, rf_inverse), f.rf },
    { UNARY (PLUS, UNARY (PLUS, f.rf)), UNARY (PLUS, f.rf) },
    { UNARY (PLUS, BINARY (UNION, f.rf, f.id)), BINARY (UNION, UNARY (PLUS, f.rf), f.id) },
    { BINARY (SEQ, on_s, BINARY (SEQ, on_t, f.rf)),
      BINARY (SEQ, UNARY (IDENTITY, BINARY (INTER, f.s, f.t)), f.rf) },
    { BINARY (SEQ, on_s, BINARY (SEQ, f.rf, on_t)),
      BINARY (INTER, f.rf, BINARY (PRODUCT, f.s, f.t)) },
    { BINARY (DIFF, BINARY (INTER, f.rf, f.c), f.id),
      BINARY (INTER, f.rf, BINARY (DIFF, f.c, f.id)) },
    { BINARY (UNION, BINARY (INTER, f.rf, f.id), BINARY (DIFF, f.rf, f.id)), f.rf },
  };
  for (guint i = 0; i < G_N_ELEMENTS (equal); i++)
    ck_assert_msg (equal[i][0] == equal[i][1], "law %u", i);
  fixture_free (f);
}
END_TEST

START_TEST (recursion_that_is_a_closure_becomes_one)
{
  Fixture f = fixture_new ();
  gboolean is_set = FALSE;
  RspNodeId v, fix, plus = UNARY (PLUS, f.rf);
  for (guint shape = 0; shape < 3; shape++)
    {
      guint group = rsp_dag_fix_begin (f.dag, 1, &is_set, &v);
      RspNodeId step = shape == 0   ? BINARY (SEQ, f.rf, v)
                       : shape == 1 ? BINARY (SEQ, v, f.rf)
                                    : BINARY (SEQ, v, v);
      RspNodeId body = BINARY (UNION, f.rf, step);
      ck_assert (rsp_dag_fix_end (f.dag, group, &body, &fix));
      ck_assert_int_ne (rsp_dag_node (f.dag, fix)->op, RSP_NODE_FIX);
      RspValuation *valuation = rsp_valuation_new (f.dag, (RspNodeId[]){ fix, plus }, 2);
      ck_assert (rsp_valuation_evaluate (valuation, f.world->rf, f.world->co, NULL));
      ck_assert (rsp_matrix_equal (rsp_valuation_get (valuation, fix),
                                   rsp_valuation_get (valuation, plus)));
      rsp_valuation_free (valuation);
    }
  fixture_free (f);
}
END_TEST

/* a = rf | (b & co), b = co | (a;b): two at once, distinguished by their values outside. */
START_TEST (mutual_recursion)
{
  Fixture f = fixture_new ();
  gboolean kinds[] = { FALSE, FALSE };
  RspNodeId v[2], fixes[2];
  guint group = rsp_dag_fix_begin (f.dag, 2, kinds, v);
  RspNodeId bodies[] = { BINARY (UNION, f.rf, BINARY (INTER, v[1], f.co)),
                         BINARY (UNION, f.co, BINARY (SEQ, v[0], v[1])) };
  ck_assert (rsp_dag_fix_end (f.dag, group, bodies, fixes));
  ck_assert (g_array_index (f.dag->groups, RspFix, group).monotone);
  const RspMatrix *rf = f.world->rf, *co = f.world->co;
  RspMatrix *a = rsp_relation_new (f.world->arena, 6), *b = rsp_relation_new (f.world->arena, 6);
  RspMatrix *next = rsp_relation_new (f.world->arena, 6);
  for (guint round = 0; round < 100; round++)
    {
      rsp_relation_compose (next, a, b);
      rsp_matrix_intersect (a, b, co);
      rsp_matrix_union (a, a, rf);
      rsp_matrix_union (b, next, co);
    }
  /* The second fix alone must work, and so must both. */
  for (guint first = 0; first < 2; first++)
    {
      RspValuation *valuation = rsp_valuation_new (f.dag, fixes + first, 2 - first);
      ck_assert (rsp_valuation_evaluate (valuation, rf, co, NULL));
      ck_assert (rsp_matrix_equal (rsp_valuation_get (valuation, fixes[1]), b));
      if (first == 0)
        ck_assert (rsp_matrix_equal (rsp_valuation_get (valuation, fixes[0]), a));
      rsp_valuation_free (valuation);
    }
  fixture_free (f);
}
END_TEST

START_TEST (recursion_without_a_fixpoint_is_reported)
{
  Fixture f = fixture_new ();
  gboolean is_set = FALSE;
  RspNodeId v, fix;
  guint group = rsp_dag_fix_begin (f.dag, 1, &is_set, &v);
  RspNodeId body = BINARY (DIFF, f.c, v); /* static: reported at once */
  ck_assert (!rsp_dag_fix_end (f.dag, group, &body, &fix));
  group = rsp_dag_fix_begin (f.dag, 1, &is_set, &v);
  body = BINARY (DIFF, f.rf, v); /* reported when evaluated */
  ck_assert (rsp_dag_fix_end (f.dag, group, &body, &fix));
  ck_assert (!g_array_index (f.dag->groups, RspFix, group).monotone);
  RspValuation *valuation = rsp_valuation_new (f.dag, &fix, 1);
  rsp_matrix_add (f.world->rf, 0, 1);
  ck_assert (!rsp_valuation_evaluate (valuation, f.world->rf, f.world->co, NULL));
  rsp_matrix_clear (f.world->rf);
  ck_assert (rsp_valuation_evaluate (valuation, f.world->rf, f.world->co, NULL));
  ck_assert (rsp_matrix_is_empty (rsp_valuation_get (valuation, fix)));
  rsp_valuation_free (valuation);
  fixture_free (f);
}
END_TEST

START_TEST (static_recursion_is_a_constant)
{
  Fixture f = fixture_new ();
  gboolean is_set = TRUE;
  RspNodeId v, fix;
  guint group = rsp_dag_fix_begin (f.dag, 1, &is_set, &v);
  /* What c reaches from s. */
  RspNodeId step = UNARY (DOMAIN, UNARY (INVERSE, BINARY (SEQ, UNARY (IDENTITY, v), f.c)));
  RspNodeId body = BINARY (UNION, f.s, step);
  ck_assert (rsp_dag_fix_end (f.dag, group, &body, &fix));
  RspNodeId star = BINARY (UNION, UNARY (PLUS, f.c), f.id);
  RspNodeId reached = BINARY (SEQ, UNARY (IDENTITY, f.s), star);
  ck_assert_uint_eq (fix, UNARY (DOMAIN, UNARY (INVERSE, reached)));
  fixture_free (f);
}
END_TEST

Suite *
dag_suite (void)
{
  Suite *suite = suite_create ("dag");
  TCase *tests = tcase_create ("dag");
  tcase_set_timeout (tests, 120);
  tcase_add_loop_test (tests, the_dag_and_direct_evaluation_agree, 0, G_N_ELEMENTS (sizes));
  tcase_add_test (tests, laws_find_equal_expressions);
  tcase_add_test (tests, recursion_that_is_a_closure_becomes_one);
  tcase_add_loop_test (tests, recursion_under_masks, 0, 6);
  tcase_add_test (tests, mutual_recursion);
  tcase_add_test (tests, recursion_without_a_fixpoint_is_reported);
  tcase_add_test (tests, static_recursion_is_a_constant);
  suite_add_tcase (suite, tests);
  return suite;
}
