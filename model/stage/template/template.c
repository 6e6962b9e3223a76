#include "model/stage/template/template.h"
#include "model/stage/template/fill.h"
#include "model/language.h"
#include "model/stage/stage.h"

enum {
  GENERIC_EVENTS = 2, /* with fewer events, 0, id and unv may be equal */
  MOST_EVENTS = 64,   /* above this, evaluation does not dominate the time */
  MOST_NODES = 1 << 14
};

typedef struct Template {
  RspArena *arena;
  RspStaging *staging;
  guint8 *roots; /* per node: is it an axiom's, or a recursive definition? */
} Template;

struct RspTemplateSlot {
  GMutex lock;        /* held while the template is made */
  gint made;          /* atomic: is template final? */
  Template *template; /* NULL: the model has none */
};

/* ---- Making ---- */

/* Marks the nodes of axioms, and all groups, since one that does not converge is an error whether
 * an axiom needs it or not. */
static guint8 *find_roots (const RspStagedModel *model, RspArena *arena) {
  const RspDag *dag = model->dag;
  guint8 *roots = rsp_arena_new0 (arena, guint8, dag->nodes->len);
  for (guint i = 0; i < model->n_axioms; i++)
    roots[model->axioms[i].node] = TRUE;
  for (guint g = 0; g < dag->groups->len; g++) {
    const RspFix *fix = &g_array_index (dag->groups, RspFix, g);
    for (guint i = 0; i < fix->n; i++)
      roots[fix->fixes[i]] = TRUE;
  }
  return roots;
}

static void template_free (Template *template) {
  if (!template)
    return;
  rsp_staging_clear (template->staging);
  rsp_arena_free (template->arena);
  g_free (template);
}

/* Is the result of evaluating the text complete, so that it can serve as a template? */
static gboolean is_whole (const RspStaging *staging, const RspDiagnostics *diagnostics) {
  return staging && !staging->needs_execution && staging->n_models == 1
         && staging->models[0]->dag->nodes->len <= MOST_NODES
         && rsp_diagnostics_count (diagnostics) == 0;
}

/* Evaluates the text with nothing known. NULL if anything had to be. */
static RspStaging *stage_open (const RspModel *model, const RspStageOptions *options,
                               RspArena *arena) {
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

static Template *template_new (const RspModel *model, RspBudget *budget) {
  Template *template = g_new0 (Template, 1);
  RspStageOptions options = { .budget = budget };
  template->arena = rsp_arena_new ();
  template->staging = stage_open (model, &options, template->arena);
  if (template->staging) {
    template->roots = find_roots (template->staging->models[0], template->arena);
    return template;
  }
  template_free (template);
  return NULL;
}

RspTemplateSlot *template_slot_new (void) {
  RspTemplateSlot *slot = g_new0 (RspTemplateSlot, 1);
  g_mutex_init (&slot->lock);
  return slot;
}

void template_slot_free (RspTemplateSlot *slot) {
  if (!slot)
    return;
  template_free (slot->template);
  g_mutex_clear (&slot->lock);
  g_free (slot);
}

/* The model's template, made by the first caller. If the budget ran out on the way, the next caller
 * makes it again. */
static const Template *look_up (const RspModel *model, RspBudget *budget) {
  RspTemplateSlot *slot = model->template;
  if (!slot)
    return NULL;
  if (g_atomic_int_get (&slot->made))
    return slot->template;
  g_mutex_lock (&slot->lock);
  if (!slot->made) {
    slot->template = template_new (model, budget);
    if (slot->template || !rsp_budget_is_exhausted (budget))
      g_atomic_int_set (&slot->made, TRUE);
  }
  g_mutex_unlock (&slot->lock);
  return slot->template;
}

RspStaging *stage_from_template (const RspModel *model, const RspBase *base,
                                 const RspStageOptions *options, RspArena *arena,
                                 RspDiagnostics *diagnostics) {
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
  return template ? template_fill (template->staging->models[0], template->roots, base, options,
                                   arena, diagnostics)
                  : NULL;
}

/* No execution passes the added axiom. */
static void forbid_in (RspStagedModel *model, RspArena *arena) {
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

static void forbid_all (RspStaging *staging, RspArena *arena) {
  for (guint i = 0; i < staging->n_models; i++)
    forbid_in (staging->models[i], arena);
  if (staging->known)
    forbid_in (staging->known, arena);
}

RspStaging *rsp_model_stage (const RspModel *model, const RspBase *base,
                             const RspStageOptions *options, RspArena *arena,
                             RspDiagnostics *diagnostics) {
  if (!model_fits (model, base->language, diagnostics))
    return NULL;
  RspStaging *staging = stage_from_template (model, base, options, arena, diagnostics);
  if (!staging)
    staging = stage_text (model, base, options, arena, diagnostics);
  if (staging && base->blocked)
    forbid_all (staging, arena);
  return staging;
}

const RspStagedModel *rsp_model_stage_open (const RspModel *model, const RspLanguage *language,
                                            const RspStageOptions *options, RspArena *arena,
                                            RspDiagnostics *diagnostics) {
  if (!model_fits (model, language, diagnostics))
    return NULL;
  RspStaging *staging = stage_open (model, options, arena);
  return staging ? staging->models[0] : NULL;
}

const RspStagedModel *rsp_model_opened (const RspModel *model, RspBudget *budget) {
  const Template *template = look_up (model, budget);
  return template ? template->staging->models[0] : NULL;
}
