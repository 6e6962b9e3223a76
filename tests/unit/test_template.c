/* Templates and undecided conditions against the model's text: on random sets and relations, which
 * no program need have, every axiom holds or fails as the text says that is evaluated on the
 * execution, also if it is known what rf and co contain at least and at most. */
#include "model/model.h"
#include "model/stage/stage.h"
#include "model/dag/dag.h"

#include <check.h>
#include <string.h>

Suite *template_suite (void);

enum { ROUNDS = 60, MOST_EVENTS = 9 };

/* Models that must have a template, and others: what is evaluated anew must be right too. */
static const struct {
  const char *file;
  gboolean has_template;
} models[] = {
  { "opencl.cat", TRUE },    { "opencl_rem.cat", TRUE }, { "opencl_total.cat", TRUE },
  { "sc.cat", TRUE },        { "rc11.cat", TRUE },       { "c11_simp.cat", TRUE },
  { "undecided.cat", TRUE }, { "plain_sc.cat", TRUE },   { "undecided_way.cat", FALSE },
  { "hrf0.cat", FALSE },     { "hrf_rsp.cat", FALSE },   { "unused_look.cat", FALSE },
};

static const char *const directories[] = { "cat", "tests/models", "tests/models/same", NULL };

/* ---- Random bases ---- */

static RspMatrix *random_relation (GRand *rand, RspArena *arena, guint n, guint one_in) {
  RspMatrix *relation = rsp_relation_new (arena, n);
  for (guint a = 0; a < n; a++)
    for (guint b = 0; b < n; b++)
      if (g_rand_int_range (rand, 0, (gint) one_in) == 0)
        rsp_matrix_add (relation, a, b);
  return relation;
}

static RspMatrix *random_set (GRand *rand, RspArena *arena, guint n) {
  RspMatrix *set = rsp_set_new (arena, n);
  guint one_in = (guint) g_rand_int_range (rand, 1, 5);
  for (guint e = 0; e < n; e++)
    if (g_rand_int_range (rand, 0, (gint) one_in) == 0)
      rsp_set_add (set, e);
  return set;
}

/* Some sets and relations are left out, which stands for empty ones. */
static void draw_base (GRand *rand, RspArena *arena, RspBase *base) {
  *base = (RspBase){ .n = (guint) g_rand_int_range (rand, 0, MOST_EVENTS + 1) };
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    if (g_rand_int_range (rand, 0, 10))
      base->sets[s] = random_set (rand, arena, base->n);
  for (guint r = 0; r < RSP_N_BASE_RELATIONS; r++)
    if (g_rand_int_range (rand, 0, 10))
      base->relations[r]
          = random_relation (rand, arena, base->n, (guint) g_rand_int_range (rand, 1, 8));
  if (!base->relations[RSP_BASE_RELATION_ID])
    base->relations[RSP_BASE_RELATION_ID] = rsp_relation_new (arena, base->n);
  rsp_matrix_clear (base->relations[RSP_BASE_RELATION_ID]);
  for (guint e = 0; e < base->n; e++)
    rsp_matrix_add (base->relations[RSP_BASE_RELATION_ID], e, e);
}

/* Often the relation itself at one end. */
static RspExtent draw_extent (GRand *rand, RspArena *arena, const RspMatrix *relation) {
  guint one_in = (guint) g_rand_int_range (rand, 1, 6);
  RspMatrix *least = random_relation (rand, arena, relation->n, one_in);
  RspMatrix *most = rsp_matrix_copy (arena, relation);
  rsp_matrix_difference (least, relation, least);
  if (g_rand_boolean (rand))
    rsp_matrix_union (most, most, random_relation (rand, arena, relation->n, one_in + 1));
  return (RspExtent){ least, most };
}

/* A strict total order on the seq_cst events. */
static RspMatrix *draw_order (GRand *rand, RspArena *arena, const RspBase *base) {
  RspMatrix *order = rsp_relation_new (arena, base->n);
  const RspMatrix *sc = base->sets[RSP_BASE_SET_SC];
  guint ranks[MOST_EVENTS];
  for (guint e = 0; e < base->n; e++)
    ranks[e] = g_rand_int (rand) / (MOST_EVENTS + 1) * (MOST_EVENTS + 1) + e;
  for (guint a = 0; sc && a < base->n; a++)
    for (guint b = 0; b < base->n; b++)
      if (rsp_set_has (sc, a) && rsp_set_has (sc, b) && ranks[a] < ranks[b])
        rsp_matrix_add (order, a, b);
  return order;
}

/* ---- What the axioms say ---- */

static gint compare_texts (gconstpointer a, gconstpointer b) {
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* One text for each axiom that fails, and each flag and warning; NULL: not known. */
static char *findings (const RspStagedModel *model, const RspStaging *staging, const RspMatrix *rf,
                       const RspMatrix *co, RspMatrix *const *orders) {
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autofree RspNodeId *roots = g_new (RspNodeId, model->n_axioms + 1);
  for (guint i = 0; i < model->n_axioms; i++)
    roots[i] = model->axioms[i].node;
  RspValuation *valuation = rsp_valuation_new (model->dag, roots, model->n_axioms);
  gboolean known = rsp_valuation_evaluate (valuation, rf, co, orders);
  for (guint i = 0; known && i < model->n_axioms; i++) {
    const RspStagedAxiom *axiom = &model->axioms[i];
    gboolean flag
        = axiom->role == RSPCHECK_ROLE_FLAG || axiom->role == RSPCHECK_ROLE_UNDEFINED_UNLESS;
    if (!rsp_axiom_holds (axiom, rsp_valuation_get (valuation, axiom->node)))
      g_ptr_array_add (texts,
                       g_strdup_printf ("%d %s %s %u", axiom->role, axiom->id,
                                        flag ? model->flags[axiom->flag] : "-", axiom->span.begin));
  }
  rsp_valuation_free (valuation);
  for (guint i = 0; i < staging->n_warnings; i++)
    g_ptr_array_add (texts,
                     g_strdup_printf ("%s %" G_GINT64_MODIFIER "x", staging->warnings[i].message,
                                      staging->warnings[i].events->bits[0]));
  g_ptr_array_sort (texts, compare_texts);
  g_ptr_array_add (texts, NULL);
  return known ? g_strjoinv ("\n", (char **) texts->pdata) : NULL;
}

/* ---- The tests ---- */

typedef struct Draw {
  RspArena *arena;
  RspBase base;
  RspMatrix *rf, *co, *orders[1];
  RspExtent rf_extent, co_extent; /* that they are within */
} Draw;

/* The text is in error whatever rf and co are. */
static gboolean fails (const RspModel *model, const Draw *draw) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStaging *staging = stage_text (model, &draw->base, NULL, draw->arena, unheard);
  rsp_staging_clear (staging);
  return staging == NULL;
}

/* What the text says, evaluated on the execution itself. NULL: an error. */
static char *by_the_text (const RspModel *model, const Draw *draw) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStageOptions options = { .direct = TRUE };
  RspBase base = draw->base;
  base.rf = draw->rf;
  base.co = draw->co;
  base.orders = model->with_sc ? draw->orders : NULL;
  base.n_orders = model->with_sc ? 1 : 0;
  RspStaging *staging = stage_text (model, &base, &options, draw->arena, unheard);
  char *found = NULL;
  if (staging && staging->n_models == 1 && staging->models[0]->n_orders == base.n_orders)
    found = findings (staging->models[0], staging, draw->rf, draw->co, draw->orders);
  rsp_staging_clear (staging);
  return found;
}

/* What a staging says, from a template or (without options) of the text with what is open kept as
 * expressions. */
static char *by_staging (const RspModel *model, const Draw *draw, const RspStageOptions *options) {
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspStaging *staging
      = options ? stage_from_template (model, &draw->base, options, draw->arena, unheard)
                : stage_text (model, &draw->base, NULL, draw->arena, unheard);
  char *found = NULL;
  if (staging && staging->n_models == 1 && !staging->needs_execution
      && staging->models[0]->n_orders == (model->with_sc ? 1 : 0))
    found = findings (staging->models[0], staging, draw->rf, draw->co, draw->orders);
  rsp_staging_clear (staging);
  return found;
}

static gboolean compare (const RspModel *model, const Draw *draw) {
  g_autofree char *text = by_the_text (model, draw);
  RspStageOptions open = { 0 }, within = { .rf = &draw->rf_extent, .co = &draw->co_extent };
  g_autofree char *staged = by_staging (model, draw, NULL);
  g_autofree char *filled = by_staging (model, draw, &open);
  g_autofree char *narrowed = by_staging (model, draw, &within);
  if (text && staged)
    ck_assert_str_eq (staged, text);
  if (text && filled)
    ck_assert_str_eq (filled, text);
  ck_assert_int_eq (filled == NULL, narrowed == NULL);
  if (text && narrowed)
    ck_assert_str_eq (narrowed, text);
  if (fails (model, draw))
    ck_assert_ptr_null (filled);
  return text && filled;
}

START_TEST (a_template_says_what_the_text_says) {
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = rsp_model_load (models[_i].file, directories, NULL, diagnostics);
  GRand *rand = g_rand_new_with_seed (7);
  guint n_compared = 0;
  ck_assert_ptr_nonnull (model);
  for (guint round = 0; round < ROUNDS; round++) {
    Draw draw = { .arena = rsp_arena_new () };
    draw_base (rand, draw.arena, &draw.base);
    draw.rf = random_relation (rand, draw.arena, draw.base.n, 4);
    draw.co = random_relation (rand, draw.arena, draw.base.n, 4);
    draw.rf_extent = draw_extent (rand, draw.arena, draw.rf);
    draw.co_extent = draw_extent (rand, draw.arena, draw.co);
    draw.orders[0] = draw_order (rand, draw.arena, &draw.base);
    n_compared += compare (model, &draw);
    rsp_arena_free (draw.arena);
  }
  ck_assert_msg ((n_compared > ROUNDS / 2) == models[_i].has_template, "%s: %u", models[_i].file,
                 n_compared);
  g_rand_free (rand);
}
END_TEST

/* -skipcheck, names for explanations, and the naive engine need the text. */
START_TEST (options_that_need_the_text_get_no_template) {
  static const char *const skipped[] = { "sc", NULL }, *const none[] = { NULL };
  const RspStageOptions options[]
      = { { .skipped_checks = skipped }, { .keep_names = TRUE }, { .direct = TRUE } };
  g_autoptr (RspDiagnostics) diagnostics = rsp_diagnostics_new ();
  g_autoptr (RspModel) model = rsp_model_load ("sc.cat", directories, NULL, diagnostics);
  RspArena *arena = rsp_arena_new ();
  RspBase base = { .n = 2 };
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    ck_assert_ptr_null (stage_from_template (model, &base, &options[i], arena, diagnostics));
  RspStageOptions plain = { .skipped_checks = none };
  RspStaging *staging = stage_from_template (model, &base, &plain, arena, diagnostics);
  ck_assert_ptr_nonnull (staging);
  rsp_staging_clear (staging);
  rsp_arena_free (arena);
}
END_TEST

Suite *template_suite (void) {
  Suite *suite = suite_create ("template");
  TCase *cases = tcase_create ("template");
  tcase_set_timeout (cases, 60);
  tcase_add_loop_test (cases, a_template_says_what_the_text_says, 0, G_N_ELEMENTS (models));
  tcase_add_test (cases, options_that_need_the_text_get_no_template);
  suite_add_tcase (suite, cases);
  return suite;
}
