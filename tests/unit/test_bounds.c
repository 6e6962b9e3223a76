/* Bounds against hidden completions: whatever the bounds say about a partial execution must be true of
 * a completion that it allows. */
#include "model/bounds/bounds.h"
#include "model/bounds/label.h"
#include "model/dag/fix.h"
#include "model/dag/valuation.h"
#include "model/stage/stage.h"

#include <check.h>
#include <string.h>

Suite *bounds_suite (void);

typedef struct Fixture
{
  GRand *random;
  RspArena *arena;
  RspDag *dag;
  guint n;
  RspMatrix *rf_hi, *co_hi;
  RspMatrix *hidden[2]; /* the completion: rf, co */
  RspStagedModel model;
  RspBounds *bounds;
} Fixture;

static guint
below (Fixture *f, guint n)
{
  return (guint) g_rand_int_range (f->random, 0, (gint32) n);
}

static RspMatrix *
random_matrix (Fixture *f, gboolean is_set, guint one_in)
{
  RspMatrix *m = is_set ? rsp_set_new (f->arena, f->n) : rsp_relation_new (f->arena, f->n);
  for (guint i = 0; i < m->rows; i++)
    for (guint j = 0; j < f->n; j++)
      if (below (f, one_in) == 0)
        rsp_matrix_add (m, i, j);
  return m;
}

/* Even events write, odd ones read; two locations by the event's number. */
static void
make_base (Fixture *f)
{
  f->rf_hi = rsp_relation_new (f->arena, f->n);
  f->co_hi = rsp_relation_new (f->arena, f->n);
  f->hidden[0] = rsp_relation_new (f->arena, f->n);
  f->hidden[1] = rsp_relation_new (f->arena, f->n);
  for (guint r = 1; r < f->n; r += 2)
    {
      guint source = 2 * below (f, (f->n + 1) / 2);
      for (guint w = 0; w < f->n; w += 2)
        if (w == source || below (f, 3) == 0)
          rsp_matrix_add (f->rf_hi, w, r);
      rsp_matrix_add (f->hidden[0], source, r);
    }
  g_autofree guint *rank = g_new (guint, f->n);
  for (guint w = 0; w < f->n; w += 2)
    rank[w] = below (f, 1000) * f->n + w;
  for (guint v = 0; v < f->n; v += 2)
    for (guint w = 0; w < f->n; w += 2)
      if (v != w && v % 4 == w % 4)
        {
          rsp_matrix_add (f->co_hi, v, w);
          if (rank[v] < rank[w])
            rsp_matrix_add (f->hidden[1], v, w);
        }
}

static RspNodeId
random_node (Fixture *f, guint depth, gboolean is_set)
{
  if (depth == 0 || below (f, 8) == 0)
    {
      guint leaf = below (f, 5);
      if (!is_set && leaf < 4)
        return rsp_dag_base (f->dag, leaf % 2 ? RSP_NODE_CO : RSP_NODE_RF, 0);
      return rsp_dag_constant (f->dag, is_set,
                               random_matrix (f, is_set, is_set ? 2 : 2 + below (f, f->n)));
    }
  RspNodeOp pointwise[] = { RSP_NODE_UNION, RSP_NODE_INTER, RSP_NODE_DIFF };
  guint op = below (f, is_set ? 4 : 9);
  if (op < 3)
    {
      RspNodeId a = random_node (f, depth - 1, is_set), b = random_node (f, depth - 1, is_set);
      return rsp_dag_binary (f->dag, pointwise[op], a, b);
    }
  if (is_set)
    return rsp_dag_unary (f->dag, RSP_NODE_DOMAIN, random_node (f, depth - 1, FALSE));
  if (op == 3)
    return rsp_dag_unary (f->dag, RSP_NODE_IDENTITY, random_node (f, depth - 1, TRUE));
  if (op == 4)
    {
      RspNodeId a = random_node (f, depth - 1, TRUE), b = random_node (f, depth - 1, TRUE);
      return rsp_dag_binary (f->dag, RSP_NODE_PRODUCT, a, b);
    }
  if (op == 5)
    return rsp_dag_unary (f->dag, RSP_NODE_INVERSE, random_node (f, depth - 1, FALSE));
  if (op == 6)
    return rsp_dag_unary (f->dag, RSP_NODE_PLUS, random_node (f, depth - 1, FALSE));
  RspNodeId a = random_node (f, depth - 1, FALSE), b = random_node (f, depth - 1, FALSE);
  return rsp_dag_binary (f->dag, RSP_NODE_SEQ, a, b);
}

/* let rec v = (a | (v ; b)) \ c, on random a, b, c. */
static RspNodeId
random_fix (Fixture *f)
{
  gboolean is_set = FALSE;
  RspNodeId variable, fix;
  RspNodeId a = random_node (f, 1, FALSE), b = random_node (f, 1, FALSE),
            c = random_node (f, 1, FALSE);
  guint group = rsp_dag_fix_begin (f->dag, 1, &is_set, &variable);
  RspNodeId body = rsp_dag_binary (f->dag, RSP_NODE_SEQ, variable, b);
  body = rsp_dag_binary (f->dag, RSP_NODE_UNION, a, body);
  body = rsp_dag_binary (f->dag, RSP_NODE_DIFF, body, c);
  ck_assert (rsp_dag_fix_end (f->dag, group, &body, &fix));
  return fix;
}

/* let rec v = a | (let rec w = (v & b) | (w ; c) in w) | (v ; d), less e or not, on random a, …:
 * monotone unless something is subtracted from an expression that depends on w or v. */
static RspNodeId
random_nested_fix (Fixture *f)
{
  gboolean is_set = FALSE;
  RspNodeId v, w, inner, outer, part[5];
  for (guint i = 0; i < G_N_ELEMENTS (part); i++)
    part[i] = random_node (f, 1, FALSE);
  guint around = rsp_dag_fix_begin (f->dag, 1, &is_set, &v);
  guint inside = rsp_dag_fix_begin (f->dag, 1, &is_set, &w);
  RspNodeId body = rsp_dag_binary (f->dag, RSP_NODE_SEQ, w, part[2]);
  RspNodeId start = rsp_dag_binary (f->dag, RSP_NODE_INTER, v, part[1]);
  body = rsp_dag_binary (f->dag, RSP_NODE_UNION, start, body);
  body = rsp_dag_binary (f->dag, below (f, 2) ? RSP_NODE_DIFF : RSP_NODE_UNION, body, part[4]);
  ck_assert (rsp_dag_fix_end (f->dag, inside, &body, &inner));
  body = rsp_dag_binary (f->dag, RSP_NODE_SEQ, v, part[3]);
  body = rsp_dag_binary (f->dag, RSP_NODE_UNION, body, inner);
  body = rsp_dag_binary (f->dag, RSP_NODE_UNION, part[0], body);
  ck_assert (rsp_dag_fix_end (f->dag, around, &body, &outer));
  return outer;
}

enum
{
  N_AXIOMS = 6
};

static void
make_model (Fixture *f)
{
  f->model.dag = f->dag;
  f->model.n_axioms = N_AXIOMS;
  f->model.axioms = rsp_arena_new0 (f->arena, RspStagedAxiom, N_AXIOMS);
  for (guint i = 0; i < N_AXIOMS; i++)
    {
      RspStagedAxiom *axiom = &f->model.axioms[i];
      axiom->kind = (RspcheckAxiomKind) below (f, 3);
      axiom->negated = below (f, 4) == 0;
      axiom->node = i == 1   ? random_fix (f)
                    : i == 2 ? random_nested_fix (f)
                             : random_node (f, 3, FALSE);
      axiom->root = rsp_axiom_root (f->dag, axiom->kind, axiom->node);
    }
}

static void
evaluate_hidden (Fixture *f, gboolean *holds)
{
  RspNodeId roots[N_AXIOMS];
  for (guint i = 0; i < N_AXIOMS; i++)
    roots[i] = f->model.axioms[i].node;
  RspValuation *valuation = rsp_valuation_new (f->dag, roots, N_AXIOMS);
  ck_assert (rsp_valuation_evaluate (valuation, f->hidden[0], f->hidden[1], NULL));
  for (guint i = 0; i < N_AXIOMS; i++)
    {
      holds[i] = rsp_axiom_holds (&f->model.axioms[i], rsp_valuation_get (valuation, roots[i]));
      /* Plain if the completion passes, so that it is never pruned and all forced pairs are
       * tested. */
      f->model.axioms[i].role = holds[i] ? RSPCHECK_ROLE_AXIOM : RSPCHECK_ROLE_FLAG;
    }
  rsp_valuation_free (valuation);
}

/* Decides or excludes one pair as in the hidden completion. FALSE if it was already decided. */
static gboolean
reveal (Fixture *f, guint leaf, guint x, guint y)
{
  const RspMatrix *hi = leaf == RSP_LEAF_RF ? f->rf_hi : f->co_hi;
  const guint64 *lo = rsp_bounds_lo (f->bounds, leaf, x), *up = rsp_bounds_hi (f->bounds, leaf, x);
  gboolean in_lo = (lo[y / 64] >> (y % 64)) & 1, in_hi = (up[y / 64] >> (y % 64)) & 1;
  if (!rsp_matrix_get (hi, x, y) || in_lo || !in_hi)
    return FALSE;
  if (rsp_matrix_get (f->hidden[leaf], x, y))
    rsp_bounds_decide (f->bounds, leaf, x, y);
  else
    rsp_bounds_exclude (f->bounds, leaf, x, y);
  return TRUE;
}

static void
compare_truths (Fixture *f, const gboolean *holds, gboolean all_known)
{
  for (guint i = 0; i < N_AXIOMS; i++)
    {
      RspTruth truth = rsp_bounds_axiom (f->bounds, i);
      ck_assert (!all_known || truth != RSP_OPEN);
      if (truth != RSP_OPEN)
        ck_assert_int_eq (truth == RSP_HOLDS, holds[i]);
    }
}

static gboolean
has_pair (const GArray *forced, const RspForced *pair)
{
  for (guint i = 0; i < forced->len; i++)
    {
      const RspForced *other = &g_array_index (forced, RspForced, i);
      if (other->leaf == pair->leaf && other->a == pair->a && other->b == pair->b
          && other->required == pair->required)
        return TRUE;
    }
  return FALSE;
}

/* All axioms together force the union of what each one forces, without duplicates. */
static void
compare_with_each (Fixture *f, const GArray *forced)
{
  g_autoptr (GArray) each = g_array_new (FALSE, FALSE, sizeof (RspForced));
  for (guint i = 0; i < N_AXIOMS; i++)
    {
      g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (RspForced));
      rsp_bounds_force_by (f->bounds, i, one);
      for (guint j = 0; j < one->len; j++)
        {
          const RspForced *pair = &g_array_index (one, RspForced, j);
          ck_assert (has_pair (forced, pair));
          if (!has_pair (each, pair))
            g_array_append_vals (each, pair, 1);
        }
    }
  ck_assert_uint_eq (each->len, forced->len);
}

/* What plain checks force must hold in a completion that passes them. */
static void
compare_forced (Fixture *f)
{
  g_autoptr (GArray) forced = g_array_new (FALSE, FALSE, sizeof (RspForced));
  rsp_bounds_force (f->bounds, forced);
  for (guint i = 0; i < forced->len; i++)
    {
      RspForced pair = g_array_index (forced, RspForced, i);
      ck_assert_int_eq (rsp_matrix_get (f->hidden[pair.leaf], pair.a, pair.b), pair.required);
    }
  compare_with_each (f, forced);
}

/* Reveals the hidden completion in random portions, sometimes taking a portion back. */
static void
reveal_all (Fixture *f, const gboolean *holds)
{
  for (guint round = 0; round < 12; round++)
    {
      gboolean take_back = below (f, 3) == 0;
      RspTruth before[N_AXIOMS];
      for (guint i = 0; i < N_AXIOMS; i++)
        before[i] = rsp_bounds_axiom (f->bounds, i);
      rsp_bounds_push (f->bounds);
      for (guint i = 0; i < f->n * f->n / 8 + 1; i++)
        reveal (f, below (f, 2), below (f, f->n), below (f, f->n));
      ck_assert (rsp_bounds_update (f->bounds));
      compare_truths (f, holds, FALSE);
      compare_forced (f);
      if (!take_back)
        continue;
      rsp_bounds_pop (f->bounds);
      for (guint i = 0; i < N_AXIOMS; i++)
        ck_assert_int_eq (rsp_bounds_axiom (f->bounds, i), before[i]);
    }
  for (guint leaf = 0; leaf < 2; leaf++)
    for (guint x = 0; x < f->n; x++)
      for (guint y = 0; y < f->n; y++)
        reveal (f, leaf, x, y);
  ck_assert (rsp_bounds_update (f->bounds));
  compare_truths (f, holds, TRUE);
}

static void
run_one (guint32 seed, guint n)
{
  Fixture f = { .random = g_rand_new_with_seed (seed), .arena = rsp_arena_new (), .n = n };
  gboolean holds[N_AXIOMS];
  f.dag = rsp_dag_new (f.arena, n);
  make_base (&f);
  make_model (&f);
  evaluate_hidden (&f, holds);
  guint n_nodes = f.dag->nodes->len;
  f.bounds = rsp_bounds_new (&f.model, f.rf_hi, f.co_hi, f.arena);
  ck_assert_ptr_nonnull (f.bounds);
  ck_assert_uint_eq (f.dag->nodes->len, n_nodes);
  reveal_all (&f, holds);
  rsp_bounds_free (f.bounds);
  rsp_dag_free (f.dag);
  rsp_arena_free (f.arena);
  g_rand_free (f.random);
}

START_TEST (test_one_word)
{
  for (guint32 seed = 0; seed < 2500; seed++)
    run_one (seed, 4 + seed % 9);
}
END_TEST

START_TEST (test_wider)
{
  for (guint32 seed = 0; seed < 8; seed++)
    {
      run_one (seed, 70);
      run_one (seed, 131);
      run_one (seed, 260);
    }
}
END_TEST

/* ---- What the last pair of a negated axiom requires ---- */

/* Writes 0 and 2, reads 1 and 3: nothing is decided. */
static void
begin_four (Fixture *f)
{
  *f = (Fixture){ .arena = rsp_arena_new (), .n = 4 };
  f->dag = rsp_dag_new (f->arena, f->n);
  f->rf_hi = rsp_relation_new (f->arena, f->n);
  f->co_hi = rsp_relation_new (f->arena, f->n);
  for (guint w = 0; w < 4; w += 2)
    {
      rsp_matrix_add (f->rf_hi, w, 1);
      rsp_matrix_add (f->rf_hi, w, 3);
      rsp_matrix_add (f->co_hi, w, 2 - w);
    }
}

static RspNodeId
constant_pair (Fixture *f, guint x, guint y)
{
  RspMatrix *m = rsp_relation_new (f->arena, f->n);
  rsp_matrix_add (m, x, y);
  return rsp_dag_constant (f->dag, FALSE, m);
}

/* The bounds of one axiom, `empty node` or `~empty node`. */
static void
make_axiom (Fixture *f, RspNodeId node, gboolean negated)
{
  RspStagedAxiom *axiom = rsp_arena_new0 (f->arena, RspStagedAxiom, 1);
  *axiom = (RspStagedAxiom){
    .kind = RSPCHECK_AXIOM_EMPTY, .negated = negated, .role = RSPCHECK_ROLE_AXIOM, .node = node
  };
  axiom->root = rsp_axiom_root (f->dag, axiom->kind, node);
  f->model = (RspStagedModel){ .dag = f->dag, .n_axioms = 1, .axioms = axiom };
  f->bounds = rsp_bounds_new (&f->model, f->rf_hi, f->co_hi, f->arena);
}

static void
end_four (Fixture *f)
{
  rsp_bounds_free (f->bounds);
  rsp_dag_free (f->dag);
  rsp_arena_free (f->arena);
}

/* "rf 0 1; ": what `~empty node` forces; newly allocated. */
static char *
forced_by_nonempty (Fixture *f, RspNodeId node)
{
  make_axiom (f, node, TRUE);
  g_autoptr (GArray) forced = g_array_new (FALSE, FALSE, sizeof (RspForced));
  GString *text = g_string_new (NULL);
  rsp_bounds_force (f->bounds, forced);
  for (guint i = 0; i < forced->len; i++)
    {
      RspForced pair = g_array_index (forced, RspForced, i);
      g_string_append_printf (text, "%s%s %u %u; ", pair.required ? "" : "no ",
                              pair.leaf == RSP_LEAF_RF ? "rf" : "co", pair.a, pair.b);
    }
  end_four (f);
  return g_string_free (text, FALSE);
}

START_TEST (test_the_only_way)
{
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0);
  RspNodeId step = rsp_dag_binary (f.dag, RSP_NODE_SEQ, constant_pair (&f, 3, 0), rf);
  RspNodeId one = rsp_dag_binary (f.dag, RSP_NODE_INTER, step, constant_pair (&f, 3, 1));
  g_autofree char *forced = forced_by_nonempty (&f, one);
  ck_assert_str_eq (forced, "rf 0 1; ");
}
END_TEST

START_TEST (test_several_ways)
{
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0);
  RspNodeId steps
      = rsp_dag_binary (f.dag, RSP_NODE_UNION, constant_pair (&f, 1, 2), constant_pair (&f, 3, 2));
  RspNodeId ways = rsp_dag_binary (f.dag, RSP_NODE_SEQ, rf, steps);
  RspNodeId one = rsp_dag_binary (f.dag, RSP_NODE_INTER, ways, constant_pair (&f, 0, 2));
  g_autofree char *forced = forced_by_nonempty (&f, one);
  ck_assert_str_eq (forced, "");
}
END_TEST

START_TEST (test_either_side)
{
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0), co = rsp_dag_base (f.dag, RSP_NODE_CO, 0);
  RspNodeId other = rsp_dag_binary (f.dag, RSP_NODE_SEQ, co, constant_pair (&f, 2, 1));
  RspNodeId either = rsp_dag_binary (f.dag, RSP_NODE_UNION, rf, other);
  RspNodeId one = rsp_dag_binary (f.dag, RSP_NODE_INTER, either, constant_pair (&f, 0, 1));
  g_autofree char *forced = forced_by_nonempty (&f, one);
  ck_assert_str_eq (forced, "");
}
END_TEST

START_TEST (test_one_side)
{
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0), co = rsp_dag_base (f.dag, RSP_NODE_CO, 0);
  RspNodeId either = rsp_dag_binary (f.dag, RSP_NODE_UNION, rf, co);
  RspNodeId one = rsp_dag_binary (f.dag, RSP_NODE_INTER, either, constant_pair (&f, 0, 2));
  g_autofree char *forced = forced_by_nonempty (&f, one);
  ck_assert_str_eq (forced, "co 0 2; ");
}
END_TEST

/* ---- Recursion that is not monotone ---- */

/* let rec v = c \ (v ; rf), c = {(1,0), (1,1)}: has (1,1) unless 1 reads from 0, which is not known. */
START_TEST (test_not_monotone)
{
  Fixture f;
  gboolean is_set = FALSE;
  RspNodeId variable, fix;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0);
  guint group = rsp_dag_fix_begin (f.dag, 1, &is_set, &variable);
  RspNodeId c
      = rsp_dag_binary (f.dag, RSP_NODE_UNION, constant_pair (&f, 1, 0), constant_pair (&f, 1, 1));
  RspNodeId body = rsp_dag_binary (f.dag, RSP_NODE_DIFF, c,
                                   rsp_dag_binary (f.dag, RSP_NODE_SEQ, variable, rf));
  ck_assert (rsp_dag_fix_end (f.dag, group, &body, &fix));
  make_axiom (&f, rsp_dag_binary (f.dag, RSP_NODE_INTER, fix, constant_pair (&f, 1, 1)), FALSE);
  ck_assert_int_eq (rsp_bounds_axiom (f.bounds, 0), RSP_OPEN);
  rsp_bounds_push (f.bounds);
  rsp_bounds_decide (f.bounds, RSP_LEAF_RF, 0, 1);
  for (guint w = 0; w < 4; w += 2)
    rsp_bounds_exclude (f.bounds, RSP_LEAF_RF, w, 3);
  rsp_bounds_exclude (f.bounds, RSP_LEAF_RF, 2, 1);
  ck_assert (rsp_bounds_update (f.bounds));
  ck_assert_int_eq (rsp_bounds_axiom (f.bounds, 0), RSP_HOLDS);
  end_four (&f);
}
END_TEST

/* ---- Labels ---- */

/* Axioms that differ in one thing each: an operand, the kind, the role, the negation. */
START_TEST (test_labels)
{
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0), co = rsp_dag_base (f.dag, RSP_NODE_CO, 0);
  RspNodeId nodes[] = { rsp_dag_binary (f.dag, RSP_NODE_SEQ, co, rf),
                        rsp_dag_binary (f.dag, RSP_NODE_SEQ, co, co),
                        rsp_dag_binary (f.dag, RSP_NODE_SEQ, rf, co),
                        rsp_dag_binary (f.dag, RSP_NODE_UNION, rf, co),
                        rsp_dag_unary (f.dag, RSP_NODE_INVERSE, co),
                        rsp_dag_binary (f.dag, RSP_NODE_UNION, co, constant_pair (&f, 1, 3)),
                        rsp_dag_binary (f.dag, RSP_NODE_UNION, co, constant_pair (&f, 3, 1)) };
  RspStagedAxiom axioms[4 * G_N_ELEMENTS (nodes)];
  guint64 labels[G_N_ELEMENTS (axioms)];
  const guint names[] = { 0, 1, 2, 3 };
  for (guint i = 0; i < G_N_ELEMENTS (axioms); i++)
    {
      axioms[i] = (RspStagedAxiom){ .kind = i % 4 == 1 ? RSPCHECK_AXIOM_IRREFLEXIVE
                                                       : RSPCHECK_AXIOM_EMPTY,
                                    .negated = i % 4 == 2,
                                    .role = i % 4 == 3 ? RSPCHECK_ROLE_FLAG : RSPCHECK_ROLE_AXIOM,
                                    .node = nodes[i / 4] };
      axioms[i].root = rsp_axiom_root (f.dag, axioms[i].kind, axioms[i].node);
    }
  f.model = (RspStagedModel){ .dag = f.dag, .n_axioms = G_N_ELEMENTS (axioms), .axioms = axioms };
  f.bounds = rsp_bounds_new (&f.model, f.rf_hi, f.co_hi, f.arena);
  ck_assert (rsp_bounds_name (f.bounds, names, f.n));
  for (guint i = 0; i < G_N_ELEMENTS (axioms); i++)
    {
      labels[i] = bounds_axiom_label (f.bounds, i);
      for (guint j = 0; j < i; j++)
        ck_assert_msg (labels[i] != labels[j], "axioms %u and %u have one label", j, i);
    }
  end_four (&f);
}
END_TEST

Suite *
bounds_suite (void)
{
  Suite *suite = suite_create ("bounds");
  TCase *tests = tcase_create ("hidden completions");
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_one_word);
  tcase_add_test (tests, test_wider);
  suite_add_tcase (suite, tests);
  TCase *last = tcase_create ("the last pair of a negated axiom");
  tcase_add_test (last, test_the_only_way);
  tcase_add_test (last, test_several_ways);
  tcase_add_test (last, test_either_side);
  tcase_add_test (last, test_one_side);
  suite_add_tcase (suite, last);
  TCase *recursion = tcase_create ("recursion");
  tcase_add_test (recursion, test_not_monotone);
  suite_add_tcase (suite, recursion);
  TCase *labels = tcase_create ("labels");
  tcase_add_test (labels, test_labels);
  suite_add_tcase (suite, labels);
  return suite;
}
