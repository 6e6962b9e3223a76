/* Bounds of single axioms on four events of which nothing is decided. */
#include "model/bounds/bounds.h"
#include "model/dag/dag.h"
#include "model/stage/stage.h"

#include <check.h>

Suite *bounds_axiom_suite (void);

typedef struct Fixture {
  RspArena *arena;
  RspDag *dag;
  guint n;
  RspMatrix *rf_hi, *co_hi;
  RspStagedModel model;
  RspBounds *bounds;
} Fixture;

/* ---- What the last pair of a negated axiom requires ---- */

/* Writes 0 and 2, reads 1 and 3: nothing is decided. */
static void begin_four (Fixture *f) {
  *f = (Fixture){ .arena = rsp_arena_new (), .n = 4 };
  f->dag = rsp_dag_new (f->arena, f->n);
  f->rf_hi = rsp_relation_new (f->arena, f->n);
  f->co_hi = rsp_relation_new (f->arena, f->n);
  for (guint w = 0; w < 4; w += 2) {
    rsp_matrix_add (f->rf_hi, w, 1);
    rsp_matrix_add (f->rf_hi, w, 3);
    rsp_matrix_add (f->co_hi, w, 2 - w);
  }
}

static RspNodeId constant_pair (Fixture *f, guint x, guint y) {
  RspMatrix *m = rsp_relation_new (f->arena, f->n);
  rsp_matrix_add (m, x, y);
  return rsp_dag_constant (f->dag, FALSE, m);
}

static RspNodeId constant_pairs (Fixture *f, guint x, guint y, guint v, guint w) {
  return rsp_dag_binary (f->dag, RSP_NODE_UNION, constant_pair (f, x, y), constant_pair (f, v, w));
}

/* The bounds of one axiom, `empty node` or `~empty node`. */
static void make_axiom (Fixture *f, RspNodeId node, gboolean negated) {
  RspStagedAxiom *axiom = rsp_arena_new0 (f->arena, RspStagedAxiom, 1);
  *axiom = (RspStagedAxiom){
    .kind = RSPCHECK_AXIOM_EMPTY, .negated = negated, .role = RSPCHECK_ROLE_AXIOM, .node = node
  };
  axiom->root = rsp_axiom_root (f->dag, axiom->kind, node);
  f->model = (RspStagedModel){ .dag = f->dag, .n_axioms = 1, .axioms = axiom };
  const RspMatrix *none = rsp_relation_new (f->arena, f->dag->n);
  f->bounds = rsp_bounds_new (&f->model, (RspExtent){ none, f->rf_hi },
                              (RspExtent){ none, f->co_hi }, f->arena);
}

static void end_four (Fixture *f) {
  rsp_bounds_free (f->bounds);
  rsp_dag_free (f->dag);
  rsp_arena_free (f->arena);
}

/* "rf 0 1; ": what `empty node` forces, or `~empty node`; newly allocated. */
static char *forced_by (Fixture *f, RspNodeId node, gboolean negated) {
  make_axiom (f, node, negated);
  g_autoptr (GArray) forced = g_array_new (FALSE, FALSE, sizeof (RspForced));
  GString *text = g_string_new (NULL);
  rsp_bounds_force (f->bounds, forced);
  for (guint i = 0; i < forced->len; i++) {
    RspForced pair = g_array_index (forced, RspForced, i);
    g_string_append_printf (text, "%s%s %u %u; ", pair.required ? "" : "no ",
                            pair.leaf == RSP_LEAF_RF ? "rf" : "co", pair.a, pair.b);
  }
  end_four (f);
  return g_string_free (text, FALSE);
}

START_TEST (test_the_only_way) {
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0);
  RspNodeId step = rsp_dag_binary (f.dag, RSP_NODE_SEQ, constant_pair (&f, 3, 0), rf);
  RspNodeId one = rsp_dag_binary (f.dag, RSP_NODE_INTER, step, constant_pair (&f, 3, 1));
  g_autofree char *forced = forced_by (&f, one, TRUE);
  ck_assert_str_eq (forced, "rf 0 1; ");
}
END_TEST

START_TEST (test_several_ways) {
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0);
  RspNodeId steps
      = rsp_dag_binary (f.dag, RSP_NODE_UNION, constant_pair (&f, 1, 2), constant_pair (&f, 3, 2));
  RspNodeId ways = rsp_dag_binary (f.dag, RSP_NODE_SEQ, rf, steps);
  RspNodeId one = rsp_dag_binary (f.dag, RSP_NODE_INTER, ways, constant_pair (&f, 0, 2));
  g_autofree char *forced = forced_by (&f, one, TRUE);
  ck_assert_str_eq (forced, "");
}
END_TEST

START_TEST (test_either_side) {
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0), co = rsp_dag_base (f.dag, RSP_NODE_CO, 0);
  RspNodeId other = rsp_dag_binary (f.dag, RSP_NODE_SEQ, co, constant_pair (&f, 2, 1));
  RspNodeId either = rsp_dag_binary (f.dag, RSP_NODE_UNION, rf, other);
  RspNodeId one = rsp_dag_binary (f.dag, RSP_NODE_INTER, either, constant_pair (&f, 0, 1));
  g_autofree char *forced = forced_by (&f, one, TRUE);
  ck_assert_str_eq (forced, "");
}
END_TEST

START_TEST (test_one_side) {
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0), co = rsp_dag_base (f.dag, RSP_NODE_CO, 0);
  RspNodeId either = rsp_dag_binary (f.dag, RSP_NODE_UNION, rf, co);
  RspNodeId one = rsp_dag_binary (f.dag, RSP_NODE_INTER, either, constant_pair (&f, 0, 2));
  g_autofree char *forced = forced_by (&f, one, TRUE);
  ck_assert_str_eq (forced, "co 0 2; ");
}
END_TEST

/* ---- What all candidates of a read have in common ---- */

/* What is known of `empty node & {(x, y)}`. */
static RspTruth truth_without (Fixture *f, RspNodeId node, guint x, guint y) {
  make_axiom (f, rsp_dag_binary (f->dag, RSP_NODE_INTER, node, constant_pair (f, x, y)), FALSE);
  RspTruth truth = rsp_bounds_axiom (f->bounds, 0);
  end_four (f);
  return truth;
}

/* Does 1, which may read from 0 or 2, lead to 3, if these two writes do, or if they lead to 1 and
 * 3? */
static RspTruth truth_after_read (guint x, guint y) {
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0);
  RspNodeId inverse = rsp_dag_unary (f.dag, RSP_NODE_INVERSE, rf);
  RspNodeId either = rsp_dag_binary (f.dag, RSP_NODE_UNION, constant_pair (&f, 0, 1), inverse);
  RspNodeId after = constant_pairs (&f, 0, x, 2, y);
  return truth_without (&f, rsp_dag_binary (f.dag, RSP_NODE_SEQ, either, after), 1, 3);
}

/* Does 3 lead to 1, if it leads to these two events? */
static RspTruth truth_before_read (guint x, guint y) {
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0);
  RspNodeId before = constant_pairs (&f, 3, x, 3, y);
  return truth_without (&f, rsp_dag_binary (f.dag, RSP_NODE_SEQ, before, rf), 3, 1);
}

START_TEST (test_what_all_candidates_lead_to) {
  ck_assert_int_eq (truth_after_read (3, 3), RSP_FAILS);
  ck_assert_int_eq (truth_after_read (1, 3), RSP_OPEN);
  ck_assert_int_eq (truth_before_read (0, 2), RSP_FAILS);
  ck_assert_int_eq (truth_before_read (0, 1), RSP_OPEN);
}
END_TEST

/* What is forced if 1 must not read from what leads to all that 3 may read from; 0 leads to these
 * two events. */
static char *forced_between_reads (guint x, guint y) {
  Fixture f;
  begin_four (&f);
  RspNodeId rf = rsp_dag_base (f.dag, RSP_NODE_RF, 0);
  RspNodeId inverse = rsp_dag_unary (f.dag, RSP_NODE_INVERSE, rf);
  RspNodeId from = rsp_dag_binary (f.dag, RSP_NODE_SEQ, inverse, constant_pairs (&f, 0, x, 0, y));
  RspNodeId step
      = rsp_dag_binary (f.dag, RSP_NODE_UNION, from, rsp_dag_base (f.dag, RSP_NODE_CO, 0));
  RspNodeId steps = rsp_dag_binary (f.dag, RSP_NODE_SEQ, step, rf);
  RspNodeId one = rsp_dag_binary (f.dag, RSP_NODE_INTER, steps, constant_pair (&f, 1, 3));
  return forced_by (&f, one, FALSE);
}

START_TEST (test_what_leads_to_all_candidates) {
  g_autofree char *both = forced_between_reads (0, 2), *one = forced_between_reads (0, 3);
  ck_assert_str_eq (both, "no rf 0 1; ");
  ck_assert_str_eq (one, "");
}
END_TEST

/* ---- Recursion that is not monotone ---- */

/* let rec v = c \ (v ; rf), c = {(1,0), (1,1)}: has (1,1) unless 1 reads from 0, which is not
 * known. */
START_TEST (test_not_monotone) {
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
START_TEST (test_labels) {
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
  for (guint i = 0; i < G_N_ELEMENTS (axioms); i++) {
    axioms[i]
        = (RspStagedAxiom){ .kind = i % 4 == 1 ? RSPCHECK_AXIOM_IRREFLEXIVE : RSPCHECK_AXIOM_EMPTY,
                            .negated = i % 4 == 2,
                            .role = i % 4 == 3 ? RSPCHECK_ROLE_FLAG : RSPCHECK_ROLE_AXIOM,
                            .node = nodes[i / 4] };
    axioms[i].root = rsp_axiom_root (f.dag, axioms[i].kind, axioms[i].node);
  }
  f.model = (RspStagedModel){ .dag = f.dag, .n_axioms = G_N_ELEMENTS (axioms), .axioms = axioms };
  const RspMatrix *none = rsp_relation_new (f.arena, f.dag->n);
  f.bounds = rsp_bounds_new (&f.model, (RspExtent){ none, f.rf_hi }, (RspExtent){ none, f.co_hi },
                             f.arena);
  ck_assert (rsp_bounds_name (f.bounds, names, f.n));
  for (guint i = 0; i < G_N_ELEMENTS (axioms); i++) {
    labels[i] = bounds_axiom_label (f.bounds, i);
    for (guint j = 0; j < i; j++)
      ck_assert_msg (labels[i] != labels[j], "axioms %u and %u have one label", j, i);
  }
  end_four (&f);
}
END_TEST

Suite *bounds_axiom_suite (void) {
  Suite *suite = suite_create ("bounds-axiom");
  TCase *last = tcase_create ("the last pair of a negated axiom");
  tcase_add_test (last, test_the_only_way);
  tcase_add_test (last, test_several_ways);
  tcase_add_test (last, test_either_side);
  tcase_add_test (last, test_one_side);
  suite_add_tcase (suite, last);
  TCase *candidates = tcase_create ("candidates of a read");
  tcase_add_test (candidates, test_what_all_candidates_lead_to);
  tcase_add_test (candidates, test_what_leads_to_all_candidates);
  suite_add_tcase (suite, candidates);
  TCase *recursion = tcase_create ("recursion");
  tcase_add_test (recursion, test_not_monotone);
  suite_add_tcase (suite, recursion);
  TCase *labels = tcase_create ("labels");
  tcase_add_test (labels, test_labels);
  suite_add_tcase (suite, labels);
  return suite;
}
