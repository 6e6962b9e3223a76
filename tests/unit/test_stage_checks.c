/* What staging makes of statements: axioms, chosen orders, choices among values, errors. */
#include "model/stage/stage.h"
#include "parser/cat/cat.h"
#include "tests/unit/stage_fixture.h"

#include <check.h>
#include <string.h>

Suite *stage_axioms_suite (void);

/* ---- Axioms ---- */

START_TEST (axioms_have_roles_names_and_flags) {
  stage_program ("acyclic po | rf as sc\n"
                 "irreflexive po as static_and_true\n"
                 "~empty po & rf\n"
                 "empty R as never\n"
                 "undefined_unless empty rf as dr\n"
                 "undefined_unless empty co\n"
                 "flag ~empty co & po as strange\n"
                 "flag empty fr\n"
                 "flag ~empty rf as dr\n"
                 "acyclic rf as skipped\n"
                 "assert acyclic co as sound\n"
                 "assert acyclic po as sound\n",
                 FALSE);
  const RspStagedModel *model = stage_only_model ();
  static const struct {
    const char *name;
    RspcheckAxiomRole role;
    RspcheckAxiomKind kind;
    gboolean negated;
    guint flag;
    guint line;
  } expected[] = {
    { "sc", RSPCHECK_ROLE_AXIOM, RSPCHECK_AXIOM_ACYCLIC, FALSE, 0, 1 },
    { NULL, RSPCHECK_ROLE_AXIOM, RSPCHECK_AXIOM_EMPTY, TRUE, 0, 3 },
    { "never", RSPCHECK_ROLE_AXIOM, RSPCHECK_AXIOM_EMPTY, FALSE, 0, 4 },
    { "dr", RSPCHECK_ROLE_UNDEFINED_UNLESS, RSPCHECK_AXIOM_EMPTY, FALSE, 0, 5 },
    { "undefined", RSPCHECK_ROLE_UNDEFINED_UNLESS, RSPCHECK_AXIOM_EMPTY, FALSE, 1, 6 },
    { "strange", RSPCHECK_ROLE_FLAG, RSPCHECK_AXIOM_EMPTY, TRUE, 2, 7 },
    { "dr", RSPCHECK_ROLE_FLAG, RSPCHECK_AXIOM_EMPTY, TRUE, 0, 9 },
    { "sound", RSPCHECK_ROLE_ASSERT, RSPCHECK_AXIOM_ACYCLIC, FALSE, 0, 11 },
  };
  ck_assert_uint_eq (model->n_axioms, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    const RspStagedAxiom *axiom = &model->axioms[i];
    ck_assert_int_eq (axiom->role, expected[i].role);
    ck_assert_int_eq (axiom->kind, expected[i].kind);
    ck_assert_int_eq (axiom->negated, expected[i].negated);
    ck_assert_str_eq (axiom->name ? axiom->name : "", expected[i].name ? expected[i].name : "");
    ck_assert_uint_eq (axiom->flag, expected[i].flag);
    ck_assert_uint_eq (rsp_span_line (axiom->span), expected[i].line);
  }
  static const char *const flags[] = { "dr", "undefined", "strange" };
  ck_assert_uint_eq (model->n_flags, G_N_ELEMENTS (flags));
  for (guint i = 0; i < model->n_flags; i++)
    ck_assert_str_eq (model->flags[i], flags[i]);
}
END_TEST

START_TEST (axioms_hold_or_fail) {
  static const struct {
    RspcheckAxiomKind kind;
    gboolean empty, edge, loop, cycle; /* does it hold on … */
  } expected[] = { { RSPCHECK_AXIOM_ACYCLIC, TRUE, TRUE, FALSE, FALSE },
                   { RSPCHECK_AXIOM_IRREFLEXIVE, TRUE, TRUE, FALSE, TRUE },
                   { RSPCHECK_AXIOM_EMPTY, TRUE, FALSE, FALSE, FALSE } };
  RspMatrix *value[4];
  for (guint i = 0; i < 4; i++)
    value[i] = rsp_relation_new (stage_fixture.arena, stage_fixture.base.n);
  rsp_matrix_add (value[1], 0, 1);
  rsp_matrix_add (value[2], 2, 2);
  rsp_matrix_add (value[3], 0, 1);
  rsp_matrix_add (value[3], 1, 0);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    gboolean holds[] = { expected[i].empty, expected[i].edge, expected[i].loop, expected[i].cycle };
    for (guint j = 0; j < 4; j++) {
      RspStagedAxiom axiom = { .kind = expected[i].kind };
      ck_assert_int_eq (rsp_axiom_holds (&axiom, value[j]), holds[j]);
      axiom.negated = TRUE;
      ck_assert_int_eq (rsp_axiom_holds (&axiom, value[j]), !holds[j]);
    }
  }
}
END_TEST

START_TEST (sets_of_values_can_be_checked_for_emptiness) {
  stage_program (
      "empty classes(wg) as some\nempty {R} \\ {R} as none\nempty 0 as zero\n"
      "~empty {R, W} as holds\nempty unv as all\nempty linearisations(W, co0) as orders\n",
      FALSE);
  const RspStagedModel *model = stage_only_model ();
  ck_assert_uint_eq (model->n_axioms, 3);
  ck_assert_ptr_nonnull (stage_axiom_named (model, "some"));
  ck_assert_ptr_nonnull (stage_axiom_named (model, "all"));
  ck_assert_ptr_nonnull (stage_axiom_named (model, "orders"));
}
END_TEST

static void assert_axioms (const char *text, const char *expected) {
  stage_program (text, FALSE);
  const RspStagedModel *model = stage_only_model ();
  GString *names = g_string_new (NULL);
  for (guint i = 0; i < model->n_axioms; i++)
    g_string_append_printf (names, "%s ", model->axioms[i].name);
  ck_assert_str_eq (names->str, expected);
  g_string_free (names, TRUE);
}

START_TEST (procedures_and_loops_give_axioms) {
  assert_axioms ("procedure p(r) = let s = r | co acyclic s as a irreflexive s ; rf as b end\n"
                 "call p(rf) call p(po) as again",
                 "a b again again ");
  assert_axioms ("let r = rf procedure p() = acyclic r as a end let r = 0 call p()", "a ");
  assert_axioms ("forall s in classes(wg) do acyclic rf & (s * s) as each end",
                 "each each each each ");
  assert_axioms ("foreach e in R & ACQ do irreflexive [e] ; co ; rf as each end", "each ");
  assert_axioms ("forall (a, b) in po & (R * R) do empty rf & (a * b) as each end", "each ");
  assert_axioms ("procedure rec walk(s) = match s with {} -> acyclic co as done "
                 "|| e ++ es -> empty [e] ; rf as step call walk(es) end end call walk(R)",
                 "step step step done ");
  assert_axioms ("procedure inner(r) = acyclic r as i end\n"
                 "procedure outer(r) = call inner(r) as named call inner(r | po) end\n"
                 "call outer(rf) call outer(co | rf) as renamed",
                 "named i named renamed ");
  assert_axioms ("enum t = 'a || 'b forall x in t do match x with 'a -> acyclic rf as first "
                 "|| 'b -> acyclic co as second end end",
                 "first second ");
}
END_TEST

START_TEST (show_and_bell_statements_are_accepted) {
  assert_axioms ("show rf, co show rf ; co as both unshow rf instructions R[{'once, 'acquire}]\n"
                 "acyclic rf as a",
                 "a ");
}
END_TEST

/* ---- Choices ---- */

START_TEST (withsc_gives_a_total_order) {
  stage_program ("withsc\nflag ~empty S as s", FALSE);
  const RspStagedModel *model = stage_only_model ();
  ck_assert_uint_eq (model->n_orders, 1);
  ck_assert_str_eq (model->orders[0].name, "S");
  ck_assert (rsp_matrix_equal (model->orders[0].set, stage_fixture.base.sets[RSP_BASE_SET_SC]));
  ck_assert_uint_eq (rsp_matrix_count (stage_value_of (model, stage_axiom_named (model, "s"))), 1);
  stage_program ("withsc\nflag ~empty S ; po as s", TRUE);
  ck_assert_uint_eq (stage_only_model ()->n_orders, 1);
  stage_program ("flag ~empty S as s", FALSE);
  ck_assert_ptr_null (stage_fixture.staging);
}
END_TEST

START_TEST (a_linearisation_is_an_order_of_the_search) {
  stage_program ("with o from linearisations(W, co0)\nflag ~empty o as v", FALSE);
  const RspStagedModel *model = stage_only_model ();
  ck_assert_uint_eq (model->n_orders, 1);
  ck_assert_str_eq (model->orders[0].name, "o");
  ck_assert (rsp_matrix_equal (model->orders[0].set, stage_fixture.base.sets[RSP_BASE_SET_W]));
  /* It extends co0; `v` is the flag. */
  ck_assert_uint_eq (model->n_axioms, 2);
  ck_assert_int_eq (model->axioms[0].role, RSPCHECK_ROLE_AXIOM);
  ck_assert_int_eq (model->axioms[0].kind, RSPCHECK_AXIOM_ACYCLIC);
  /* In the order of events, initial writes are first: it is one of the linearisations. */
  ck_assert (rsp_axiom_holds (&model->axioms[0], stage_value_of (model, &model->axioms[0])));
  ck_assert_uint_eq (rsp_matrix_count (stage_value_of (model, stage_axiom_named (model, "v"))), 15);
  stage_program ("with o from linearisations(W, 0)\nflag ~empty o as v", FALSE);
  ck_assert_uint_eq (stage_only_model ()->n_axioms, 1);
}
END_TEST

START_TEST (a_linearisation_may_extend_what_the_search_decides) {
  stage_program ("with o from linearisations(M, rf | co)\nacyclic o | po as c", FALSE);
  const RspStagedModel *model = stage_only_model ();
  ck_assert_uint_eq (model->n_orders, 1);
  ck_assert_uint_eq (model->n_axioms, 2);
  ck_assert (!rsp_axiom_holds (&model->axioms[0], stage_value_of (model, &model->axioms[0])));
  /* On one event there is nothing to choose, on an unknown set not yet. */
  stage_program ("with o from linearisations(ACQ, co0) empty o as c", FALSE);
  ck_assert_uint_eq (stage_only_model ()->n_orders, 0);
  ck_assert_uint_eq (stage_only_model ()->n_axioms, 0);
  stage_program ("with o from linearisations(range(rf), 0) empty o as c", FALSE);
  ck_assert (stage_fixture.staging->needs_execution);
  stage_program ("with o from linearisations(range(rf), 0) empty o as c", TRUE);
  ck_assert_uint_eq (stage_only_model ()->n_orders, 1);
}
END_TEST

static void assert_is_co (const char *text) {
  stage_program (text, FALSE);
  const RspStagedModel *model = stage_only_model ();
  ck_assert_uint_eq (model->n_orders, 0);
  ck_assert_uint_eq (model->n_axioms, 1);
  ck_assert (rsp_matrix_equal (stage_value_of (model, &model->axioms[0]), stage_fixture.co));
}

#define OWN_MAP                                                                                    \
  "let map f = let rec go s = match s with {} -> {} || x ++ xs -> f x ++ go xs end in go "
#define OWN_CROSS                                                                                  \
  "let fold2 f = let rec go (s, y) = match s with {} -> y || x ++ xs -> go (xs, f (x, y)) end in " \
  "go let rec cross s = match s with {} -> {0} || s1 ++ s -> let yss = cross s in "                \
  "fold2 (fun (e1, r) -> map (fun t -> e1 | t) yss | r) (s1, {}) end "

START_TEST (generated_coherence_is_the_search_s_own) {
  assert_is_co ("with c from generate_cos(co0) flag ~empty c as v");
  assert_is_co ("include \"cross.cat\" with co from generate_orders(W, co0) flag ~empty co as v");
  assert_is_co ("with c from cross(map (fun s -> linearisations(s, co0)) (partition W)) "
                "flag ~empty c as v");
  assert_is_co ("with c from cross(co_locs(co0, partition(W))) flag ~empty c as v");
  /* Spelt out by the model itself, with its own functions. */
  assert_is_co (OWN_MAP OWN_CROSS
                "with c from cross (map (fun s -> linearisations(s, co0)) (partition W)) "
                "flag ~empty c as v");
}
END_TEST

/* The number of pairs of writes that only a convention orders, on the fixture's two writes each of
 * x and y besides the initial ones; and an axiom that no option skips says so. */
static void assert_by_convention (const char *text, guint n) {
  stage_program (text, FALSE);
  const RspStagedModel *model = stage_only_model ();
  const RspStagedAxiom *axiom = stage_axiom_named (model, "(unseen coherence)");
  ck_assert_uint_eq (model->by_convention ? rsp_matrix_count (model->by_convention) : 0, n);
  ck_assert (!axiom == !n);
  ck_assert (!axiom || !axiom->id);
}

START_TEST (a_model_has_executions_only_for_the_coherence_that_it_sees) {
  assert_by_convention ("\"m\" withoutco flag ~empty rf as v", 2);
  assert_by_convention ("\"m\" withco flag ~empty rf as v", 0);
  assert_by_convention ("\"m\" withoutco flag ~empty co0 | [FW] as v", 2);
  assert_by_convention (
      "\"m\" withoutco with mo from generate_orders(W & (A | I), co0) flag ~empty mo as v", 1);
  assert_by_convention ("\"m\" withoutco with mo from generate_cos(co0) flag ~empty mo as v", 0);
  /* A second order of the same writes is another choice: one order of each location. */
  ck_assert_uint_eq (stage_only_model ()->n_orders, 0);
  assert_by_convention (
      "\"m\" withoutco with a from generate_cos(co0) with b from generate_cos(co0) "
      "flag ~empty a \\ b as v",
      0);
  ck_assert_uint_eq (stage_only_model ()->n_orders, 2);
}
END_TEST

START_TEST (who_waits_for_ever_looks_at_all_of_coherence) {
  RspMatrix *repeated = stage_fixture.base.sets[RSP_BASE_SET_REPEATED];
  rsp_set_add (repeated, RX);
  stage_program ("\"m\" withoutco flag ~empty rf as v", FALSE);
  ck_assert (!stage_only_model ()->by_convention);
  ck_assert (!stage_axiom_named (stage_only_model (), "(unseen coherence)"));
  const RspStagedAxiom *axiom = stage_axiom_named (stage_only_model (), "last_writes");
  ck_assert (axiom && !axiom->id);
  /* On an execution too, where the read returns the initial write. */
  stage_program ("\"m\" withoutco flag ~empty rf as v", TRUE);
  axiom = stage_axiom_named (stage_only_model (), "last_writes");
  ck_assert (axiom);
  const RspMatrix *missed = rsp_dag_node (stage_only_model ()->dag, axiom->node)->constant;
  ck_assert_uint_eq (rsp_matrix_count (missed), 2);
}
END_TEST

START_TEST (generated_coherence_may_have_to_extend_more) {
  stage_program ("with c from generate_cos(co0 | rf) flag ~empty c as v", FALSE);
  const RspStagedModel *model = stage_only_model ();
  ck_assert_uint_eq (model->n_axioms, 2);
  ck_assert_int_eq (model->axioms[0].kind, RSPCHECK_AXIOM_ACYCLIC);
  ck_assert (rsp_matrix_equal (stage_value_of (model, &model->axioms[1]), stage_fixture.co));
  /* On some writes only: co there. */
  stage_program ("with c from generate_orders(W \\ I, 0) flag ~empty c \\ (co & ~(I * _)) as v\n"
                 "flag ~empty (co & ~(I * _)) \\ c as w",
                 FALSE);
  model = stage_only_model ();
  for (guint i = 0; i < model->n_axioms; i++)
    ck_assert (rsp_matrix_is_empty (stage_value_of (model, &model->axioms[i])));
  /* On events that are not writes: orders of their own. */
  stage_program ("with c from generate_orders(R, 0) flag ~empty c as v", FALSE);
  ck_assert_uint_eq (stage_only_model ()->n_orders, 1);
}
END_TEST

START_TEST (a_choice_among_values_gives_a_model_each) {
  stage_program ("with s from {R, W, F}\nflag ~empty s as v\n"
                 "forall t in {R, W} do with e from {po, po^-1} acyclic rf | e as c end\n",
                 FALSE);
  ck_assert_ptr_nonnull (stage_fixture.staging);
  ck_assert_uint_eq (stage_fixture.staging->n_models, 12);
  guint sizes[4] = { 0 }, count[] = { 3, 6, 1 }; /* R, W, F */
  for (guint i = 0; i < 12; i++) {
    const RspStagedModel *model = stage_fixture.staging->models[i];
    guint size = rsp_matrix_count (stage_value_of (model, stage_axiom_named (model, "v")));
    for (guint j = 0; j < 3; j++)
      sizes[j] += size == count[j];
    ck_assert_uint_eq (model->n_axioms, 3);
    ck_assert_uint_eq (model->n_flags, 1);
  }
  for (guint j = 0; j < 3; j++)
    ck_assert_uint_eq (sizes[j], 4);
  stage_program ("with s from {} acyclic rf as c", FALSE);
  ck_assert (stage_fixture.staging && !stage_fixture.staging->needs_execution);
  ck_assert_uint_eq (stage_fixture.staging->n_models, 0);
  stage_program ("with (a, b) from {(rf, po)} flag ~empty a ; b as v", FALSE);
  ck_assert_uint_eq (stage_fixture.staging->n_models, 1);
  stage_program ("with r from {rf, co} acyclic r as c", FALSE);
  ck_assert (stage_fixture.staging->needs_execution);
  stage_program ("with r from {rf, co} acyclic r as c", TRUE);
  ck_assert_uint_eq (stage_fixture.staging->n_models, 2);
  stage_program ("with e from R flag ~empty [e] as v", FALSE);
  ck_assert_uint_eq (stage_fixture.staging->n_models, 3);
}
END_TEST

/* ---- Errors ---- */

static const struct {
  const char *text, *message, *excerpt;
  gboolean given;
} errors[] = {
  { "let x = nowhere", "m.cat:1:9: error: unbound name `nowhere`", "^~~~~~~", FALSE },
  { "let x = rf | R", "a relation is needed here, but this is a set of events", "^~~~~~", FALSE },
  { "let x = R ; rf", "a relation is needed here", "^~~~~~", FALSE },
  { "let x = [rf]", "a set of events is needed here, but this is a relation", "^~~~", FALSE },
  { "let x = rf co", "a relation is applied as if it were a function", "^~~~~", FALSE },
  { "let f(a, b) = a let x = f(rf)", "this takes 2 values, but is given a relation", "^~~~~~",
    FALSE },
  { "let x = {R} | rf", "cannot combine", "^~~~~~~~", FALSE },
  { "let x = rf ++ W", "cannot add a relation to a set of events", "^~~~~~~", FALSE },
  { "let rec f x = f x\nacyclic f rf", "recursion is too deep", "^", FALSE },
  { "let rec f x = f (x | rf) | f co\nacyclic f rf", "recursion is too deep", "^", FALSE },
  { "let rec f s = match s with {} -> 0 || x ++ xs -> f s | f xs end\nacyclic f R",
    "recursion is too deep", "^", FALSE },
  { "let rec x = ~(x & po) & po", "m.cat:1:9: error: this recursive definition does not converge",
    "^", FALSE },
  { "let rec (x, y) = (x, y)", "a recursive definition must define a name", "^~~~~~", FALSE },
  { "procedure rec p() = call p() end call p()", "recursion is too deep", "^", FALSE },
  { "call rf(co)", "`rf` is not a procedure", "^~", FALSE },
  { "let x = match 'a with 'b -> rf end", "no clause for the tag 'a", "^", FALSE },
  { "let x = match R with {} -> rf end", "no clause for a set of events", "^", FALSE },
  { "let x = tag2scope('nowhere)", "the scope tree has no level 'nowhere", "^", FALSE },
  { "let x = {linearisations(_, 0)} let y = if {} in linearisations(_, 0) then 0 else 0",
    "more than 50000 orders to list one by one", "^", FALSE },
  { "withsc\nlet x = match S with {} -> 0 || p ++ ps -> p end", "a chosen order", "^", TRUE },
  { "with o from linearisations(W, 0)\nlet x = if o = 0 then 'a else 'b", "a chosen order", "^",
    TRUE },
};

START_TEST (errors_have_a_place) {
  stage_program (errors[_i].text, errors[_i].given);
  ck_assert_msg (stage_fixture.staging == NULL, "%s", errors[_i].text);
  ck_assert_uint_eq (rsp_diagnostics_count (stage_fixture.diagnostics), 1);
  ck_assert_msg (strstr (stage_messages (), errors[_i].message) != NULL, "%s\n%s", errors[_i].text,
                 stage_messages ());
  ck_assert_msg (strstr (stage_messages (), errors[_i].excerpt) != NULL, "%s", stage_messages ());
}
END_TEST

START_TEST (exponential_recursion_is_given_up) {
  stage_program (
      "let rec f s = match s with {} -> 0 || x ++ xs -> f xs | f xs end\n"
      "let many = map (fun e -> e) _ let g s = f s | f s\n"
      "let rec h s = match s with {} -> 0 || x ++ xs -> "
      "g many | g many | g many | g many | h xs | h xs | h xs | h xs end\n"
      "let rec k s = match s with {} -> 0 || x ++ xs -> h many | h many | h many | k xs end\n"
      "acyclic k _",
      FALSE);
  ck_assert_ptr_null (stage_fixture.staging);
  ck_assert_msg (strstr (stage_messages (), "does not terminate") != NULL, "%s", stage_messages ());
}
END_TEST

/* ---- Includes ---- */

START_TEST (an_included_file_s_bindings_are_seen) {
  static const char text[] = "let r = rf include \"b.cat\" acyclic q as a";
  static const char included[] = "let q = r | co irreflexive q as b";
  stage_clear_program ();
  RspSource *sources[] = { rsp_source_new ("a.cat", g_strdup (text), strlen (text)),
                           rsp_source_new ("b.cat", g_strdup (included), strlen (included)) };
  RspCatFile *a = rsp_cat_parse (sources[0], stage_fixture.arena, stage_fixture.diagnostics);
  RspCatFile *b = rsp_cat_parse (sources[1], stage_fixture.arena, stage_fixture.diagnostics);
  a->statements->next->included = b->statements;
  stage_fixture.model = (RspModel){ .statements = a->statements, .sees_co = TRUE };
  stage_fixture.base.rf = stage_fixture.base.co = NULL;
  stage_fixture.staging = rsp_model_stage (&stage_fixture.model, &stage_fixture.base, NULL,
                                           stage_fixture.arena, stage_fixture.diagnostics);
  const RspStagedModel *model = stage_only_model ();
  ck_assert_uint_eq (model->n_axioms, 2);
  ck_assert_str_eq (model->axioms[0].name, "b");
  ck_assert_uint_eq (model->axioms[0].node, model->axioms[1].node);
  rsp_source_unref (sources[0]);
  rsp_source_unref (sources[1]);
}
END_TEST

/* ---- Predefined names ---- */

START_TEST (every_predefined_name_has_a_value) {
  static const char *const names[] = {
#define RSP_BASE_SET(id, name, meaning)                 name,
#define RSP_BASE_RELATION(id, name, meaning)            name,
#define RSP_BASE_DERIVED(id, kind, name, meaning)       name,
#define RSP_BASE_ALIAS(name, other)                     name,
#define RSP_BASE_FUNCTION(id, name, signature, meaning) name,
#define RSP_BASE_LITERAL(id, name, meaning)             name,
#include "model/base_names.def"
  };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *text = g_strdup_printf ("withsc\nlet x = %s", names[i]);
    stage_program (text, FALSE);
    ck_assert_msg (stage_fixture.staging != NULL, "%s: %s", names[i], stage_messages ());
  }
}
END_TEST

static TCase *tests_of (const char *name, void (*before) (void)) {
  TCase *tests = tcase_create (name);
  tcase_add_checked_fixture (tests, before, stage_tear_down);
  tcase_set_timeout (tests, 60);
  tcase_add_test (tests, axioms_have_roles_names_and_flags);
  tcase_add_test (tests, axioms_hold_or_fail);
  tcase_add_test (tests, sets_of_values_can_be_checked_for_emptiness);
  tcase_add_test (tests, procedures_and_loops_give_axioms);
  tcase_add_test (tests, show_and_bell_statements_are_accepted);
  tcase_add_test (tests, withsc_gives_a_total_order);
  tcase_add_test (tests, a_linearisation_is_an_order_of_the_search);
  tcase_add_test (tests, a_linearisation_may_extend_what_the_search_decides);
  tcase_add_test (tests, generated_coherence_is_the_search_s_own);
  tcase_add_test (tests, a_model_has_executions_only_for_the_coherence_that_it_sees);
  tcase_add_test (tests, who_waits_for_ever_looks_at_all_of_coherence);
  tcase_add_test (tests, generated_coherence_may_have_to_extend_more);
  tcase_add_test (tests, a_choice_among_values_gives_a_model_each);
  tcase_add_loop_test (tests, errors_have_a_place, 0, G_N_ELEMENTS (errors));
  tcase_add_test (tests, exponential_recursion_is_given_up);
  tcase_add_test (tests, an_included_file_s_bindings_are_seen);
  tcase_add_test (tests, every_predefined_name_has_a_value);
  return tests;
}

Suite *stage_axioms_suite (void) {
  Suite *suite = suite_create ("stage_axioms");
  suite_add_tcase (suite, tests_of ("stage_axioms", stage_set_up));
  suite_add_tcase (suite, tests_of ("stage_axioms, wide", stage_set_up_wide));
  return suite;
}
