/* Bounds against hidden completions: whatever the bounds say about a partial execution must be true
 * of a completion that it allows. */
#include "model/bounds/bounds.h"
#include "model/dag/dag.h"
#include "model/stage/stage.h"

#include <check.h>
#include <string.h>

Suite *bounds_suite (void);

typedef struct Fixture {
  GRand *random;
  RspArena *arena;
  RspDag *dag;
  guint n;
  RspMatrix *rf_hi, *co_hi;
  RspMatrix *hidden[2]; /* the completion: rf, co */
  RspStagedModel model;
  RspBounds *bounds;
} Fixture;

static guint below (Fixture *f, guint n) {
  return (guint) g_rand_int_range (f->random, 0, (gint32) n);
}

static RspMatrix *random_matrix (Fixture *f, gboolean is_set, guint one_in) {
  RspMatrix *m = is_set ? rsp_set_new (f->arena, f->n) : rsp_relation_new (f->arena, f->n);
  for (guint i = 0; i < m->rows; i++)
    for (guint j = 0; j < f->n; j++)
      if (below (f, one_in) == 0)
        rsp_matrix_add (m, i, j);
  return m;
}

/* Even events write, odd ones read; two locations by the event's number. */
static void make_base (Fixture *f) {
  f->rf_hi = rsp_relation_new (f->arena, f->n);
  f->co_hi = rsp_relation_new (f->arena, f->n);
  f->hidden[0] = rsp_relation_new (f->arena, f->n);
  f->hidden[1] = rsp_relation_new (f->arena, f->n);
  for (guint r = 1; r < f->n; r += 2) {
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
      if (v != w && v % 4 == w % 4) {
        rsp_matrix_add (f->co_hi, v, w);
        if (rank[v] < rank[w])
          rsp_matrix_add (f->hidden[1], v, w);
      }
}

static RspNodeId random_node (Fixture *f, guint depth, gboolean is_set) {
  if (depth == 0 || below (f, 8) == 0) {
    guint leaf = below (f, 5);
    if (!is_set && leaf < 4)
      return rsp_dag_base (f->dag, leaf % 2 ? RSP_NODE_CO : RSP_NODE_RF, 0);
    return rsp_dag_constant (f->dag, is_set,
                             random_matrix (f, is_set, is_set ? 2 : 2 + below (f, f->n)));
  }
  RspNodeOp pointwise[] = { RSP_NODE_UNION, RSP_NODE_INTER, RSP_NODE_DIFF };
  guint op = below (f, is_set ? 4 : 9);
  if (op < 3) {
    RspNodeId a = random_node (f, depth - 1, is_set), b = random_node (f, depth - 1, is_set);
    return rsp_dag_binary (f->dag, pointwise[op], a, b);
  }
  if (is_set)
    return rsp_dag_unary (f->dag, RSP_NODE_DOMAIN, random_node (f, depth - 1, FALSE));
  if (op == 3)
    return rsp_dag_unary (f->dag, RSP_NODE_IDENTITY, random_node (f, depth - 1, TRUE));
  if (op == 4) {
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
static RspNodeId random_fix (Fixture *f) {
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
static RspNodeId random_nested_fix (Fixture *f) {
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

enum { N_AXIOMS = 6 };

static void make_model (Fixture *f) {
  f->model.dag = f->dag;
  f->model.n_axioms = N_AXIOMS;
  f->model.axioms = rsp_arena_new0 (f->arena, RspStagedAxiom, N_AXIOMS);
  for (guint i = 0; i < N_AXIOMS; i++) {
    RspStagedAxiom *axiom = &f->model.axioms[i];
    axiom->kind = (RspcheckAxiomKind) below (f, 3);
    axiom->negated = below (f, 4) == 0;
    axiom->node = i == 1   ? random_fix (f)
                  : i == 2 ? random_nested_fix (f)
                           : random_node (f, 3, FALSE);
    axiom->root = rsp_axiom_root (f->dag, axiom->kind, axiom->node);
  }
}

static void evaluate_hidden (Fixture *f, gboolean *holds) {
  RspNodeId roots[N_AXIOMS];
  for (guint i = 0; i < N_AXIOMS; i++)
    roots[i] = f->model.axioms[i].node;
  RspValuation *valuation = rsp_valuation_new (f->dag, roots, N_AXIOMS);
  ck_assert (rsp_valuation_evaluate (valuation, f->hidden[0], f->hidden[1], NULL));
  for (guint i = 0; i < N_AXIOMS; i++) {
    holds[i] = rsp_axiom_holds (&f->model.axioms[i], rsp_valuation_get (valuation, roots[i]));
    /* Plain if the completion passes, so that it is never pruned and all forced pairs are
     * tested. */
    f->model.axioms[i].role = holds[i] ? RSPCHECK_ROLE_AXIOM : RSPCHECK_ROLE_FLAG;
  }
  rsp_valuation_free (valuation);
}

/* Decides or excludes one pair as in the hidden completion. FALSE if it was already decided. */
static gboolean reveal (Fixture *f, guint leaf, guint x, guint y) {
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

static void compare_truths (Fixture *f, const gboolean *holds, gboolean all_known) {
  for (guint i = 0; i < N_AXIOMS; i++) {
    RspTruth truth = rsp_bounds_axiom (f->bounds, i);
    ck_assert (!all_known || truth != RSP_OPEN);
    if (truth != RSP_OPEN)
      ck_assert_int_eq (truth == RSP_HOLDS, holds[i]);
  }
}

static gboolean has_pair (const GArray *forced, const RspForced *pair) {
  for (guint i = 0; i < forced->len; i++) {
    const RspForced *other = &g_array_index (forced, RspForced, i);
    if (other->leaf == pair->leaf && other->a == pair->a && other->b == pair->b
        && other->required == pair->required)
      return TRUE;
  }
  return FALSE;
}

/* All axioms together force the union of what each one forces, without duplicates. */
static void compare_with_each (Fixture *f, const GArray *forced) {
  g_autoptr (GArray) each = g_array_new (FALSE, FALSE, sizeof (RspForced));
  for (guint i = 0; i < N_AXIOMS; i++) {
    g_autoptr (GArray) one = g_array_new (FALSE, FALSE, sizeof (RspForced));
    rsp_bounds_force_by (f->bounds, i, one);
    for (guint j = 0; j < one->len; j++) {
      const RspForced *pair = &g_array_index (one, RspForced, j);
      ck_assert (has_pair (forced, pair));
      if (!has_pair (each, pair))
        g_array_append_vals (each, pair, 1);
    }
  }
  ck_assert_uint_eq (each->len, forced->len);
}

/* What plain checks force must hold in a completion that passes them. */
static void compare_forced (Fixture *f) {
  g_autoptr (GArray) forced = g_array_new (FALSE, FALSE, sizeof (RspForced));
  rsp_bounds_force (f->bounds, forced);
  for (guint i = 0; i < forced->len; i++) {
    RspForced pair = g_array_index (forced, RspForced, i);
    ck_assert_int_eq (rsp_matrix_get (f->hidden[pair.leaf], pair.a, pair.b), pair.required);
  }
  compare_with_each (f, forced);
}

/* Reveals the hidden completion in random portions, sometimes taking a portion back. */
static void reveal_all (Fixture *f, const gboolean *holds) {
  for (guint round = 0; round < 12; round++) {
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

/* Some pairs of the completion are known from the beginning. */
static RspExtent draw_extent (Fixture *f, guint leaf) {
  RspMatrix *least = rsp_relation_new (f->arena, f->n);
  if (below (f, 2))
    rsp_matrix_intersect (least, f->hidden[leaf], random_matrix (f, FALSE, 1 + below (f, 4)));
  return (RspExtent){ least, leaf ? f->co_hi : f->rf_hi };
}

static void run_one (guint32 seed, guint n) {
  Fixture f = { .random = g_rand_new_with_seed (seed), .arena = rsp_arena_new (), .n = n };
  gboolean holds[N_AXIOMS];
  f.dag = rsp_dag_new (f.arena, n);
  make_base (&f);
  make_model (&f);
  evaluate_hidden (&f, holds);
  guint n_nodes = f.dag->nodes->len;
  f.bounds = rsp_bounds_new (&f.model, draw_extent (&f, 0), draw_extent (&f, 1), f.arena);
  ck_assert_ptr_nonnull (f.bounds);
  ck_assert_uint_eq (f.dag->nodes->len, n_nodes);
  reveal_all (&f, holds);
  rsp_bounds_free (f.bounds);
  rsp_dag_free (f.dag);
  rsp_arena_free (f.arena);
  g_rand_free (f.random);
}

START_TEST (test_one_word) {
  for (guint32 seed = 0; seed < 2500; seed++)
    run_one (seed, 4 + seed % 9);
}
END_TEST

START_TEST (test_wider) {
  for (guint32 seed = 0; seed < 8; seed++) {
    run_one (seed, 70);
    run_one (seed, 131);
    run_one (seed, 260);
  }
}
END_TEST

Suite *bounds_suite (void) {
  Suite *suite = suite_create ("bounds");
  TCase *tests = tcase_create ("hidden completions");
  tcase_set_timeout (tests, 120);
  tcase_add_test (tests, test_one_word);
  tcase_add_test (tests, test_wider);
  suite_add_tcase (suite, tests);
  return suite;
}
