#include "enumerator/shapes/probe.h"
#include "enumerator/shapes/code/code_hash.h"
#include "parser/scopes.h"
#include "model/stage/template/template.h"

#include <string.h>

/* Two threads with every kind of event on two locations. */
static const RspShapeEvent example[] = {
  { .kind = RSP_EVENT_WRITE, .thread = 0, .location = 0 },
  { .kind = RSP_EVENT_FENCE, .thread = 0, .flags = RSP_FENCE_GLOBAL },
  { .kind = RSP_EVENT_RMW, .thread = 0, .location = 1 },
  { .kind = RSP_EVENT_READ, .thread = 1, .location = 1 },
  { .kind = RSP_EVENT_FENCE, .thread = 1, .flags = RSP_FENCE_GLOBAL },
  { .kind = RSP_EVENT_READ, .thread = 1, .location = 0 },
};

/* The dependencies on a load. */
static const RspShapeEvent dependent[] = {
  { .kind = RSP_EVENT_READ, .thread = 0, .location = 0 },
  { .kind = RSP_EVENT_FENCE, .thread = 0, .flags = RSP_FENCE_GLOBAL },
  { .kind = RSP_EVENT_RMW, .thread = 0, .location = 1 },
  { .kind = RSP_EVENT_WRITE, .thread = 0, .location = 0 },
  { .kind = RSP_EVENT_READ, .thread = 0, .location = 1 },
  { .kind = RSP_EVENT_WRITE, .thread = 1, .location = 0 },
};

/* A load and a store that are, or are not, halves of a read-modify-write. */
static const RspShapeEvent halves[] = {
  { .kind = RSP_EVENT_READ, .thread = 0, .location = 0, .half = TRUE },
  { .kind = RSP_EVENT_WRITE, .thread = 0, .location = 0, .half = TRUE },
  { .kind = RSP_EVENT_FENCE, .thread = 0, .flags = RSP_FENCE_GLOBAL },
  { .kind = RSP_EVENT_WRITE, .thread = 1, .location = 0 },
  { .kind = RSP_EVENT_FENCE, .thread = 1, .flags = RSP_FENCE_GLOBAL },
  { .kind = RSP_EVENT_READ, .thread = 1, .location = 0 },
};

typedef enum Variation { NO_DEPENDENCY, ADDR, DATA, CTRL, APART, HALVES, N_VARIATIONS } Variation;

typedef struct Probe {
  const RspModel *model;
  RspLanguageId language;
  const RspStageOptions *options;
  RspArena *arena;
  RspDiagnostics *diagnostics;
} Probe;

/* What a model may tell programs of a shape apart by. */
static gboolean is_seen (const RspShape *shape, RspBaseSet set) {
  return rsp_label_decides (shape, set) || set == RSP_BASE_SET_RMW || set == RSP_BASE_SET_F
         || (set == RSP_BASE_SET_X && rsp_languages[shape->language].rmw == RSP_RMW_LONE_EVENT);
}

static RspStaging *stage_with_labels_open (const Probe *probe,
                                           const RspShapeCombination *combination) {
  RspBase *base
      = shape_combination_pre_execution (combination, probe->model->wide_barriers, probe->arena)
            ->base;
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    base->open[s] = is_seen (&combination->shape, (RspBaseSet) s);
  return rsp_model_stage (probe->model, base, probe->options, probe->arena, probe->diagnostics);
}

/* The combination of a shape without guards whose two threads share the levels outside `apart`. */
static RspShapeCombination only_combination (const Probe *probe, const RspShapeEvent *events,
                                             guint n, guint apart) {
  RspShape shape = { .language = probe->language, .n_threads = 2, .n_locations = 2, .n_events = n };
  memcpy (shape.events, events, n * sizeof *events);
  guint8 *node = shape.places[1].node;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    node[level] = rsp_level_follows ((RspLevel) level) ? node[level - 1] : level >= apart;
  g_autoptr (GArray) combinations = shape_combinations_new (&shape);
  return g_array_index (combinations, RspShapeCombination, 0);
}

static RspStaging *stage_tree (const Probe *probe, guint apart) {
  RspShapeCombination c = only_combination (probe, example, G_N_ELEMENTS (example), apart);
  return stage_with_labels_open (probe, &c);
}

/* All events of the first thread after its first load depend on it. */
static RspStaging *stage_dependency (const Probe *probe, guint dependency) {
  RspShapeCombination c
      = only_combination (probe, dependent, G_N_ELEMENTS (dependent), RSP_LEVEL_WORK_GROUP);
  for (guint e = 1; c.shape.events[e].thread == 0; e++) {
    RspShapeEvent *event = &c.shape.events[e];
    event->addr = dependency == ADDR && rsp_shape_is_access (event);
    event->data = dependency == DATA && rsp_shape_is_write (event);
    c.ctrl[e] = dependency == CTRL;
  }
  return stage_with_labels_open (probe, &c);
}

static RspStaging *stage_halves (const Probe *probe, gboolean half) {
  RspShapeCombination c
      = only_combination (probe, halves, G_N_ELEMENTS (halves), RSP_LEVEL_WORK_GROUP);
  for (guint e = 0; e < c.shape.n_events; e++)
    c.shape.events[e].half &= half;
  return stage_with_labels_open (probe, &c);
}

/* The scope trees, then the variations. */
static RspStaging *stage_variation (const Probe *probe, guint i) {
  if (i < RSP_N_LEVELS)
    return stage_tree (probe, i);
  guint variation = i - (guint) RSP_N_LEVELS;
  return variation < APART ? stage_dependency (probe, variation)
                           : stage_halves (probe, variation == HALVES);
}

/* ---- What the axioms of a staging depend on ---- */

static void note_staging (const RspStaging *staging, RspSeen *seen) {
  for (guint m = 0; m < staging->n_models; m++) {
    const RspStagedModel *model = staging->models[m];
    g_autofree guint8 *needed = g_new0 (guint8, model->dag->nodes->len);
    for (guint i = 0; i < model->n_axioms; i++)
      if (model->axioms[i].role == RSPCHECK_ROLE_AXIOM
          || model->axioms[i].role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
        needed[model->axioms[i].node] = TRUE;
    rsp_dag_mark_below (model->dag, needed);
    for (RspNodeId id = 0; id < model->dag->nodes->len; id++)
      if (needed[id] && rsp_dag_node (model->dag, id)->op == RSP_NODE_OPEN)
        seen->sets[rsp_dag_node (model->dag, id)->index] = TRUE;
  }
}

/* ---- Does the tree make a difference? ---- */

/* Equal for models that compute the same of what is open. */
static RspHash hash_of (const RspStagedModel *model) {
  RspLabelling open;
  memset (open.lo, 0, sizeof open.lo);
  memset (open.hi, 0xff, sizeof open.hi);
  open.exact = FALSE;
  Code *code = code_new (model);
  code_set_labels (code, &open);
  RspHash hash = code_hash_axioms (code);
  code_free (code);
  return hash;
}

static gboolean same_staging (const RspStaging *a, const RspStaging *b) {
  if (a->n_models != b->n_models)
    return FALSE;
  for (guint m = 0; m < a->n_models; m++) {
    RspHash x = hash_of (a->models[m]), y = hash_of (b->models[m]);
    if (!rsp_hash_equal (&x, &y))
      return FALSE;
  }
  return TRUE;
}

static void see_everything (RspLanguageId language, RspSeen *seen) {
  RspShape shape = { .language = language };
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    seen->sets[s] = is_seen (&shape, (RspBaseSet) s);
  seen->tree = seen->halves = TRUE;
}

static void see_difference (RspStaging *const *stagings, RspSeen *seen) {
  RspStaging *const *with = stagings + RSP_N_LEVELS;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    note_staging (stagings[level], seen);
  for (guint level = 1; level < RSP_N_LEVELS; level++)
    seen->tree |= !same_staging (stagings[level - 1], stagings[level]);
  seen->addr = !same_staging (with[NO_DEPENDENCY], with[ADDR]);
  seen->data = !same_staging (with[NO_DEPENDENCY], with[DATA]);
  seen->ctrl = !same_staging (with[NO_DEPENDENCY], with[CTRL]);
  seen->halves = seen->sets[RSP_BASE_SET_RMW] || !same_staging (with[APART], with[HALVES]);
}

gboolean rsp_probe (const RspModel *model, RspLanguageId language, const RspStageOptions *options,
                    RspSeen *seen, RspDiagnostics *diagnostics) {
  Probe probe = { model, language, options, rsp_arena_new (), diagnostics };
  RspStaging *stagings[RSP_N_LEVELS + N_VARIATIONS] = { NULL };
  gboolean good = TRUE, known = TRUE;
  memset (seen, 0, sizeof *seen);
  for (guint i = 0; i < G_N_ELEMENTS (stagings) && good && known; i++) {
    stagings[i] = stage_variation (&probe, i);
    good = stagings[i] != NULL;
    known = good && !stagings[i]->needs_execution;
  }
  if (good && known)
    see_difference (stagings, seen);
  else
    see_everything (language, seen);
  for (guint i = 0; i < G_N_ELEMENTS (stagings); i++)
    rsp_staging_clear (stagings[i]);
  rsp_arena_free (probe.arena);
  return good;
}
