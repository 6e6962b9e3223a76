/* Expressions of cat: pairs that must be equal, evaluated through the DAG and again with the
 * execution given. */
#include "model/type/type.h"
#include "tests/unit/stage_fixture.h"

#include <check.h>
#include <string.h>

Suite *stage_suite (void);

/* What can be staged has types, and the reading of `rmw` that the test asks for. */
static void assert_typed (const char *text) {
  RspModel model = stage_fixture.model;
  ck_assert_msg (rsp_model_check_types (&model, stage_fixture.diagnostics), "%s%s", text,
                 stage_messages ());
  ck_assert_int_eq (model.rmw_is_relation, stage_fixture.model.rmw_is_relation);
  g_array_unref (model.uses);
}
/* ---- Pairs of equal expressions ---- */

typedef struct Pair {
  const char *prelude, *left, *right;
  gboolean needs_execution;
} Pair;

static void assert_equal_in_model (const Pair *pair) {
  const RspStagedModel *model = stage_only_model ();
  const RspStagedAxiom *left = stage_axiom_named (model, "left"),
                       *right = stage_axiom_named (model, "right");
  RspMatrix *a = stage_value_of (model, left), *b = stage_value_of (model, right);
  ck_assert_msg (a->rows == b->rows && rsp_matrix_equal (a, b), "%s\n%s is not %s", pair->prelude,
                 pair->left, pair->right);
  /* Most pairs should compare something. */
  if (!strstr (pair->right, "0"))
    ck_assert_msg (!rsp_matrix_is_empty (a), "%s\n%s is empty", pair->prelude, pair->left);
}

static void assert_equal (const Pair *pair) {
  g_autofree char *text
      = g_strdup_printf ("%s\nflag ~empty (%s) as left\nflag ~empty (%s) as right\n", pair->prelude,
                         pair->left, pair->right);
  stage_program (text, FALSE);
  ck_assert_msg (stage_fixture.staging != NULL, "%s%s", text, stage_messages ());
  assert_typed (text);
  ck_assert_msg (stage_fixture.staging->needs_execution == pair->needs_execution, "%s", text);
  if (!pair->needs_execution)
    assert_equal_in_model (pair);
  else
    ck_assert_uint_eq (stage_fixture.staging->n_models, 0);
  stage_program (text, TRUE);
  assert_equal_in_model (pair);
}

static const Pair operators[] = {
  { "", "fr", "(rf^-1 ; co) \\ id", FALSE },
  { "", "rf | rfe", "rfi | rfe", FALSE },
  { "", "co & int | coe", "co", FALSE },
  { "", "fre | fri", "fr", FALSE },
  { "", "po?", "po | id", FALSE },
  { "", "(po | rf)*", "id | (po | rf)+", FALSE },
  { "", "~rf", "unv \\ rf", FALSE },
  { "", "~R", "_ \\ R", FALSE },
  { "", "[R]; po", "po & (R * _)", FALSE },
  { "", "W^2", "W * W", FALSE },
  { "", "R & W", "RMW", FALSE },
  { "", "domain(rf)", "{} | range(rf^-1)", FALSE },
  { "", "FW", "W & 0", FALSE }, /* no location is observed */
  { "", "noid(rf^-1 ; rf)", "(rf^-1 ; rf) \\ id", FALSE },
  { "", "toid(W)", "[W]", FALSE },
  { "", "fencerel(F)", "(po & (_ * F)) ; po", FALSE },
  { "", "WR(rf)", "rf", FALSE },
  { "", "PP(co)", "[na] ; co ; [na]", FALSE },
  { "", "ext(co) | int(co)", "co", FALSE },
  { "", "WW(po)", "po & (W * W)", FALSE },
  { "", "ext", "ext & unv", FALSE },
  { "", "imply(rf, co)", "~rf | co", FALSE },
  { "", "singlestep(co)", "co \\ (co ; co)", FALSE },
  { "", "rmw * W", "RMW * W", FALSE },
  { "let rmw_relation = 0", "rmw ; co^-1", "[R & W] ; co^-1", FALSE },
  { "let rmw_relation = 0", "(rmw ; co^-1) | [RMW]", "(rmw ; co^-1) | [R & W]", FALSE },
  { "", "tag2events('acquire) | tag2events('wg)", "ACQ | WG", FALSE },
  { "", "tag2scope('wg) & tag2scope('system)", "wg", FALSE },
};

static const Pair literals[] = {
  { "", "0 | R", "R", FALSE },
  { "", "rf | 0", "rf", FALSE },
  { "", "unv & rf", "rf", FALSE },
  { "", "unv & R", "R", FALSE },
  { "", "{} | 0", "0 & rf", FALSE },
  { "", "~0 & R", "R", FALSE },
  { "", "[~0]", "id", FALSE },
  { "", "unv ; rf", "~(0 * W) ; rf", FALSE },
  { "let f x = x | 0", "f(co) ; f(rf)", "co ; rf", FALSE },
  { "let nothing = emptyset", "R | nothing", "R & (R \\ nothing)", FALSE },
  { "let all = unv", "all & R", "R", FALSE },
};

static const Pair functions[] = {
  { "let f(x, y) = x ; y", "f(co, rf)", "co ; rf", FALSE },
  { "let f x y = x ; y let g = f co", "g rf", "co ; rf", FALSE },
  { "let f = fun x -> x | rf", "f co", "co | rf", FALSE },
  { "let k = rf let f() = k let k = co", "f()", "rf", FALSE },
  { "let twice f x = f (f x)", "twice (fun r -> r | r^-1) rf", "rf | rf^-1", FALSE },
  { "let compose(f, g) = fun x -> f(g x)", "compose(domain, fun r -> r ; rf) co", "domain(co ; rf)",
    FALSE },
  { "let (a, b) = (rf, co)", "a | b", "rf | co", FALSE },
  { "let a = rf and b = co let a = b and b = a", "a ; b", "co ; rf", FALSE },
  { "let swap(a, (b, c)) = (c, (b, a)) let (x, (y, z)) = swap(rf, (co, po))", "(x \\ y) | z",
    "(po \\ co) | rf", FALSE },
  { "", "let x = rf in let x = x | co in x", "rf | co", FALSE },
  { "let co = rf let rf = 0", "co", "co | rf", FALSE },
  { "let id = po", "id", "po", FALSE },
  { "let loc(r) = r & po", "loc(po)", "po", FALSE },
  { "let ext(r) = r", "ext(po)", "po", FALSE },
  { "let WW = rf", "WW", "rf", FALSE },
};

static const Pair recursions[] = {
  { "let rec r = rf | (r ; co)", "r", "rf ; co*", FALSE },
  { "let rec r = rf | co | (r ; r)", "r", "(rf | co)+", FALSE },
  { "let rec a = rf | (b ; co) and b = co | (a & b)", "b | a", "a | co", FALSE },
  { "let rec s = R | range([s] ; (rf | co | po))", "s", "range([R] ; (rf | co | po)*)", FALSE },
  { "let rec s = RY and t = s | W and RY = R", "t", "R | W", FALSE },
  { "let rec x = x", "x | rf", "rf", FALSE },
  { "let rec up r = if r = (r ; r) | r then r else up (r | (r ; r))", "up po", "po+", FALSE },
  { "let rec up r = if r = (r ; r) | r then r else up (r | (r ; r))", "up (po | rf)", "(po | rf)+",
    TRUE },
  /* Functions and relations at once. */
  { "let rec f x = x | (r & co) and r = rf | f(co)", "f(po) | r", "po | rf | co", FALSE },
  /* Looking into itself: iterated. */
  { "let rec r = if r = 0 then po else r | (r ; po)", "r", "po+", FALSE },
  { "let rec r = if r = 0 then rf else r | (r ; po)", "r", "rf ; po*", FALSE },
  { "let rec ss = {R} | (if {R} subset ss then {W} else 0)", "fold (fun (s, r) -> s | r) (ss, 0)",
    "fold (fun (s, r) -> s | r) ({R, W}, 0)", FALSE },
};

#define BIG_UNION                                                                                  \
  "let rec big_union ss = match ss with || {} -> 0 || s ++ ss -> s | big_union ss end "
#define COUNT_ODD                                                                                  \
  "let rec odd s = match s with {} -> 0 || e ++ es -> (match odd es with {} -> [e] ; unv ; unv "   \
  "|| p ++ ps -> 0 end) end "

static const Pair sets_of_sets[] = {
  { BIG_UNION, "big_union {R, W, F}", "R | W | F", FALSE },
  { BIG_UNION, "big_union {rf, co}", "rf | co", FALSE },
  { BIG_UNION, "big_union (classes wg)", "M | F", FALSE },
  { BIG_UNION, "big_union (map (fun s -> (po | rf) & (s * s)) (classes wg))", "(po | rf) & wg",
    FALSE },
  { BIG_UNION, "big_union (map (fun s -> ((po | rf) & (s * s))+) (classes wg))",
    "((po | rf) & wg)+", FALSE },
  { BIG_UNION "let f s = s * s", "big_union (map f (classes wi))", "wi", FALSE },
  { "", "fold (fun (s, r) -> (s * s) | r) (classes wg, 0)", "wg", FALSE },
  { "let g = fold (fun (s, r) -> (s * s) | r)", "g (classes wg, 0)", "wg", FALSE },
  { "let union2 = fun (s, r) -> s | r", "fold union2 (partition(W), 0)", "W", FALSE },
  { "", "fold (fun (s, r) -> (s * s) | r) (classes-loc(M), 0)", "loc", FALSE },
  { "", "lift (classes wg, rf)", "wg ; rf ; wg", FALSE },
  { "", "lift (partition W, po)", "([W] ; loc ; [W]) ; po ; ([W] ; loc ; [W])", FALSE },
  { "let l = lift (classes wi, rf | co)", "deliftinter (rf, delift l)", "rf", FALSE },
  { "", "inter_transitive (po | rf, loc)", "(po | rf)+ & loc", FALSE },
  { "", "bisimulation (R * R, unv)", "(R * R) | (~R * ~R)", FALSE },
  { "let a = R \\ W let b = W \\ R let c = ~(a | b)", "bisimulation ((a * b) | (b * F), unv)",
    "(a * a) | (b * b) | (c * c)", FALSE },
  { "", "try fail (R, po) with po", "po", FALSE },
  { "", "fold (fun (e, r) -> [e] | r) (R, 0)", "[R]", FALSE },
  { "", "fold (fun (e, r) -> e ++ r) (R, 0)", "R", FALSE },
  { "", "map (fun e -> e) R", "R", FALSE },
  { "let rec inv r = match r with {} -> 0 || p ++ ps -> p^-1 | inv ps end", "inv po", "po^-1",
    FALSE },
  { "let rec inv r = match r with {} -> 0 || p ++ ps -> let (a, b) = p in (b, a) ++ inv ps end",
    "inv po", "po^-1", FALSE },
  { "let rec inv r = match r with {} -> 0 || p ++ ps -> p^-1 | inv ps end", "inv rf", "rf^-1",
    TRUE },
  { "let rec last s = match s with {} -> 0 || xs U x U ys -> last xs | x | last ys end", "last R",
    "R", FALSE },
  { "let rec last s = match s with {} -> 0 || xs U {x} U ys -> last xs | x | last ys end",
    "last {R, F, W}", "R | F | W", FALSE },
  { COUNT_ODD, "odd R", "[R & ACQ] ; unv ; unv", FALSE },
  { COUNT_ODD, "odd (R | F)", "0", FALSE },
  { "",
    "match {R, W} with s ++ ss -> (match ss with t ++ ts -> s | t | (match ts with {} -> 0 end) "
    "end) end",
    "R | W", FALSE },
  { "", "if {R, W, R} = {W, R} then po else 0", "po", FALSE },
  { "", "if {{R, W}} = {W} ++ 0 then 0 else po", "po", FALSE },
  { "", "if R in {R, W} then po else 0", "po", FALSE },
  { "", "if F in {R, W} then 0 else po", "po", FALSE },
  { "", "if {R} subset {R, W} then po else 0", "po", FALSE },
  { "", "fold (fun (s, r) -> s | r) ({R, F} & {F, W}, 0)", "F", FALSE },
  { "", "fold (fun (s, r) -> s | r) ({R, F} \\ {F, W}, 0)", "R", FALSE },
  { "", "fold (fun (s, r) -> s | r) (R ++ {F} | {W}, 0)", "M | F", FALSE },
  { "", "fold (fun (s, r) -> (s * s) | r) (classes (rf ; rf^-1), 0)", "rf ; rf^-1", TRUE },
  { "", "fold (fun (o, r) -> (o & loc) | r) (linearisations(W, co0), 0)",
    "(W * W) & loc \\ id \\ (co0^-1)", FALSE },
  { "", "fold (fun (o, r) -> o | r) (linearisations(SC, po), 0)", "po & (SC * SC)", FALSE },
  { "", "fold (fun (o, r) -> o | r) (linearisations(SC, po | po^-1), 0)", "0", FALSE },
  { "", "fold (fun (o, r) -> o | r) (linearisations(W & _ , co), 0) & loc", "co", TRUE },
  { "", "fold (fun (o, r) -> o | r) (cross({{rf, co}, {po}}), 0)", "rf | co | po", FALSE },
  { "", "fold (fun (o, r) -> o & r) (cross({{rf, co}, {po}}), unv)", "(rf & co) | po", FALSE },
  { "", "fold (fun (o, r) -> o | r) (cross({{po}, {}}), 0)", "0", FALSE },
  { "", "fold (fun (o, r) -> o | r) (generate_cos(co0), 0)", "(W * W) & loc \\ id \\ (co0^-1)",
    FALSE },
};

static const Pair tags[] = {
  { "enum order = 'a || 'b let f t = match t with || 'a -> rf || 'b -> co end", "f 'b ; f 'a",
    "co ; rf", FALSE },
  { "enum order = 'a || 'b || 'c let f t = match t with 'a -> rf || _ -> co end", "f 'c ; f 'a",
    "co ; rf", FALSE },
  { "enum order = 'acquire || 'release", "fold (fun (t, r) -> tag2events(t) | r) (order, 0)",
    "ACQ | REL", FALSE },
  { "enum level = 'wg || 'wi", "fold (fun (t, r) -> tag2scope(t) & r) (level, unv)", "wi & wg",
    FALSE },
};

static const Pair conditions[] = {
  { "", "if \"on\" then rf else co", "rf", FALSE },
  { "", "if \"off\" then rf else co", "co", FALSE },
  { "", "if not \"on\" || \"off\" then rf else co", "co", FALSE },
  { "", "if \"on\" && ~\"off\" then rf else co", "rf", FALSE },
  { "", "if R subset M then rf else co", "rf", FALSE },
  { "", "if M subset R then rf else co", "co", FALSE },
  { "", "if po != po+ then rf else co", "co", FALSE },
  { "", "if 0 = po & rf & 0 then rf else co", "rf", FALSE },
  { "", "if rf = rf then rf else co", "rf", FALSE },
  { "", "if rf subset rf | co then rf else co", "rf", FALSE },
  { "", "if rf subset co then rf else co", "co", FALSE },
  { "", "if rf & co = 0 then rf else co", "co", FALSE },
  { "if \"on\" let r = rf else let r = co end", "r", "rf", FALSE },
  { "if \"off\" let r = rf end let s = co", "s", "co", FALSE },
  { "", "try domain R with rf", "rf", FALSE },
  { "", "try rf with co", "rf", FALSE },
  { "let rec f x = f x", "try f rf with co", "co", FALSE },
  { "", "try (try nowhere with R ; R) with co", "co", FALSE },
  /* What is never needed need not be known. */
  { "let unused = classes (rf ; rf^-1) let rec v = if v = rf then v else v", "rf", "rf", FALSE },
};

START_TEST (operators_mean_what_they_say) { assert_equal (&operators[_i]); }
END_TEST

START_TEST (literals_take_the_kind_of_their_place) { assert_equal (&literals[_i]); }
END_TEST

START_TEST (functions_are_values) { assert_equal (&functions[_i]); }
END_TEST

START_TEST (recursive_definitions) { assert_equal (&recursions[_i]); }
END_TEST

START_TEST (sets_of_sets_are_taken_apart) { assert_equal (&sets_of_sets[_i]); }
END_TEST

START_TEST (tags_are_matched) { assert_equal (&tags[_i]); }
END_TEST

START_TEST (conditions_choose) { assert_equal (&conditions[_i]); }
END_TEST

static TCase *tests_of (const char *name, void (*before) (void)) {
  TCase *tests = tcase_create (name);
  tcase_add_checked_fixture (tests, before, stage_tear_down);
  tcase_set_timeout (tests, 60);
  tcase_add_loop_test (tests, operators_mean_what_they_say, 0, G_N_ELEMENTS (operators));
  tcase_add_loop_test (tests, literals_take_the_kind_of_their_place, 0, G_N_ELEMENTS (literals));
  tcase_add_loop_test (tests, functions_are_values, 0, G_N_ELEMENTS (functions));
  tcase_add_loop_test (tests, recursive_definitions, 0, G_N_ELEMENTS (recursions));
  tcase_add_loop_test (tests, sets_of_sets_are_taken_apart, 0, G_N_ELEMENTS (sets_of_sets));
  tcase_add_loop_test (tests, tags_are_matched, 0, G_N_ELEMENTS (tags));
  tcase_add_loop_test (tests, conditions_choose, 0, G_N_ELEMENTS (conditions));
  return tests;
}

Suite *stage_suite (void) {
  Suite *suite = suite_create ("stage");
  suite_add_tcase (suite, tests_of ("stage", stage_set_up));
  suite_add_tcase (suite, tests_of ("stage, wide", stage_set_up_wide));
  return suite;
}
