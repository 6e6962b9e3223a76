#include "enumerator/shapes/part.h"
#include "enumerator/shapes/partial_orders.h"

enum {
  MOST_OPEN = 4, /* limit of events ordered while labels are open: 24 orders */
  FEW_ORDERS = 4 /* chosen orders without an allocation per candidate; models of C choose fewer */
};

/* ---- Staging ---- */

static void open_labels (Part *part, gboolean open) {
  RspBase *base = part->pre->base;
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    base->open[s] = open && rsp_label_decides (&part->combination.shape, (RspBaseSet) s);
  base->assumes = open;
  base->rf = base->co = NULL;
}

static void use (Part *part, const Staged *staged) {
  gboolean ready = staged && staged->state == STAGED_READY;
  part->failed |= staged && staged->state == STAGED_FAILED;
  part->staging = ready ? staged->staging : NULL;
  part->codes = ready ? staged->codes : NULL;
}

/* For the present labels or execution. FALSE if the model needs to know more, or failed. */
static gboolean stage (Part *part) {
  staged_free (part->own);
  part->own = staged_new (&part->what);
  use (part, part->own);
  return part->staging != NULL;
}

static void fill_labels (Part *part) {
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    if (rsp_label_decides (&part->combination.shape, (RspBaseSet) s))
      part->pre->base->sets[s]->bits[0] = part->labelling.lo[s];
}

static void fill_execution (Part *part, const RspCandidate *candidate) {
  RspBase *base = part->pre->base;
  if (!base->rf) {
    base->rf = rsp_relation_new (part->arena, base->n);
    base->co = rsp_relation_new (part->arena, base->n);
  }
  for (guint a = 0; a < base->n; a++) {
    rsp_matrix_row (base->rf, a)[0] = grid_row (candidate->rf, a);
    rsp_matrix_row (base->co, a)[0] = grid_row (candidate->co, a);
  }
}

Part *part_new (const RspModel *model, const RspShapeCombination *combination,
                const RspStageOptions *options, RspDiagnostics *diagnostics) {
  Part *part = g_new0 (Part, 1);
  part->arena = rsp_arena_new ();
  part->combination = *combination;
  part->pre
      = shape_combination_pre_execution (&part->combination, model->wide_barriers, part->arena);
  part->what = (StagedModel){ model, options, diagnostics, part->pre->base };
  open_labels (part, TRUE);
  part->open = staged_new (&part->what);
  use (part, part->open);
  return part;
}

void part_free (Part *part) {
  staged_free (part->own);
  staged_free (part->open);
  rsp_arena_free (part->arena);
  g_free (part);
}

/* Where the model needs to know all labels, or rf and co too. */
static void stage_labels (Part *part) {
  part->level = LEVEL_LABELS;
  use (part, NULL);
  if (!part->labelling.exact || part->failed)
    return;
  open_labels (part, FALSE);
  fill_labels (part);
  if (!stage (part))
    part->level = LEVEL_EXECUTION;
}

void part_set_labels (Part *part, const RspShape *shape, const RspLabelling *whole) {
  rsp_labelling_restrict (&part->labelling, whole, shape, &part->combination);
  part->level = LEVEL_SHAPE;
  open_labels (part, TRUE);
  staged_trim (part->open);
  const Staged *found = staged_under (part->open, &part->what, &part->labelling);
  use (part, found);
  if (found && found->state == STAGED_STUCK)
    stage_labels (part);
  for (guint i = 0; part->codes && i < part->staging->n_models; i++)
    code_set_labels (part->codes[i], &part->labelling);
}

/* ---- Alternatives: a staged model, with a choice of each of its orders ---- */

typedef struct Alternatives {
  Part *part;
  const RspCandidate *candidate;
  guint model;
  Grid *orders;
  PartVisit visit;
  gpointer data;
} Alternatives;

/* S is an order of what labels make seq_cst. Where not all labels are known it orders all that may
 * be: every order of fewer events is the restriction of one of these, and the model sees only that.
 */
static guint ordered_events (const Part *part, const RspStagedOrder *order, guint number) {
  guint set = (guint) order->set->bits[0];
  if (number == 0 && part->what.model->with_sc && part->level == LEVEL_SHAPE)
    set &= part->labelling.hi[RSP_BASE_SET_SC];
  return set;
}

static void choose_orders (Alternatives *a, guint order);
static void order_events (Alternatives *a, guint order, guint left, guint placed);

/* Every partial order that relates what it must. While labels are open all fences are in it, and an
 * axiom says what it must relate. */
static void relate_events (Alternatives *a, guint order) {
  const RspStagedOrder *chosen = &a->part->staging->models[a->model]->orders[order];
  Grid related = 0;
  for (guint e = 0; e < chosen->related->n; e++)
    related |= rsp_matrix_row (chosen->related, e)[0] << (8 * e);
  g_autoptr (GArray) all = shape_partial_orders ((guint) chosen->set->bits[0]);
  for (guint i = 0; i < all->len; i++)
    if (shape_relates (g_array_index (all, Grid, i), related)) {
      a->orders[order] = g_array_index (all, Grid, i);
      choose_orders (a, order + 1);
    }
}

static void choose_orders (Alternatives *a, guint order) {
  const RspStagedModel *staged = a->part->staging->models[a->model];
  if (order == staged->n_orders) {
    code_set_execution (a->part->codes[a->model], a->candidate->rf, a->candidate->co, a->orders);
    a->visit (a->part, a->model, a->data);
    return;
  }
  a->orders[order] = 0;
  if (staged->orders[order].kind == RSP_CHOSEN_SYNC_FENCE)
    relate_events (a, order);
  else
    order_events (a, order, ordered_events (a->part, &staged->orders[order], order), 0);
}

static void order_events (Alternatives *a, guint order, guint left, guint placed) {
  if (!left) {
    choose_orders (a, order + 1);
    return;
  }
  Grid before = a->orders[order];
  for (guint e = 0; e < RSP_SHAPE_EVENTS; e++)
    if (left >> e & 1) {
      a->orders[order] = before | (grid_rows (placed) & (GRID_COLUMN << e));
      order_events (a, order, left & ~(1u << e), placed | 1u << e);
    }
  a->orders[order] = before;
}

/* Are there too many alternatives to try while labels are open? Known labels leave fewer. */
static gboolean has_many_orders (const Part *part) {
  for (guint m = 0; m < part->staging->n_models; m++) {
    const RspStagedModel *staged = part->staging->models[m];
    guint events = 0;
    for (guint i = 0; i < staged->n_orders; i++)
      events += (guint) __builtin_popcount (ordered_events (part, &staged->orders[i], i));
    if (events > MOST_OPEN)
      return TRUE;
  }
  return FALSE;
}

gboolean part_visit (Part *part, const RspCandidate *candidate, PartVisit visit, gpointer data) {
  if (part->level == LEVEL_EXECUTION) {
    fill_execution (part, candidate);
    if (!stage (part)) {
      part->failed = TRUE;
      return FALSE;
    }
  }
  if (!part->staging || (!part->labelling.exact && has_many_orders (part)))
    return FALSE;
  Grid few[FEW_ORDERS];
  guint most = 0;
  for (guint i = 0; i < part->staging->n_models; i++)
    most = MAX (most, part->staging->models[i]->n_orders);
  g_autofree Grid *many = most > FEW_ORDERS ? g_new (Grid, most) : NULL;
  Alternatives a = {
    .part = part, .candidate = candidate, .orders = many ? many : few, .visit = visit, .data = data
  };
  for (a.model = 0; a.model < part->staging->n_models; a.model++)
    choose_orders (&a, 0);
  return TRUE;
}
