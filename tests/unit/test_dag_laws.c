/* The shapes of the DAG that its header promises: laws, and recursive definitions. */
#include "model/dag/dag.h"
#include "tests/unit/dag_world.h"

#include <check.h>

Suite *dag_laws_suite (void);

/* A DAG of 6 events with some usual nodes. */
typedef struct Fixture {
  World *world;
  RspDag *dag;
  RspNodeId rf, co, s, t, c, none, all, id;
} Fixture;

static Fixture fixture_new (void) {
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

static void fixture_free (Fixture f) {
  rsp_dag_free (f.dag);
  world_free (f.world);
}

#define BINARY(op, x, y) rsp_dag_binary (f.dag, RSP_NODE_##op, x, y)
#define UNARY(op, x)     rsp_dag_unary (f.dag, RSP_NODE_##op, x)

START_TEST (laws_find_equal_expressions) {
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

START_TEST (recursion_that_is_a_closure_becomes_one) {
  Fixture f = fixture_new ();
  gboolean is_set = FALSE;
  RspNodeId v, fix, plus = UNARY (PLUS, f.rf);
  for (guint shape = 0; shape < 3; shape++) {
    guint group = rsp_dag_fix_begin (f.dag, 1, &is_set, &v);
    RspNodeId step = shape == 0   ? BINARY (SEQ, f.rf, v)
                     : shape == 1 ? BINARY (SEQ, v, f.rf)
                                  : BINARY (SEQ, v, v);
    RspNodeId body = BINARY (UNION, f.rf, step);
    ck_assert (rsp_dag_fix_end (f.dag, group, &body, &fix));
    ck_assert_int_ne (rsp_dag_node (f.dag, fix)->op, RSP_NODE_FIX);
    RspValuation *valuation = rsp_valuation_new (f.dag, (RspNodeId[]){ fix, plus }, 2);
    ck_assert (rsp_valuation_evaluate (valuation, f.world->rf, f.world->co, NULL));
    ck_assert (
        rsp_matrix_equal (rsp_valuation_get (valuation, fix), rsp_valuation_get (valuation, plus)));
    rsp_valuation_free (valuation);
  }
  fixture_free (f);
}
END_TEST

/* a = rf | (b & co), b = co | (a;b): two at once, distinguished by their values outside. */
START_TEST (mutual_recursion) {
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
  for (guint round = 0; round < 100; round++) {
    rsp_relation_compose (next, a, b);
    rsp_matrix_intersect (a, b, co);
    rsp_matrix_union (a, a, rf);
    rsp_matrix_union (b, next, co);
  }
  /* The second fix alone must work, and so must both. */
  for (guint first = 0; first < 2; first++) {
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

START_TEST (recursion_without_a_fixpoint_is_reported) {
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

START_TEST (static_recursion_is_a_constant) {
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

Suite *dag_laws_suite (void) {
  Suite *suite = suite_create ("dag-laws");
  TCase *tests = tcase_create ("dag-laws");
  tcase_add_test (tests, laws_find_equal_expressions);
  tcase_add_test (tests, recursion_that_is_a_closure_becomes_one);
  tcase_add_test (tests, mutual_recursion);
  tcase_add_test (tests, recursion_without_a_fixpoint_is_reported);
  tcase_add_test (tests, static_recursion_is_a_constant);
  suite_add_tcase (suite, tests);
  return suite;
}
