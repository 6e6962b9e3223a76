#include "tests/unit/stage_fixture.h"
#include "model/dag/dag.h"
#include "model/stage/stage.h"
#include "parser/cat/cat.h"
#include "tests/diagnostics_text.h"

#include <check.h>
#include <string.h>

StageFixture stage_fixture;

/* Sets as words of bits, relations as lists of pairs. */
static void put_set (RspBaseSet id, guint bits) {
  for (guint e = 0; e < N_EVENTS; e++)
    if (bits >> e & 1)
      rsp_set_add (stage_fixture.base.sets[id], e);
}

#define BIT(e) (1u << (e))

static void put_class (RspBaseRelation id, guint bits) {
  for (guint a = 0; a < N_EVENTS; a++)
    for (guint b = 0; b < N_EVENTS; b++)
      if (bits >> a & bits >> b & 1)
        rsp_matrix_add (stage_fixture.base.relations[id], a, b);
}

static void put_pairs (RspMatrix *relation, const guint (*pairs)[2], guint n) {
  for (guint i = 0; i < n; i++)
    rsp_matrix_add (relation, pairs[i][0], pairs[i][1]);
}

static void fill_sets (void) {
  put_set (RSP_BASE_SET_I, BIT (IX) | BIT (IY));
  put_set (RSP_BASE_SET_W, BIT (IX) | BIT (IY) | BIT (WX) | BIT (WY) | BIT (UY) | BIT (VX));
  put_set (RSP_BASE_SET_R, BIT (RY) | BIT (RX) | BIT (UY));
  put_set (RSP_BASE_SET_M, (BIT (N_EVENTS) - 1) & ~BIT (FE));
  put_set (RSP_BASE_SET_F, BIT (FE));
  put_set (RSP_BASE_SET_RMW, BIT (UY));
  put_set (RSP_BASE_SET_A, BIT (WY) | BIT (RY) | BIT (UY));
  put_set (RSP_BASE_SET_NA, BIT (IX) | BIT (IY) | BIT (WX) | BIT (RX) | BIT (VX));
  put_set (RSP_BASE_SET_WORD_0, BIT (UY));
  put_set (RSP_BASE_SET_REL, BIT (WY));
  put_set (RSP_BASE_SET_ACQ, BIT (RY));
  put_set (RSP_BASE_SET_SC, BIT (UY) | BIT (FE));
  put_set (RSP_BASE_SET_WORK_GROUP_SCOPE, BIT (WY) | BIT (RY));
  put_set (RSP_BASE_SET_DEVICE_SCOPE, BIT (UY) | BIT (FE));
}

static RspMatrix *everything (void) {
  RspMatrix *all = rsp_set_new (stage_fixture.arena, stage_fixture.base.n);
  rsp_matrix_fill (all);
  return all;
}

static void fill_relations (void) {
  static const guint po[][2] = { { WX, WY }, { RY, RX }, { UY, FE }, { UY, VX }, { FE, VX } };
  static const guint initial[][2] = { { IX, WX }, { IX, VX }, { IY, WY }, { IY, UY } };
  static const guint threads[]
      = { BIT (WX) | BIT (WY), BIT (RY) | BIT (RX), BIT (UY) | BIT (FE) | BIT (VX) };
  put_pairs (stage_fixture.base.relations[RSP_BASE_RELATION_PO], po, G_N_ELEMENTS (po));
  put_pairs (stage_fixture.base.relations[RSP_BASE_RELATION_CO_INITIAL], initial,
             G_N_ELEMENTS (initial));
  put_class (RSP_BASE_RELATION_ATOM, BIT (UY));
  put_class (RSP_BASE_RELATION_LOC, BIT (IX) | BIT (WX) | BIT (RX) | BIT (VX));
  put_class (RSP_BASE_RELATION_LOC, BIT (IY) | BIT (WY) | BIT (RY) | BIT (UY));
  rsp_relation_identity (stage_fixture.base.relations[RSP_BASE_RELATION_ID], everything ());
  for (guint e = 0; e < N_EVENTS; e++) {
    put_class (RSP_BASE_RELATION_WI, BIT (e));
    put_class (RSP_BASE_RELATION_WG, BIT (e));
    put_class (RSP_BASE_RELATION_INT, BIT (e));
  }
  for (guint i = 0; i < 3; i++) {
    put_class (RSP_BASE_RELATION_WI, threads[i]);
    put_class (RSP_BASE_RELATION_INT, threads[i]);
  }
  put_class (RSP_BASE_RELATION_WG, threads[0] | threads[1]);
  put_class (RSP_BASE_RELATION_WG, threads[2]);
  rsp_matrix_fill (stage_fixture.base.relations[RSP_BASE_RELATION_EXT]);
  rsp_matrix_difference (stage_fixture.base.relations[RSP_BASE_RELATION_EXT],
                         stage_fixture.base.relations[RSP_BASE_RELATION_EXT],
                         stage_fixture.base.relations[RSP_BASE_RELATION_INT]);
}

static void set_up_size (guint n) {
  static const guint rf[][2] = { { WY, RY }, { IX, RX }, { WY, UY } };
  static const guint co[][2]
      = { { IX, WX }, { IX, VX }, { VX, WX }, { IY, WY }, { IY, UY }, { WY, UY } };
  stage_fixture
      = (StageFixture){ .arena = rsp_arena_new (), .diagnostics = rsp_diagnostics_new () };
  stage_fixture.base.n = n;
  for (guint i = 0; i < RSP_N_BASE_SETS; i++)
    stage_fixture.base.sets[i] = rsp_set_new (stage_fixture.arena, n);
  for (guint i = 0; i < RSP_N_BASE_RELATIONS; i++)
    stage_fixture.base.relations[i] = rsp_relation_new (stage_fixture.arena, n);
  fill_sets ();
  fill_relations ();
  stage_fixture.rf = rsp_relation_new (stage_fixture.arena, n);
  stage_fixture.co = rsp_relation_new (stage_fixture.arena, n);
  put_pairs (stage_fixture.rf, rf, G_N_ELEMENTS (rf));
  put_pairs (stage_fixture.co, co, G_N_ELEMENTS (co));
}

void stage_set_up (void) { set_up_size (N_EVENTS); }

void stage_set_up_wide (void) { set_up_size (100); }

void stage_clear_program (void) {
  rsp_staging_clear (stage_fixture.staging);
  stage_fixture.staging = NULL;
  rsp_source_unref (stage_fixture.source);
  stage_fixture.source = NULL;
  rsp_diagnostics_truncate (stage_fixture.diagnostics, 0);
}

void stage_tear_down (void) {
  stage_clear_program ();
  rsp_diagnostics_free (stage_fixture.diagnostics);
  rsp_arena_free (stage_fixture.arena);
}

char *stage_messages (void) {
  g_autofree char *text = diagnostics_text (stage_fixture.diagnostics);
  return rsp_arena_strdup (stage_fixture.arena, text);
}

/* Parses and stages; stage_fixture.staging is NULL after an error. given: with rf and co. */
void stage_program (const char *text, gboolean given) {
  static const char *const variants[] = { "on", NULL };
  static const char *const skipped[] = { "skipped", NULL };
  static GArray *words;
  RspStageOptions options = { .skipped_checks = skipped };
  stage_clear_program ();
  stage_fixture.source = rsp_source_new ("m.cat", g_strdup (text), strlen (text));
  RspCatFile *file
      = rsp_cat_parse (stage_fixture.source, stage_fixture.arena, stage_fixture.diagnostics);
  ck_assert_msg (file != NULL, "%s", stage_messages ());
  gboolean with_sc = file->options && file->options[0] && strcmp (file->options[0], "withsc") == 0;
  stage_fixture.model = (RspModel){ .statements = file->statements,
                                    .variants = (char **) variants,
                                    .with_sc = with_sc,
                                    .sees_co = !(file->options && file->options[0]
                                                 && g_str_equal (file->options[0], "withoutco")),
                                    .rmw_is_relation = strstr (text, "rmw_relation") != NULL };
  g_clear_pointer (&words, g_array_unref);
  words = stage_fixture.model.words = g_array_new (FALSE, FALSE, sizeof (RspModelWord));
  g_array_append_vals (words, &(RspModelWord){ .name = "remote", .kind = "form" }, 1);
  stage_fixture.base.rf = given ? stage_fixture.rf : NULL;
  stage_fixture.base.co = given ? stage_fixture.co : NULL;
  stage_fixture.staging = rsp_model_stage (&stage_fixture.model, &stage_fixture.base, &options,
                                           stage_fixture.arena, stage_fixture.diagnostics);
}

const RspStagedModel *stage_only_model (void) {
  ck_assert_msg (stage_fixture.staging != NULL, "%s", stage_messages ());
  ck_assert (!stage_fixture.staging->needs_execution);
  ck_assert_uint_eq (stage_fixture.staging->n_models, 1);
  return stage_fixture.staging->models[0];
}

const RspStagedAxiom *stage_axiom_named (const RspStagedModel *model, const char *name) {
  for (guint i = 0; i < model->n_axioms; i++)
    if (g_strcmp0 (model->axioms[i].name, name) == 0)
      return &model->axioms[i];
  return NULL;
}

/* The value of an axiom's node on the fixture's execution; orders are taken in order of events. */
RspMatrix *stage_value_of (const RspStagedModel *model, const RspStagedAxiom *axiom) {
  RspMatrix **orders = rsp_arena_new0 (stage_fixture.arena, RspMatrix *, model->n_orders);
  for (guint i = 0; i < model->n_orders; i++) {
    orders[i] = rsp_relation_new (stage_fixture.arena, stage_fixture.base.n);
    for (guint a = 0; a < N_EVENTS; a++)
      for (guint b = a + 1; b < N_EVENTS; b++)
        if (rsp_set_has (model->orders[i].set, a) && rsp_set_has (model->orders[i].set, b))
          rsp_matrix_add (orders[i], a, b);
  }
  RspValuation *valuation = rsp_valuation_new (model->dag, &axiom->node, 1);
  ck_assert (rsp_valuation_evaluate (valuation, stage_fixture.rf, stage_fixture.co, orders));
  RspMatrix *value
      = rsp_matrix_copy (stage_fixture.arena, rsp_valuation_get (valuation, axiom->node));
  rsp_valuation_free (valuation);
  return value;
}
