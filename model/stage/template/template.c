#include "model/stage/template/template.h"
#include "model/dag/fix.h"
#include "model/language.h"
#include "model/dag/private.h"
#include "model/stage/choices/choice.h"
#include "model/stage/choices/coherence.h"
#include "model/stage/statement.h"
#include "model/stage/stage.h"

#define NO_NODE G_MAXUINT

enum
{
  GENERIC_EVENTS = 2, /* with fewer events, 0, id and unv may be equal */
  MOST_EVENTS = 64,   /* above this, evaluation does not dominate the time */
  MOST_NODES = 1 << 14,
  NODES_AT_ONCE = 256 /* nodes between checks of the budget */
};

typedef struct Template
{
  RspArena *arena;
  RspStaging *staging;
  guint8 *needed; /* per node: does an axiom depend on it? */
} Template;

struct RspTemplateSlot
{
  GMutex lock;        /* held while the template is made */
  gint made;          /* atomic: is template final? */
  Template *template; /* NULL: the model has none */
};

/* ---- Making ---- */

/* Marks the nodes that axioms need. All groups stay, since one that does not converge is an error whether an axiom needs
 * it or not. */
static guint8 *
find_needed (const RspStagedModel *model, RspArena *arena)
{
  const RspDag *dag = model->dag;
  guint8 *needed = rsp_arena_new0 (arena, guint8, dag->nodes->len);
  for (guint i = 0; i < model->n_axioms; i++)
    needed[model->axioms[i].node] = TRUE;
  for (guint g = 0; g < dag->groups->len; g++)
    {
      const RspFix *fix = &g_array_index (dag->groups, RspFix, g);
      for (guint i = 0; i < fix->n; i++)
        needed[fix->fixes[i]] = TRUE;
    }
  rsp_dag_mark_below (dag, needed);
  return needed;
}

static void
template_free (Template *template)
{
  if (!template)
    return;
  rsp_staging_clear (template->staging);
  rsp_arena_free (template->arena);
  g_free (template);
}

/* Is the result of evaluating the text complete, so that it can serve as a template? */
static gboolean
is_whole (const RspStaging *staging, const RspDiagnostics *diagnostics)
{
  return staging && !staging->needs_execution && staging->n_models == 1
         && staging->models[0]->dag->nodes->len <= MOST_NODES
         && rsp_diagnostics_count (diagnostics) == 0;
}

/* Evaluates the text with nothing known. NULL if anything had to be. */
static RspStaging *
stage_open (const RspModel *model, const RspStageOptions *options, RspArena *arena)
{
  g_autoptr (RspDiagnostics) unheard = rsp_diagnostics_new ();
  RspBase *base = rsp_arena_new0 (arena, RspBase, 1);
  base->n = GENERIC_EVENTS;
  base->generic = TRUE;
  RspStaging *staging = stage_text (model, base, options, arena, unheard);
  if (is_whole (staging, unheard))
    return staging;
  rsp_staging_clear (staging);
  return NULL;
}

static Template *
template_new (const RspModel *model, RspBudget *budget)
{
  Template *template = g_new0 (Template, 1);
  RspStageOptions options = { .budget = budget };
  template->arena = rsp_arena_new ();
  template->staging = stage_open (model, &options, template->arena);
  if (template->staging)
    {
      template->needed = find_needed (template->staging->models[0], template->arena);
      return template;
    }
  template_free (template);
  return NULL;
}

RspTemplateSlot *
template_slot_new (void)
{
  RspTemplateSlot *slot = g_new0 (RspTemplateSlot, 1);
  g_mutex_init (&slot->lock);
  return slot;
}

void
template_slot_free (RspTemplateSlot *slot)
{
  if (!slot)
    return;
  template_free (slot->template);
  g_mutex_clear (&slot->lock);
  g_free (slot);
}

/* The model's template, made by the first caller. If the budget ran out on the way, the next caller
 * makes it again. */
static const Template *
look_up (const RspModel *model, RspBudget *budget)
{
  RspTemplateSlot *slot = model->template;
  if (!slot)
    return NULL;
  if (g_atomic_int_get (&slot->made))
    return slot->template;
  g_mutex_lock (&slot->lock);
  if (!slot->made)
    {
      slot->template = template_new (model, budget);
      if (slot->template || !rsp_budget_is_exhausted (budget))
        g_atomic_int_set (&slot->made, TRUE);
    }
  g_mutex_unlock (&slot->lock);
  return slot->template;
}

/* ---- Filling in ---- */

typedef struct Filling
{
  const RspDag *from;
  const RspBase *base;
  RspDag *dag;
  /* Per node of the template: its value if the base determines it, and its node in dag, which is
   * NO_NODE while only the value has been needed. */
  const RspMatrix **values;
  RspNodeId *nodes;
  const RspStagedOrder *orders; /* of the template: none of a `with` */
  gboolean good;                /* no error so far */
} Filling;

static void
set_node (Filling *f, RspNodeId id, RspNodeId node)
{
  f->nodes[id] = node;
  f->values[id] = rsp_dag_is_constant (f->dag, node) ? rsp_dag_value (f->dag, node) : NULL;
}

static RspNodeId
node_of (Filling *f, RspNodeId id)
{
  if (f->nodes[id] == NO_NODE)
    f->nodes[id] = rsp_dag_constant (f->dag, rsp_dag_node (f->from, id)->is_set,
                                     (RspMatrix *) f->values[id]);
  return f->nodes[id];
}

static void
fill_constant (Filling *f, RspNodeId id)
{
  const RspDag *from = f->from;
  gboolean is_set = rsp_dag_node (from, id)->is_set;
  if (id == from->empty[is_set])
    set_node (f, id, f->dag->empty[is_set]);
  else if (id == from->universe[is_set])
    set_node (f, id, f->dag->universe[is_set]);
  else if (id == from->identity)
    set_node (f, id, f->dag->identity);
  else
    f->good = FALSE;
}

static void
fill_base (Filling *f, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (f->from, id);
  guint index = node->index;
  if (node->is_set && f->base->open[index])
    {
      set_node (f, id, rsp_dag_base (f->dag, RSP_NODE_OPEN, index));
      return;
    }
  const RspMatrix *value
      = node->is_set ? f->base->sets[index] : f->base->relations[index - RSP_N_BASE_SETS];
  if (value)
    f->values[id] = value;
  else
    set_node (f, id, f->dag->empty[node->is_set]);
}

static void
fill_order (Filling *f, RspNodeId id)
{
  guint index = rsp_dag_node (f->from, id)->index;
  set_node (f, id,
            f->orders[index].kind == RSP_CHOSEN_S ? rsp_stage_sc_order (f->dag, f->base)
                                                  : rsp_dag_base (f->dag, RSP_NODE_ORDER, index));
}

/* The variables of a group have consecutive numbers. */
static void
begin_group (Filling *f, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (f->from, id);
  if (node->index > 0)
    return;
  const RspFix *fix = &g_array_index (f->from->groups, RspFix, node->group - 1);
  g_autofree gboolean *is_set = g_new (gboolean, fix->n);
  g_autofree RspNodeId *variables = g_new (RspNodeId, fix->n);
  for (guint i = 0; i < fix->n; i++)
    is_set[i] = rsp_dag_node (f->from, fix->variables[i])->is_set;
  guint group = rsp_dag_fix_begin (f->dag, fix->n, is_set, variables);
  g_array_index (f->dag->groups, RspFix, group).span = fix->span;
  for (guint i = 0; i < fix->n; i++)
    set_node (f, fix->variables[i], variables[i]);
}

static void
end_group (Filling *f, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (f->from, id);
  if (node->b > 0)
    return;
  const RspFix *fix = &g_array_index (f->from->groups, RspFix, node->index);
  guint group = rsp_dag_node (f->dag, f->nodes[fix->variables[0]])->group - 1;
  g_autofree RspNodeId *bodies = g_new (RspNodeId, fix->n);
  g_autofree RspNodeId *fixes = g_new (RspNodeId, fix->n);
  for (guint i = 0; i < fix->n; i++)
    bodies[i] = node_of (f, fix->bodies[i]);
  f->good = rsp_dag_fix_end (f->dag, group, bodies, fixes);
  for (guint i = 0; f->good && i < fix->n; i++)
    set_node (f, fix->fixes[i], fixes[i]);
}

static void
fill_operator (Filling *f, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (f->from, id);
  gboolean is_binary = rsp_node_arity (node->op) == 2;
  const RspMatrix *a = f->values[node->a], *b = is_binary ? f->values[node->b] : NULL;
  if (a && (b || !is_binary))
    {
      RspMatrix *value = rsp_dag_matrix (f->dag, node->is_set);
      rsp_node_compute (node->op, value, a, b);
      f->values[id] = value;
    }
  else if (is_binary)
    set_node (f, id, rsp_dag_binary (f->dag, node->op, node_of (f, node->a), node_of (f, node->b)));
  else
    set_node (f, id, rsp_dag_unary (f->dag, node->op, node_of (f, node->a)));
}

static void
fill (Filling *f, RspNodeId id)
{
  const RspNode *node = rsp_dag_node (f->from, id);
  switch (node->op)
    {
    case RSP_NODE_CONSTANT:
      fill_constant (f, id);
      break;
    case RSP_NODE_RF:
    case RSP_NODE_CO:
      set_node (f, id, rsp_dag_base (f->dag, node->op, 0));
      break;
    case RSP_NODE_ORDER:
      fill_order (f, id);
      break;
    case RSP_NODE_OPEN:
      fill_base (f, id);
      break;
    case RSP_NODE_VARIABLE:
      begin_group (f, id);
      break;
    case RSP_NODE_FIX:
      end_group (f, id);
      break;
    default:
      fill_operator (f, id);
    }
}

/* ---- The staging ---- */

/* FALSE if a set of operations to warn about is not known. */
static gboolean
take_warning (Filling *f, const RspStagedAxiom *axiom, GArray *warnings)
{
  const RspMatrix *events = f->values[axiom->node];
  RspStagedWarning warning = { .message = axiom->name, .events = events };
  if (events && !rsp_matrix_is_empty (events))
    g_array_append_val (warnings, warning);
  return events || stage_has_open_sets (f->base);
}

static gboolean
take_axioms (Filling *f, const RspStagedModel *from, GArray *axioms, GArray *warnings)
{
  for (guint i = 0; i < from->n_axioms; i++)
    {
      RspStagedAxiom axiom = from->axioms[i];
      if (axiom.role == RSPCHECK_ROLE_WARN_UNLESS)
        {
          if (!take_warning (f, &axiom, warnings))
            return FALSE;
          continue;
        }
      const RspMatrix *value = f->values[axiom.node];
      if (stage_is_settled (&axiom, value))
        continue;
      axiom.node = node_of (f, axiom.node);
      g_array_append_val (axioms, axiom);
    }
  return TRUE;
}

static RspStaging *
make_staging (Filling *f, const RspStagedModel *from, RspArena *arena)
{
  g_autoptr (GArray) axioms = g_array_new (FALSE, FALSE, sizeof (RspStagedAxiom));
  g_autoptr (GArray) warnings = g_array_new (FALSE, FALSE, sizeof (RspStagedWarning));
  if (!take_axioms (f, from, axioms, warnings))
    return NULL;
  RspStagedModel *staged = rsp_arena_copy (arena, from, sizeof *from);
  staged->by_convention
      = rsp_stage_fix_coherence (f->dag, f->base, from->sees_co, NULL, axioms, arena);
  staged->dag = f->dag;
  staged->n_axioms = axioms->len;
  staged->axioms = rsp_arena_copy (arena, axioms->data, axioms->len * sizeof (RspStagedAxiom));
  stage_find_roots (f->dag, staged->axioms, staged->n_axioms);
  staged->orders = rsp_arena_new0 (arena, RspStagedOrder, from->n_orders + 1);
  for (guint i = 0; i < from->n_orders; i++)
    staged->orders[i] = rsp_stage_predefined_order (from->orders[i].kind, f->base, arena);
  RspStaging *staging = rsp_arena_new0 (arena, RspStaging, 1);
  staging->models = rsp_arena_copy (arena, &staged, sizeof staged);
  staging->n_models = 1;
  staging->n_warnings = warnings->len;
  staging->warnings
      = rsp_arena_copy (arena, warnings->data, warnings->len * sizeof (RspStagedWarning));
  return staging;
}

static RspStaging *
fill_in (const Template *template, const RspBase *base, RspBudget *budget, RspArena *arena,
         RspDiagnostics *diagnostics)
{
  const RspStagedModel *from = template->staging->models[0];
  guint n = from->dag->nodes->len;
  Filling f = { .from = from->dag,
                .base = base,
                .dag = rsp_dag_new (arena, base->n),
                .orders = from->orders,
                .good = TRUE };
  f.dag->budget = budget;
  f.values = rsp_arena_new0 (arena, const RspMatrix *, n);
  f.nodes = rsp_arena_new0 (arena, RspNodeId, n);
  for (RspNodeId id = 0; id < n; id++)
    f.nodes[id] = NO_NODE;
  for (RspNodeId id = 0; id < n && f.good; id++)
    {
      if (template->needed[id])
        fill (&f, id);
      if (id % NODES_AT_ONCE == NODES_AT_ONCE - 1)
        f.good &= !rsp_budget_is_exhausted (budget);
    }
  RspStaging *staging
      = f.good && !rsp_budget_is_exhausted (budget) ? make_staging (&f, from, arena) : NULL;
  if (!staging)
    {
      rsp_dag_report_divergence (f.dag, diagnostics);
      rsp_dag_free (f.dag);
    }
  return staging;
}

RspStaging *
stage_from_template (const RspModel *model, const RspBase *base, const RspStageOptions *options,
                     RspArena *arena, RspDiagnostics *diagnostics)
{
  RspBudget *budget = options ? options->budget : NULL;
  gboolean tags_open
      = base->language && base->language->tagged && !base->relations[RSP_BASE_RELATION_SR];
  if (base->generic || base->rf || tags_open || base->n < GENERIC_EVENTS || base->n > MOST_EVENTS)
    return NULL;
  if (options
      && (options->direct || options->keep_names
          || (options->skipped_checks && options->skipped_checks[0])))
    return NULL;
  const Template *template = look_up (model, budget);
  return template ? fill_in (template, base, budget, arena, diagnostics) : NULL;
}

/* No execution passes the added axiom. */
static void
forbid_in (RspStagedModel *model, RspArena *arena)
{
  RspNodeId all = model->dag->universe[FALSE];
  RspStagedAxiom *axioms = rsp_arena_new0 (arena, RspStagedAxiom, model->n_axioms + 1);
  axioms[0] = (RspStagedAxiom){ .role = RSPCHECK_ROLE_AXIOM,
                                .kind = RSPCHECK_AXIOM_EMPTY,
                                .node = all,
                                .root = all,
                                .name = "complete_barriers" };
  for (guint i = 0; i < model->n_axioms; i++)
    axioms[i + 1] = model->axioms[i];
  model->axioms = axioms;
  model->n_axioms++;
}

static void
forbid_all (RspStaging *staging, RspArena *arena)
{
  for (guint i = 0; i < staging->n_models; i++)
    forbid_in (staging->models[i], arena);
  if (staging->known)
    forbid_in (staging->known, arena);
}

RspStaging *
rsp_model_stage (const RspModel *model, const RspBase *base, const RspStageOptions *options,
                 RspArena *arena, RspDiagnostics *diagnostics)
{
  if (!model_fits (model, base->language, diagnostics))
    return NULL;
  RspStaging *staging = stage_from_template (model, base, options, arena, diagnostics);
  if (!staging)
    staging = stage_text (model, base, options, arena, diagnostics);
  if (staging && base->blocked)
    forbid_all (staging, arena);
  return staging;
}

const RspStagedModel *
rsp_model_stage_open (const RspModel *model, const RspLanguage *language,
                      const RspStageOptions *options, RspArena *arena, RspDiagnostics *diagnostics)
{
  if (!model_fits (model, language, diagnostics))
    return NULL;
  RspStaging *staging = stage_open (model, options, arena);
  return staging ? staging->models[0] : NULL;
}

const RspStagedModel *
rsp_model_opened (const RspModel *model, RspBudget *budget)
{
  const Template *template = look_up (model, budget);
  return template ? template->staging->models[0] : NULL;
}
