/* Staging: what programs of cat mean on a small pre-execution. Most tests are pairs of expressions
 * that must be equal, evaluated through the DAG and again with the execution given. */
#include "model/model.h"
#include "model/type.h"

#include <check.h>
#include <string.h>

Suite *stage_suite (void);

/* The tests run in two sizes: as it is, and with events added that are in no set and no relation,
 * so that rows take two words.
 *
 * The pre-execution: initial writes of x and y; P0: Wx, Wy (release); P1: Ry (acquire), Rx; P2: RMW
 * y (seq_cst, remote), fence (seq_cst), Wx. P0 and P1 are in one work-group, P2 in another. */
enum
{
  IX,
  IY,
  WX,
  WY,
  RY,
  RX,
  UY,
  FE,
  VX,
  N_EVENTS
};

typedef struct Fixture
{
  RspArena *arena;
  RspBase base;
  RspMatrix *rf, *co;
  RspDiagnostics *diagnostics;
  RspSource *source;
  RspModel model;
  RspStaging *staging;
} Fixture;

static Fixture f;

/* Sets as words of bits, relations as lists of pairs. */
static void
put_set (RspBaseSet id, guint bits)
{
  for (guint e = 0; e < N_EVENTS; e++)
    if (bits >> e & 1)
      rsp_set_add (f.base.sets[id], e);
}

#define BIT(e) (1u << (e))

static void
put_class (RspBaseRelation id, guint bits)
{
  for (guint a = 0; a < N_EVENTS; a++)
    for (guint b = 0; b < N_EVENTS; b++)
      if (bits >> a & bits >> b & 1)
        rsp_matrix_add (f.base.relations[id], a, b);
}

static void
put_pairs (RspMatrix *relation, const guint (*pairs)[2], guint n)
{
  for (guint i = 0; i < n; i++)
    rsp_matrix_add (relation, pairs[i][0], pairs[i][1]);
}

static void
fill_sets (void)
{
  put_set (RSP_BASE_SET_I, BIT (IX) | BIT (IY));
  put_set (RSP_BASE_SET_W, BIT (IX) | BIT (IY) | BIT (WX) | BIT (WY) | BIT (UY) | BIT (VX));
  put_set (RSP_BASE_SET_R, BIT (RY) | BIT (RX) | BIT (UY));
  put_set (RSP_BASE_SET_M, (BIT (N_EVENTS) - 1) & ~BIT (FE));
  put_set (RSP_BASE_SET_F, BIT (FE));
  put_set (RSP_BASE_SET_RMW, BIT (UY));
  put_set (RSP_BASE_SET_A, BIT (WY) | BIT (RY) | BIT (UY));
  put_set (RSP_BASE_SET_NA, BIT (IX) | BIT (IY) | BIT (WX) | BIT (RX) | BIT (VX));
  put_set (RSP_BASE_SET_REMOTE, BIT (UY));
  put_set (RSP_BASE_SET_REL, BIT (WY));
  put_set (RSP_BASE_SET_ACQ, BIT (RY));
  put_set (RSP_BASE_SET_SC, BIT (UY) | BIT (FE));
  put_set (RSP_BASE_SET_WG_SCOPE, BIT (WY) | BIT (RY));
  put_set (RSP_BASE_SET_DEV_SCOPE, BIT (UY) | BIT (FE));
}

static RspMatrix *
everything (void)
{
  RspMatrix *all = rsp_set_new (f.arena, f.base.n);
  rsp_matrix_fill (all);
  return all;
}

static void
fill_relations (void)
{
  static const guint po[][2] = { { WX, WY }, { RY, RX }, { UY, FE }, { UY, VX }, { FE, VX } };
  static const guint co0[][2] = { { IX, WX }, { IX, VX }, { IY, WY }, { IY, UY } };
  static const guint threads[]
      = { BIT (WX) | BIT (WY), BIT (RY) | BIT (RX), BIT (UY) | BIT (FE) | BIT (VX) };
  put_pairs (f.base.relations[RSP_BASE_RELATION_PO], po, G_N_ELEMENTS (po));
  put_pairs (f.base.relations[RSP_BASE_RELATION_CO0], co0, G_N_ELEMENTS (co0));
  put_class (RSP_BASE_RELATION_LOC, BIT (IX) | BIT (WX) | BIT (RX) | BIT (VX));
  put_class (RSP_BASE_RELATION_LOC, BIT (IY) | BIT (WY) | BIT (RY) | BIT (UY));
  rsp_relation_identity (f.base.relations[RSP_BASE_RELATION_ID], everything ());
  for (guint e = 0; e < N_EVENTS; e++)
    {
      put_class (RSP_BASE_RELATION_WI, BIT (e));
      put_class (RSP_BASE_RELATION_WG, BIT (e));
      put_class (RSP_BASE_RELATION_INT, BIT (e));
    }
  for (guint i = 0; i < 3; i++)
    {
      put_class (RSP_BASE_RELATION_WI, threads[i]);
      put_class (RSP_BASE_RELATION_INT, threads[i]);
    }
  put_class (RSP_BASE_RELATION_WG, threads[0] | threads[1]);
  put_class (RSP_BASE_RELATION_WG, threads[2]);
  rsp_matrix_fill (f.base.relations[RSP_BASE_RELATION_EXT]);
  rsp_matrix_difference (f.base.relations[RSP_BASE_RELATION_EXT],
                         f.base.relations[RSP_BASE_RELATION_EXT],
                         f.base.relations[RSP_BASE_RELATION_INT]);
}

static void
set_up_size (guint n)
{
  static const guint rf[][2] = { { WY, RY }, { IX, RX }, { WY, UY } };
  static const guint co[][2]
      = { { IX, WX }, { IX, VX }, { VX, WX }, { IY, WY }, { IY, UY }, { WY, UY } };
  f = (Fixture){ .arena = rsp_arena_new (), .diagnostics = rsp_diagnostics_new () };
  f.base.n = n;
  for (guint i = 0; i < RSP_N_BASE_SETS; i++)
    f.base.sets[i] = rsp_set_new (f.arena, n);
  for (guint i = 0; i < RSP_N_BASE_RELATIONS; i++)
    f.base.relations[i] = rsp_relation_new (f.arena, n);
  fill_sets ();
  fill_relations ();
  f.rf = rsp_relation_new (f.arena, n);
  f.co = rsp_relation_new (f.arena, n);
  put_pairs (f.rf, rf, G_N_ELEMENTS (rf));
  put_pairs (f.co, co, G_N_ELEMENTS (co));
}

static void
set_up (void)
{
  set_up_size (N_EVENTS);
}

static void
set_up_wide (void)
{
  set_up_size (100);
}

static void
clear_program (void)
{
  rsp_staging_clear (f.staging);
  f.staging = NULL;
  rsp_source_unref (f.source);
  f.source = NULL;
  rsp_diagnostics_truncate (f.diagnostics, 0);
}

static void
tear_down (void)
{
  clear_program ();
  rsp_diagnostics_free (f.diagnostics);
  rsp_arena_free (f.arena);
}

static char *
messages (void)
{
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < rsp_diagnostics_count (f.diagnostics); i++)
    rsp_diagnostic_format (rsp_diagnostics_get (f.diagnostics, i), FALSE, out);
  char *text = rsp_arena_strdup (f.arena, out->str);
  g_string_free (out, TRUE);
  return text;
}

/* Parses and stages; f.staging is NULL after an error. given: with rf and co. */
static void
stage (const char *text, gboolean given)
{
  static const char *const variants[] = { "on", NULL };
  static const char *const skipped[] = { "skipped", NULL };
  RspStageOptions options = { .skipped_checks = skipped };
  clear_program ();
  f.source = rsp_source_new ("m.cat", g_strdup (text), strlen (text));
  RspCatFile *file = rsp_cat_parse (f.source, f.arena, f.diagnostics);
  ck_assert_msg (file != NULL, "%s", messages ());
  gboolean with_sc = file->options && file->options[0] && strcmp (file->options[0], "withsc") == 0;
  f.model = (RspModel){ .statements = file->statements,
                        .variants = (char **)variants,
                        .with_sc = with_sc,
                        .rmw_is_relation = strstr (text, "rmw_relation") != NULL };
  f.base.rf = given ? f.rf : NULL;
  f.base.co = given ? f.co : NULL;
  f.staging = rsp_model_stage (&f.model, &f.base, &options, f.arena, f.diagnostics);
}

static const RspStagedModel *
only_model (void)
{
  ck_assert_msg (f.staging != NULL, "%s", messages ());
  ck_assert (!f.staging->needs_execution);
  ck_assert_uint_eq (f.staging->n_models, 1);
  return f.staging->models[0];
}

static const RspStagedCheck *
check_named (const RspStagedModel *model, const char *name)
{
  for (guint i = 0; i < model->n_checks; i++)
    if (g_strcmp0 (model->checks[i].name, name) == 0)
      return &model->checks[i];
  return NULL;
}

/* The value of a check's node on the fixture's execution; orders are taken in order of events. */
static RspMatrix *
value_of (const RspStagedModel *model, const RspStagedCheck *check)
{
  RspMatrix **orders = rsp_arena_new0 (f.arena, RspMatrix *, model->n_orders);
  for (guint i = 0; i < model->n_orders; i++)
    {
      orders[i] = rsp_relation_new (f.arena, f.base.n);
      for (guint a = 0; a < N_EVENTS; a++)
        for (guint b = a + 1; b < N_EVENTS; b++)
          if (rsp_set_has (model->orders[i].set, a) && rsp_set_has (model->orders[i].set, b))
            rsp_matrix_add (orders[i], a, b);
    }
  RspValuation *valuation = rsp_valuation_new (model->dag, &check->node, 1);
  ck_assert (rsp_valuation_evaluate (valuation, f.rf, f.co, orders));
  RspMatrix *value = rsp_matrix_copy (f.arena, rsp_valuation_get (valuation, check->node));
  rsp_valuation_free (valuation);
  return value;
}

/* What can be staged has types, and the reading of `rmw` that the test asks for. */
static void
assert_typed (const char *text)
{
  RspModel model = f.model;
  for (RspCatStatement *statement = f.model.statements; statement; statement = statement->next)
    statement->builtin = statement->kind == RSP_CAT_STMT_INCLUDE;
  ck_assert_msg (rsp_model_check_types (&model, f.diagnostics), "%s%s", text, messages ());
  ck_assert_int_eq (model.rmw_is_relation, f.model.rmw_is_relation);
}

/* ---- Pairs of equal expressions ---- */

typedef struct Pair
{
  const char *prelude, *left, *right;
  gboolean needs_execution;
} Pair;

static void
assert_equal_in_model (const Pair *pair)
{
  const RspStagedModel *model = only_model ();
  const RspStagedCheck *left = check_named (model, "left"), *right = check_named (model, "right");
  RspMatrix *a = value_of (model, left), *b = value_of (model, right);
  ck_assert_msg (a->rows == b->rows && rsp_matrix_equal (a, b), "%s\n%s is not %s", pair->prelude,
                 pair->left, pair->right);
  /* Most pairs should compare something. */
  if (!strstr (pair->right, "0"))
    ck_assert_msg (!rsp_matrix_is_empty (a), "%s\n%s is empty", pair->prelude, pair->left);
}

static void
assert_equal (const Pair *pair)
{
  g_autofree char *text
      = g_strdup_printf ("%s\nflag ~empty (%s) as left\nflag ~empty (%s) as right\n", pair->prelude,
                         pair->left, pair->right);
  stage (text, FALSE);
  ck_assert_msg (f.staging != NULL, "%s%s", text, messages ());
  assert_typed (text);
  ck_assert_msg (f.staging->needs_execution == pair->needs_execution, "%s", text);
  if (!pair->needs_execution)
    assert_equal_in_model (pair);
  else
    ck_assert_uint_eq (f.staging->n_models, 0);
  stage (text, TRUE);
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
  { "", "FW", "W \\ domain(co)", FALSE },
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
  { "include \"c11_cos.cat\" include \"c11_los.cat\"", "mo | lo", "co", FALSE },
  { "let co = 0 let fr = 0 include \"cos.cat\"", "co | fr", "(rf^-1 ; co) \\ id | co", FALSE },
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
  /* Looking into itself: iterated outright. */
  { "let rec r = if r = 0 then po else r | (r ; po)", "r", "po+", FALSE },
  { "let rec r = if r = 0 then rf else r | (r ; po)", "r", "rf ; po*", TRUE },
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
  { "", "if rf subset co then rf else co", "co", TRUE },
  { "", "if rf & co = 0 then rf else co", "co", TRUE },
  { "if \"on\" let r = rf else let r = co end", "r", "rf", FALSE },
  { "if \"off\" let r = rf end let s = co", "s", "co", FALSE },
  { "", "try domain R with rf", "rf", FALSE },
  { "", "try rf with co", "rf", FALSE },
  { "let rec f x = f x", "try f rf with co", "co", FALSE },
  { "", "try (try nowhere with R ; R) with co", "co", FALSE },
  /* What is never asked for need not be known. */
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

/* ---- Checks ---- */

START_TEST (checks_have_roles_names_and_flags)
{
  stage ("acyclic po | rf as sc\n"
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
  const RspStagedModel *model = only_model ();
  static const struct
  {
    const char *name;
    RspCatCheckRole role;
    RspCatCheckKind kind;
    gboolean negated;
    guint flag;
    guint line;
  } expected[] = {
    { "sc", RSP_CAT_REQUIRE_CONSISTENT, RSP_CAT_ACYCLIC, FALSE, 0, 1 },
    { NULL, RSP_CAT_REQUIRE_CONSISTENT, RSP_CAT_EMPTY_CHECK, TRUE, 0, 3 },
    { "never", RSP_CAT_REQUIRE_CONSISTENT, RSP_CAT_EMPTY_CHECK, FALSE, 0, 4 },
    { "dr", RSP_CAT_UNDEFINED_UNLESS, RSP_CAT_EMPTY_CHECK, FALSE, 0, 5 },
    { "undefined", RSP_CAT_UNDEFINED_UNLESS, RSP_CAT_EMPTY_CHECK, FALSE, 1, 6 },
    { "strange", RSP_CAT_FLAG, RSP_CAT_EMPTY_CHECK, TRUE, 2, 7 },
    { "flag", RSP_CAT_FLAG, RSP_CAT_EMPTY_CHECK, FALSE, 3, 8 },
    { "dr", RSP_CAT_FLAG, RSP_CAT_EMPTY_CHECK, TRUE, 0, 9 },
    { "sound", RSP_CAT_ASSERT, RSP_CAT_ACYCLIC, FALSE, 0, 11 },
  };
  ck_assert_uint_eq (model->n_checks, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const RspStagedCheck *check = &model->checks[i];
      ck_assert_int_eq (check->role, expected[i].role);
      ck_assert_int_eq (check->kind, expected[i].kind);
      ck_assert_int_eq (check->negated, expected[i].negated);
      ck_assert_str_eq (check->name ? check->name : "", expected[i].name ? expected[i].name : "");
      ck_assert_uint_eq (check->flag, expected[i].flag);
      ck_assert_uint_eq (rsp_span_line (check->span), expected[i].line);
    }
  static const char *const flags[] = { "dr", "undefined", "strange", "flag" };
  ck_assert_uint_eq (model->n_flags, G_N_ELEMENTS (flags));
  for (guint i = 0; i < model->n_flags; i++)
    ck_assert_str_eq (model->flags[i], flags[i]);
}
END_TEST

START_TEST (checks_hold_or_fail)
{
  static const struct
  {
    RspCatCheckKind kind;
    gboolean empty, edge, loop, cycle; /* does it hold on … */
  } expected[] = { { RSP_CAT_ACYCLIC, TRUE, TRUE, FALSE, FALSE },
                   { RSP_CAT_IRREFLEXIVE, TRUE, TRUE, FALSE, TRUE },
                   { RSP_CAT_EMPTY_CHECK, TRUE, FALSE, FALSE, FALSE } };
  RspMatrix *value[4];
  for (guint i = 0; i < 4; i++)
    value[i] = rsp_relation_new (f.arena, f.base.n);
  rsp_matrix_add (value[1], 0, 1);
  rsp_matrix_add (value[2], 2, 2);
  rsp_matrix_add (value[3], 0, 1);
  rsp_matrix_add (value[3], 1, 0);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      gboolean holds[]
          = { expected[i].empty, expected[i].edge, expected[i].loop, expected[i].cycle };
      for (guint j = 0; j < 4; j++)
        {
          RspStagedCheck check = { .kind = expected[i].kind };
          ck_assert_int_eq (rsp_check_holds (&check, value[j]), holds[j]);
          check.negated = TRUE;
          ck_assert_int_eq (rsp_check_holds (&check, value[j]), !holds[j]);
        }
    }
}
END_TEST

START_TEST (sets_of_values_can_be_checked_for_emptiness)
{
  stage ("empty classes(wg) as some\nempty {R} \\ {R} as none\nempty 0 as zero\n"
         "~empty {R, W} as holds\nempty unv as all\nempty linearisations(W, co0) as orders\n",
         FALSE);
  const RspStagedModel *model = only_model ();
  ck_assert_uint_eq (model->n_checks, 3);
  ck_assert_ptr_nonnull (check_named (model, "some"));
  ck_assert_ptr_nonnull (check_named (model, "all"));
  ck_assert_ptr_nonnull (check_named (model, "orders"));
}
END_TEST

static void
assert_checks (const char *text, const char *expected)
{
  stage (text, FALSE);
  const RspStagedModel *model = only_model ();
  GString *names = g_string_new (NULL);
  for (guint i = 0; i < model->n_checks; i++)
    g_string_append_printf (names, "%s ", model->checks[i].name);
  ck_assert_str_eq (names->str, expected);
  g_string_free (names, TRUE);
}

START_TEST (procedures_and_loops_give_checks)
{
  assert_checks ("procedure p(r) = let s = r | co acyclic s as a irreflexive s ; rf as b end\n"
                 "call p(rf) call p(po) as again",
                 "a b again again ");
  assert_checks ("let r = rf procedure p() = acyclic r as a end let r = 0 call p()", "a ");
  assert_checks ("forall s in classes(wg) do acyclic rf & (s * s) as each end",
                 "each each each each ");
  assert_checks ("foreach e in R & ACQ do irreflexive [e] ; co ; rf as each end", "each ");
  assert_checks ("forall (a, b) in po & (R * R) do empty rf & (a * b) as each end", "each ");
  assert_checks ("procedure rec walk(s) = match s with {} -> acyclic co as done "
                 "|| e ++ es -> empty [e] ; rf as step call walk(es) end end call walk(R)",
                 "step step step done ");
  assert_checks ("procedure inner(r) = acyclic r as i end\n"
                 "procedure outer(r) = call inner(r) as named call inner(r | po) end\n"
                 "call outer(rf) call outer(co | rf) as renamed",
                 "named i named renamed ");
  assert_checks ("enum t = 'a || 'b forall x in t do match x with 'a -> acyclic rf as first "
                 "|| 'b -> acyclic co as second end end",
                 "first second ");
}
END_TEST

START_TEST (show_and_bell_statements_are_accepted)
{
  assert_checks ("show rf, co show rf ; co as both unshow rf instructions R[{'once, 'acquire}]\n"
                 "acyclic rf as a",
                 "a ");
}
END_TEST

/* ---- Choices ---- */

START_TEST (withsc_gives_a_total_order)
{
  stage ("withsc\nflag ~empty S as s", FALSE);
  const RspStagedModel *model = only_model ();
  ck_assert_uint_eq (model->n_orders, 1);
  ck_assert_str_eq (model->orders[0].name, "S");
  ck_assert (rsp_matrix_equal (model->orders[0].set, f.base.sets[RSP_BASE_SET_SC]));
  ck_assert_uint_eq (rsp_matrix_count (value_of (model, check_named (model, "s"))), 1);
  stage ("withsc\nflag ~empty S ; po as s", TRUE);
  ck_assert_uint_eq (only_model ()->n_orders, 1);
  stage ("flag ~empty S as s", FALSE);
  ck_assert_ptr_null (f.staging);
}
END_TEST

START_TEST (a_linearisation_is_an_order_of_the_search)
{
  stage ("with o from linearisations(W, co0)\nflag ~empty o as v", FALSE);
  const RspStagedModel *model = only_model ();
  ck_assert_uint_eq (model->n_orders, 1);
  ck_assert_str_eq (model->orders[0].name, "o");
  ck_assert (rsp_matrix_equal (model->orders[0].set, f.base.sets[RSP_BASE_SET_W]));
  ck_assert_uint_eq (model->n_checks, 2);
  ck_assert_int_eq (model->checks[0].role, RSP_CAT_REQUIRE_CONSISTENT);
  ck_assert_int_eq (model->checks[0].kind, RSP_CAT_ACYCLIC);
  /* In the order of events, initial writes are first: it is one of the linearisations. */
  ck_assert (rsp_check_holds (&model->checks[0], value_of (model, &model->checks[0])));
  ck_assert_uint_eq (rsp_matrix_count (value_of (model, check_named (model, "v"))), 15);
}
END_TEST

START_TEST (a_linearisation_may_extend_what_the_search_decides)
{
  stage ("with o from linearisations(M, rf | co)\nacyclic o | po as c", FALSE);
  const RspStagedModel *model = only_model ();
  ck_assert_uint_eq (model->n_orders, 1);
  ck_assert_uint_eq (model->n_checks, 2);
  ck_assert (!rsp_check_holds (&model->checks[0], value_of (model, &model->checks[0])));
  /* On one event there is nothing to choose, on an unknown set not yet. */
  stage ("with o from linearisations(ACQ, co0) empty o as c", FALSE);
  ck_assert_uint_eq (only_model ()->n_orders, 0);
  ck_assert_uint_eq (only_model ()->n_checks, 0);
  stage ("with o from linearisations(range(rf), 0) empty o as c", FALSE);
  ck_assert (f.staging->needs_execution);
  stage ("with o from linearisations(range(rf), 0) empty o as c", TRUE);
  ck_assert_uint_eq (only_model ()->n_orders, 1);
}
END_TEST

static void
assert_is_co (const char *text)
{
  stage (text, FALSE);
  const RspStagedModel *model = only_model ();
  ck_assert_uint_eq (model->n_orders, 0);
  ck_assert_uint_eq (model->n_checks, 1);
  ck_assert (rsp_matrix_equal (value_of (model, &model->checks[0]), f.co));
}

#define OWN_MAP                                                                                    \
  "let map f = let rec go s = match s with {} -> {} || x ++ xs -> f x ++ go xs end in go "
#define OWN_CROSS                                                                                  \
  "let fold2 f = let rec go (s, y) = match s with {} -> y || x ++ xs -> go (xs, f (x, y)) end in " \
  "go let rec cross s = match s with {} -> {0} || s1 ++ s -> let yss = cross s in "                \
  "fold2 (fun (e1, r) -> map (fun t -> e1 | t) yss | r) (s1, {}) end "

START_TEST (generated_coherence_is_the_search_s_own)
{
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

START_TEST (generated_coherence_may_have_to_extend_more)
{
  stage ("with c from generate_cos(co0 | rf) flag ~empty c as v", FALSE);
  const RspStagedModel *model = only_model ();
  ck_assert_uint_eq (model->n_checks, 2);
  ck_assert_int_eq (model->checks[0].kind, RSP_CAT_ACYCLIC);
  ck_assert (rsp_matrix_equal (value_of (model, &model->checks[1]), f.co));
  /* On some writes only: co there. */
  stage ("with c from generate_orders(W \\ I, 0) flag ~empty c \\ (co & ~(I * _)) as v\n"
         "flag ~empty (co & ~(I * _)) \\ c as w",
         FALSE);
  model = only_model ();
  for (guint i = 0; i < model->n_checks; i++)
    ck_assert (rsp_matrix_is_empty (value_of (model, &model->checks[i])));
  /* On events that are no writes: orders of their own. */
  stage ("with c from generate_orders(R, 0) flag ~empty c as v", FALSE);
  ck_assert_uint_eq (only_model ()->n_orders, 1);
}
END_TEST

START_TEST (a_choice_among_values_gives_a_model_each)
{
  stage ("with s from {R, W, F}\nflag ~empty s as v\n"
         "forall t in {R, W} do with e from {po, po^-1} acyclic rf | e as c end\n",
         FALSE);
  ck_assert_ptr_nonnull (f.staging);
  ck_assert_uint_eq (f.staging->n_models, 12);
  guint sizes[4] = { 0 }, count[] = { 3, 6, 1 }; /* R, W, F */
  for (guint i = 0; i < 12; i++)
    {
      const RspStagedModel *model = f.staging->models[i];
      guint size = rsp_matrix_count (value_of (model, check_named (model, "v")));
      for (guint j = 0; j < 3; j++)
        sizes[j] += size == count[j];
      ck_assert_uint_eq (model->n_checks, 3);
      ck_assert_uint_eq (model->n_flags, 1);
    }
  for (guint j = 0; j < 3; j++)
    ck_assert_uint_eq (sizes[j], 4);
  stage ("with s from {} acyclic rf as c", FALSE);
  ck_assert (f.staging && !f.staging->needs_execution);
  ck_assert_uint_eq (f.staging->n_models, 0);
  stage ("with (a, b) from {(rf, po)} flag ~empty a ; b as v", FALSE);
  ck_assert_uint_eq (f.staging->n_models, 1);
  stage ("with r from {rf, co} acyclic r as c", FALSE);
  ck_assert (f.staging->needs_execution);
  stage ("with r from {rf, co} acyclic r as c", TRUE);
  ck_assert_uint_eq (f.staging->n_models, 2);
  stage ("with e from R flag ~empty [e] as v", FALSE);
  ck_assert_uint_eq (f.staging->n_models, 3);
}
END_TEST

/* ---- Errors ---- */

static const struct
{
  const char *text, *message, *excerpt;
  gboolean given;
} errors[] = {
  { "let x = nowhere", "m.cat:1:9: error: unbound name `nowhere`", "^~~~~~~", FALSE },
  { "let x = rf | R", "a relation is needed here, and this is a set of events", "^~~~~~", FALSE },
  { "let x = R ; rf", "a relation is needed here", "^~~~~~", FALSE },
  { "let x = [rf]", "a set of events is needed here, and this is a relation", "^~~~", FALSE },
  { "let x = rf co", "a relation is applied as a function", "^~~~~", FALSE },
  { "let f(a, b) = a let x = f(rf)", "this takes 2 values, and is given a relation", "^~~~~~",
    FALSE },
  { "let x = {R} | rf", "cannot combine", "^~~~~~~~", FALSE },
  { "let x = rf ++ W", "cannot add a relation to a set of events", "^~~~~~~", FALSE },
  { "let rec f x = f x\nacyclic f rf", "recursion too deep", "^", FALSE },
  { "let rec f x = f (x | rf) | f co\nacyclic f rf", "recursion too deep", "^", FALSE },
  { "let rec f s = match s with {} -> 0 || x ++ xs -> f s | f xs end\nacyclic f R",
    "recursion too deep", "^", FALSE },
  { "let rec x = ~(x & po) & po", "m.cat:1:9: error: this recursive definition does not converge",
    "^", FALSE },
  { "let rec (x, y) = (x, y)", "a recursive definition must define a name", "^~~~~~", FALSE },
  { "procedure rec p() = call p() end call p()", "recursion too deep", "^", FALSE },
  { "call rf(co)", "`rf` is no procedure", "^~", FALSE },
  { "let x = match 'a with 'b -> rf end", "no clause for the tag 'a", "^", FALSE },
  { "let x = match R with {} -> rf end", "no clause for a set of events", "^", FALSE },
  { "let x = classes(po)", "`classes` needs an equivalence", "^~~~~~~~~~~", FALSE },
  { "let x = tag2scope('nowhere)", "there is no level 'nowhere in the scope tree", "^", FALSE },
  { "let x = {linearisations(_, 0)} let y = if {} in linearisations(_, 0) then 0 else 0",
    "more than 50000 orders to list one by one", "^", FALSE },
  { "withsc\nlet x = match S with {} -> 0 || p ++ ps -> p end", "a chosen order", "^", TRUE },
  { "with o from linearisations(W, 0)\nlet x = if o = 0 then 0 else o", "a chosen order", "^",
    TRUE },
};

START_TEST (errors_have_a_place)
{
  stage (errors[_i].text, errors[_i].given);
  ck_assert_msg (f.staging == NULL, "%s", errors[_i].text);
  ck_assert_uint_eq (rsp_diagnostics_count (f.diagnostics), 1);
  ck_assert_msg (strstr (messages (), errors[_i].message) != NULL, "%s\n%s", errors[_i].text,
                 messages ());
  ck_assert_msg (strstr (messages (), errors[_i].excerpt) != NULL, "%s", messages ());
}
END_TEST

START_TEST (exponential_recursion_is_given_up)
{
  stage ("let rec f s = match s with {} -> 0 || x ++ xs -> f xs | f xs end\n"
         "let many = map (fun e -> e) _ let g s = f s | f s\n"
         "let rec h s = match s with {} -> 0 || x ++ xs -> "
         "g many | g many | g many | g many | h xs | h xs | h xs | h xs end\n"
         "let rec k s = match s with {} -> 0 || x ++ xs -> h many | h many | h many | k xs end\n"
         "acyclic k _",
         FALSE);
  ck_assert_ptr_null (f.staging);
  ck_assert_msg (strstr (messages (), "does not come to an end") != NULL, "%s", messages ());
}
END_TEST

/* ---- Includes ---- */

START_TEST (an_included_file_s_bindings_are_seen)
{
  static const char text[] = "let r = rf include \"b.cat\" acyclic q as a";
  static const char included[] = "let q = r | co irreflexive q as b";
  clear_program ();
  RspSource *sources[] = { rsp_source_new ("a.cat", g_strdup (text), strlen (text)),
                           rsp_source_new ("b.cat", g_strdup (included), strlen (included)) };
  RspCatFile *a = rsp_cat_parse (sources[0], f.arena, f.diagnostics);
  RspCatFile *b = rsp_cat_parse (sources[1], f.arena, f.diagnostics);
  a->statements->next->included = b->statements;
  f.model = (RspModel){ .statements = a->statements };
  f.base.rf = f.base.co = NULL;
  f.staging = rsp_model_stage (&f.model, &f.base, NULL, f.arena, f.diagnostics);
  const RspStagedModel *model = only_model ();
  ck_assert_uint_eq (model->n_checks, 2);
  ck_assert_str_eq (model->checks[0].name, "b");
  ck_assert_uint_eq (model->checks[0].node, model->checks[1].node);
  rsp_source_unref (sources[0]);
  rsp_source_unref (sources[1]);
}
END_TEST

/* ---- Predefined names ---- */

START_TEST (every_predefined_name_has_a_value)
{
  static const char *const names[] = {
#define RSP_BASE_SET(id, name, meaning)           name,
#define RSP_BASE_RELATION(id, name, meaning)      name,
#define RSP_BASE_DERIVED(id, kind, name, meaning) name,
#define RSP_BASE_ALIAS(name, other)               name,
#define RSP_BASE_FUNCTION(id, name, meaning)      name,
#define RSP_BASE_LITERAL(id, name, meaning)       name,
#include "model/base_names.def"
  };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = g_strdup_printf ("withsc\nlet x = %s", names[i]);
      stage (text, FALSE);
      ck_assert_msg (f.staging != NULL, "%s: %s", names[i], messages ());
    }
}
END_TEST

static TCase *
tests_of (const char *name, void (*before) (void))
{
  TCase *tests = tcase_create (name);
  tcase_add_checked_fixture (tests, before, tear_down);
  tcase_set_timeout (tests, 60);
  tcase_add_loop_test (tests, operators_mean_what_they_say, 0, G_N_ELEMENTS (operators));
  tcase_add_loop_test (tests, literals_take_the_kind_of_their_place, 0, G_N_ELEMENTS (literals));
  tcase_add_loop_test (tests, functions_are_values, 0, G_N_ELEMENTS (functions));
  tcase_add_loop_test (tests, recursive_definitions, 0, G_N_ELEMENTS (recursions));
  tcase_add_loop_test (tests, sets_of_sets_are_taken_apart, 0, G_N_ELEMENTS (sets_of_sets));
  tcase_add_loop_test (tests, tags_are_matched, 0, G_N_ELEMENTS (tags));
  tcase_add_loop_test (tests, conditions_choose, 0, G_N_ELEMENTS (conditions));
  tcase_add_test (tests, checks_have_roles_names_and_flags);
  tcase_add_test (tests, checks_hold_or_fail);
  tcase_add_test (tests, sets_of_values_can_be_checked_for_emptiness);
  tcase_add_test (tests, procedures_and_loops_give_checks);
  tcase_add_test (tests, show_and_bell_statements_are_accepted);
  tcase_add_test (tests, withsc_gives_a_total_order);
  tcase_add_test (tests, a_linearisation_is_an_order_of_the_search);
  tcase_add_test (tests, a_linearisation_may_extend_what_the_search_decides);
  tcase_add_test (tests, generated_coherence_is_the_search_s_own);
  tcase_add_test (tests, generated_coherence_may_have_to_extend_more);
  tcase_add_test (tests, a_choice_among_values_gives_a_model_each);
  tcase_add_loop_test (tests, errors_have_a_place, 0, G_N_ELEMENTS (errors));
  tcase_add_test (tests, exponential_recursion_is_given_up);
  tcase_add_test (tests, an_included_file_s_bindings_are_seen);
  tcase_add_test (tests, every_predefined_name_has_a_value);
  return tests;
}

Suite *
stage_suite (void)
{
  Suite *suite = suite_create ("stage");
  suite_add_tcase (suite, tests_of ("stage", set_up));
  suite_add_tcase (suite, tests_of ("stage, wide", set_up_wide));
  return suite;
}
