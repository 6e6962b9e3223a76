/* Models evaluated on all labels of a shape at once. */
#include "enumerator/bounded/bounded.h"
#include "extra/synth/judge.h"
#include "extra/synth/shapes.h"
#include "model/stage/stage.h"
#include "parser/program.h"

#include <string.h>

/* ---- Staged --------------------------------------------------------------------------------- */

enum {
  MOST_ASSUMED = 8, /* values, one after another */
  MOST_KEPT = 32    /* stagings of one model on one combination; each takes some 50 kB */
};

/* ---- One ---- */
/* Values that rf or co decide cannot be assumed. */
static StagedState want (Staged *staged) {
  if (!staged->staging->needed)
    return STAGED_STUCK;
  staged->needed = code_new (staged->staging->needed);
  if (code_is_dynamic (staged->needed, 0))
    return STAGED_STUCK;
  staged->after = g_ptr_array_new_with_free_func ((GDestroyNotify) staged_free);
  return STAGED_NEEDS_VALUE;
}

Staged *staged_new (const StagedModel *what) {
  Staged *staged = g_new0 (Staged, 1);
  staged->arena = rsp_arena_new ();
  staged->staging
      = rsp_model_stage (what->model, what->base, what->options, staged->arena, what->diagnostics);
  if (!staged->staging)
    staged->state = STAGED_FAILED;
  else if (staged->staging->needs_execution)
    staged->state = want (staged);
  else {
    const RspStaging *staging = staged->staging;
    staged->codes = g_new0 (Code *, staging->n_models + 1);
    for (guint i = 0; i < staging->n_models; i++)
      staged->codes[i] = code_new (staging->models[i]);
  }
  return staged;
}

void staged_free (Staged *staged) {
  if (!staged)
    return;
  for (guint i = 0; staged->codes && i < staged->staging->n_models; i++)
    code_free (staged->codes[i]);
  g_free (staged->codes);
  code_free (staged->needed);
  if (staged->after)
    g_ptr_array_unref (staged->after);
  rsp_staging_clear (staged->staging);
  rsp_arena_free (staged->arena);
  g_free (staged);
}

/* ---- The tree ---- */
/* The base assumes what leads to `from`, and after it the value. */
static Staged *staged_after (Staged *from, const StagedModel *what, RspMatrix **assumed,
                             Grid value) {
  RspBase *base = what->base;
  Staged *next = NULL;
  for (guint i = 0; i < from->after->len && !next; i++)
    if (((Staged *) from->after->pdata[i])->value == value)
      next = from->after->pdata[i];
  if (next) {
    assumed[base->n_assumed++] = next->matrix;
    return next;
  }
  const RspStagedModel *needed = from->staging->needed;
  gboolean is_set = rsp_dag_node (needed->dag, needed->axioms[0].node)->is_set;
  RspMatrix *matrix
      = is_set ? rsp_set_new (from->arena, base->n) : rsp_relation_new (from->arena, base->n);
  if (is_set)
    matrix->bits[0] = value;
  else
    for (guint a = 0; a < base->n; a++)
      rsp_matrix_row (matrix, a)[0] = grid_row (value, a);
  assumed[base->n_assumed++] = matrix;
  next = staged_new (what);
  next->value = value;
  next->matrix = matrix;
  g_ptr_array_add (from->after, next);
  return next;
}

Staged *staged_under (Staged *root, const StagedModel *what, const RspLabelling *labelling) {
  RspMatrix *assumed[MOST_ASSUMED];
  Staged *at = root;
  what->base->assumed = assumed;
  while (at && at->state == STAGED_NEEDS_VALUE) {
    Grid value;
    code_set_labels (at->needed, labelling);
    if (what->base->n_assumed == MOST_ASSUMED)
      at->state = STAGED_STUCK;
    else if (code_value (at->needed, 0, &value))
      at = staged_after (at, what, assumed, value);
    else
      at = NULL;
  }
  what->base->assumed = NULL;
  what->base->n_assumed = 0;
  return at;
}

static guint count (const Staged *staged) {
  guint n = 1;
  for (guint i = 0; staged->after && i < staged->after->len; i++)
    n += count (staged->after->pdata[i]);
  return n;
}

void staged_trim (Staged *root) {
  if (root->after && count (root) > MOST_KEPT)
    g_ptr_array_set_size (root->after, 0);
}

/* ---- Judge ---------------------------------------------------------------------------------- */

enum { MAX_NAMES = 63 };

struct RspJudge {
  RspShape shape;
  RspArena *arena;
  Part **parts; /* per combination of the shape */
  guint n_parts;
  const char *names[MAX_NAMES];
  guint n_names;
};

RspJudge *rsp_judge_new (const RspModel *model, const RspShape *shape,
                         const RspStageOptions *options, RspDiagnostics *diagnostics) {
  if (shape->n_locations + shape->n_events > RSP_SHAPE_EVENTS)
    return NULL;
  g_autoptr (GArray) combinations = shape_combinations_new (shape);
  RspJudge *judge = g_new0 (RspJudge, 1);
  judge->shape = *shape;
  judge->arena = rsp_arena_new ();
  judge->n_parts = combinations->len;
  judge->parts = g_new0 (Part *, combinations->len);
  for (guint i = 0; i < judge->n_parts; i++)
    judge->parts[i] = part_new (model, &g_array_index (combinations, RspShapeCombination, i),
                                options, diagnostics);
  if (!rsp_judge_failed (judge))
    return judge;
  rsp_judge_free (judge);
  return NULL;
}

void rsp_judge_free (RspJudge *judge) {
  if (!judge)
    return;
  for (guint i = 0; i < judge->n_parts; i++)
    part_free (judge->parts[i]);
  g_free (judge->parts);
  rsp_arena_free (judge->arena);
  g_free (judge);
}

gboolean rsp_judge_failed (const RspJudge *judge) {
  for (guint i = 0; i < judge->n_parts; i++)
    if (judge->parts[i]->failed)
      return TRUE;
  return FALSE;
}

void rsp_judge_set_labels (RspJudge *judge, const RspLabelling *labelling) {
  for (guint i = 0; i < judge->n_parts; i++)
    part_set_labels (judge->parts[i], &judge->shape, labelling);
}

/* ---- Verdicts ---- */
static void judge_alternative (Part *part, guint model, gpointer data) {
  RspShapeVerdict *verdict = data;
  const RspStagedModel *staged = part->staging->models[model];
  Code *code = part->codes[model];
  RspTruth allowed = RSP_HOLDS, undefined = RSP_FAILS;
  for (guint i = 0; i < staged->n_axioms && allowed != RSP_FAILS; i++) {
    RspTruth holds = code_axiom (code, i);
    RspcheckAxiomRole role = staged->axioms[i].role;
    if (role == RSPCHECK_ROLE_AXIOM)
      allowed = rsp_truth_and (allowed, holds);
    else if (role == RSPCHECK_ROLE_UNDEFINED_UNLESS)
      undefined = rsp_truth_or (undefined, rsp_truth_not (holds));
  }
  verdict->allowed = (guint8) rsp_truth_or (verdict->allowed, allowed);
  verdict->undefined
      = (guint8) rsp_truth_or (verdict->undefined, rsp_truth_and (allowed, undefined));
  part->failed |= code_diverged (code);
}

RspShapeVerdict rsp_judge_candidate (RspJudge *judge, const RspCandidate *candidate) {
  RspShapeVerdict verdict = { RSP_FAILS, RSP_FAILS };
  if (!part_visit (judge->parts[candidate->combination], candidate, judge_alternative, &verdict))
    verdict.allowed = verdict.undefined = RSP_OPEN;
  return verdict;
}

/* ---- Blame ---- */
static guint name_index (RspJudge *judge, const RspStagedAxiom *check) {
  g_autofree char *name = rsp_axiom_label (check);
  for (guint i = 0; i < judge->n_names; i++)
    if (g_str_equal (judge->names[i], name))
      return i;
  if (judge->n_names == MAX_NAMES)
    return MAX_NAMES;
  judge->names[judge->n_names] = rsp_arena_strdup (judge->arena, name);
  return judge->n_names++;
}

typedef struct Blaming {
  RspJudge *judge;
  GArray *failed;
} Blaming;

static void blame_alternative (Part *part, guint model, gpointer data) {
  Blaming *blaming = data;
  const RspStagedModel *staged = part->staging->models[model];
  guint64 failed = 0;
  for (guint i = 0; i < staged->n_axioms; i++) {
    const RspStagedAxiom *axiom = &staged->axioms[i];
    if (code_axiom (part->codes[model], i) != RSP_FAILS || axiom->role != RSPCHECK_ROLE_AXIOM)
      continue;
    if (!axiom->id && axiom->name)
      return; /* it says what may be chosen */
    failed |= G_GUINT64_CONSTANT (1) << name_index (blaming->judge, axiom);
  }
  g_array_append_val (blaming->failed, failed);
}

void rsp_judge_blame (RspJudge *judge, const RspCandidate *candidate, GArray *failed) {
  Blaming blaming = { judge, failed };
  part_visit (judge->parts[candidate->combination], candidate, blame_alternative, &blaming);
}

const char *rsp_judge_axiom_name (const RspJudge *judge, guint index) {
  return index < judge->n_names ? judge->names[index] : NULL;
}

/* ---- Comparing ---- */
gboolean rsp_judge_agrees (const RspJudge *a, const RspJudge *b) {
  for (guint i = 0; i < a->n_parts; i++) {
    if (a->parts[i]->level != LEVEL_SHAPE || b->parts[i]->level != LEVEL_SHAPE
        || !a->parts[i]->staging || !b->parts[i]->staging || a->parts[i]->staging->n_models != 1
        || b->parts[i]->staging->n_models != 1)
      return FALSE;
    RspHash x = code_hash_axioms (a->parts[i]->codes[0]),
            y = code_hash_axioms (b->parts[i]->codes[0]);
    if (!rsp_hash_equal (&x, &y))
      return FALSE;
  }
  return TRUE;
}

/* ---- Probe ---------------------------------------------------------------------------------- */

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

enum { N_TREES = RSP_N_LEVELS + 1 }; /* of two threads: which share ever more levels, and all */

typedef enum Variation { NO_DEPENDENCY, ADDR, DATA, CTRL, APART, HALVES, N_VARIATIONS } Variation;

typedef struct Probe {
  const RspModel *model;
  RspLanguageId language;
  const RspStageOptions *options;
  RspArena *arena;
  RspDiagnostics *diagnostics;
} Probe;

/* The sets by which a model may tell programs of a shape apart. */
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
  const guint optional = rsp_languages[probe->language].optional_levels;
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    node[level] = rsp_level_follows ((RspLevel) level) && !(optional >> level & 1) ? node[level - 1]
                                                                                   : level >= apart;
  g_autoptr (GArray) combinations = shape_combinations_new (&shape);
  return g_array_index (combinations, RspShapeCombination, 0);
}

/* The scope trees, then the variations. */
static RspStaging *stage_variation (const Probe *probe, guint i) {
  if (i < N_TREES) {
    RspShapeCombination c = only_combination (probe, example, G_N_ELEMENTS (example), i);
    return stage_with_labels_open (probe, &c);
  }
  guint variation = i - (guint) N_TREES;
  if (variation < APART) {
    /* All events of the first thread after its first load depend on it. */
    RspShapeCombination c
        = only_combination (probe, dependent, G_N_ELEMENTS (dependent), RSP_LEVEL_WORK_GROUP);
    for (guint e = 1; c.shape.events[e].thread == 0; e++) {
      RspShapeEvent *event = &c.shape.events[e];
      event->addr = variation == ADDR && rsp_shape_is_access (event);
      event->data = variation == DATA && rsp_shape_is_write (event);
      c.ctrl[e] = variation == CTRL;
    }
    return stage_with_labels_open (probe, &c);
  }
  RspShapeCombination c
      = only_combination (probe, halves, G_N_ELEMENTS (halves), RSP_LEVEL_WORK_GROUP);
  for (guint e = 0; e < c.shape.n_events; e++)
    c.shape.events[e].half &= variation == HALVES;
  return stage_with_labels_open (probe, &c);
}

/* ---- Does the tree make a difference? ---- */
/* Equal for models that compute the same of what is open. */
static RspHash hash_of (const RspStagedModel *model, const gboolean *scopes) {
  RspLabelling open;
  memset (open.lo, 0, sizeof open.lo);
  for (guint s = 0; s < RSP_N_BASE_SETS; s++)
    open.hi[s] = !scopes || scopes[s] ? 0xff : 0;
  open.exact = FALSE;
  Code *code = code_new (model);
  code_set_labels (code, &open);
  RspHash hash = code_hash_axioms (code);
  code_free (code);
  return hash;
}

static gboolean same_staging (const RspStaging *a, const RspStaging *b, const gboolean *scopes) {
  if (a->n_models != b->n_models)
    return FALSE;
  for (guint m = 0; m < a->n_models; m++) {
    RspHash x = hash_of (a->models[m], scopes), y = hash_of (b->models[m], scopes);
    if (!rsp_hash_equal (&x, &y))
      return FALSE;
  }
  return TRUE;
}

static void see_difference (RspStaging *const *stagings, const gboolean *scopes, RspSeen *seen) {
  RspStaging *const *with = stagings + N_TREES;
  for (guint level = 0; level < N_TREES; level++) {
    for (guint m = 0; m < stagings[level]->n_models; m++) {
      const RspStagedModel *model = stagings[level]->models[m];
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
  for (guint level = 0; level < RSP_N_LEVELS; level++)
    seen->levels |= same_staging (stagings[level], stagings[level + 1], scopes) ? 0 : 1u << level;
  seen->addr = !same_staging (with[NO_DEPENDENCY], with[ADDR], scopes);
  seen->data = !same_staging (with[NO_DEPENDENCY], with[DATA], scopes);
  seen->ctrl = !same_staging (with[NO_DEPENDENCY], with[CTRL], scopes);
  seen->halves = seen->sets[RSP_BASE_SET_RMW] || !same_staging (with[APART], with[HALVES], scopes);
}

gboolean rsp_probe (const RspModel *model, RspLanguageId language, const RspStageOptions *options,
                    const gboolean *scopes, RspSeen *seen, RspDiagnostics *diagnostics) {
  Probe probe = { model, language, options, rsp_arena_new (), diagnostics };
  RspStaging *stagings[N_TREES + N_VARIATIONS] = { NULL };
  gboolean good = TRUE, known = TRUE;
  memset (seen, 0, sizeof *seen);
  for (guint i = 0; i < G_N_ELEMENTS (stagings) && good && known; i++) {
    stagings[i] = stage_variation (&probe, i);
    good = stagings[i] != NULL;
    known = good && !stagings[i]->needs_execution;
  }
  seen->known = good && known;
  if (seen->known)
    see_difference (stagings, scopes, seen);
  else {
    RspShape shape = { .language = language };
    for (guint s = 0; s < RSP_N_BASE_SETS; s++)
      seen->sets[s] = is_seen (&shape, (RspBaseSet) s);
    seen->levels = (1u << RSP_N_LEVELS) - 1;
    seen->halves = TRUE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (stagings); i++)
    rsp_staging_clear (stagings[i]);
  rsp_arena_free (probe.arena);
  return good;
}
